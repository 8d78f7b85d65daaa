// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/csv.h"
#include "core/report/timing/sweep_report.h"
#include "core/request/given.h"
#include "tests/core/small_model.h"

#include <array>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace cutaway;
using nlohmann::json;

namespace {

struct Range {
    const char *name;
    const char *text;
    std::vector<std::int64_t> values;
};

class GoodSweep : public testing::TestWithParam<Range> { };

TEST_P(GoodSweep, namesItsValues)
{
    const auto sweep = request::parseSweep(test::smallModel(), {}, GetParam().text);
    ASSERT_TRUE(sweep) << sweep.error().text();
    EXPECT_EQ(sweep->symbol, std::string(GetParam().text).substr(0, 2));
    EXPECT_EQ(sweep->values, GetParam().values);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, GoodSweep,
    testing::Values(Range{"byOne", "s0=2:5", {2, 3, 4, 5}}, Range{"one", "s0=7:7", {7}},
                    Range{"byStep", "s0=2:11:4", {2, 6, 10}}, Range{"byFactor", "s0=2:64:*2", {2, 4, 8, 16, 32, 64}},
                    Range{"fromZero", "u0=0:2", {0, 1, 2}},
                    Range{"toTheLargest", "u0=1:9223372036854775807:*9000000000000", {1, 9000000000000}}),
    [](const auto &row) { return row.param.name; });

struct Wrong {
    const char *name;
    const char *text;
    const char *message;
};

class WrongSweep : public testing::TestWithParam<Wrong> { };

TEST_P(WrongSweep, isRefusedWithAReason)
{
    const auto sweep = request::parseSweep(test::smallModel(), {{"u0", 3}}, GetParam().text);
    ASSERT_FALSE(sweep);
    EXPECT_EQ(sweep.error().kind, ErrorKind::Usage);
    EXPECT_NE(sweep.error().text().find(GetParam().message), std::string::npos) << sweep.error().text();
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WrongSweep,
    testing::Values(Wrong{"noRange", "s0=8", "is not a sweep; expected SYMBOL=FIRST:LAST"},
                    Wrong{"noSymbol", "1:8", "is not a sweep"}, Wrong{"backwards", "s0=8:2", "is not a sweep"},
                    Wrong{"negative", "s0=-2:8", "is not a sweep"}, Wrong{"stepZero", "s0=2:8:0", "is not a sweep"},
                    Wrong{"factorOne", "s0=2:8:*1", "is not a sweep"},
                    Wrong{"factorFromZero", "s0=0:8:*2", "is not a sweep"},
                    Wrong{"words", "s0=two:eight", "is not a sweep"},
                    Wrong{"fourParts", "s0=2:8:2:2", "is not a sweep"},
                    Wrong{"tooLarge", "s0=2:99999999999999999999", "is not a sweep"},
                    Wrong{"otherSymbol", "t=1:2", "unknown symbol 't'; the model has s0, u0"},
                    Wrong{"bound", "u0=1:2", "symbol 'u0' is swept and given as 3"},
                    Wrong{"outOfRange", "s0=2:65", "symbol 's0' cannot be 65: its range is 2 to 64"},
                    Wrong{"belowRange", "s0=1:2", "symbol 's0' cannot be 1"},
                    Wrong{"tooMany", "s0=2:1000000", "more than 1000 values"}),
    [](const auto &row) { return row.param.name; });

analysis::Sweep twoPoints()
{
    const ir::Dim formula = symbolic::Expr::symbol("s1");
    return {"s0",
            {{1, {std::int64_t{2000}, std::int64_t{3}, std::int64_t{4}, std::int64_t{5}}, std::int64_t{6}, 0.25},
             {2,
              {formula, std::int64_t{3}, ir::UnknownDim{}, std::int64_t{5}},
              formula,
              std::nullopt,
              {formula, std::int64_t{3}, std::int64_t{7}, std::int64_t{5}},
              formula,
              1}}};
}

TEST(SweepReport, jsonHasNullForWhatIsNoNumber)
{
    analysis::Device device;
    device.id = "d";
    const json sweep = json::parse(report::sweepJson(test::smallModel(), twoPoints(), &device));
    EXPECT_EQ(sweep, json::parse(R"({"schema": "cutaway.sweep/1", "path": "small.pt2", "symbol": "s0", "device": "d",
        "unbound": ["s1"], "points": [
        {"value": 1, "flops": 2000, "other_flops": 3, "bytes_read": 4, "bytes_written": 5,
         "peak_activation_bytes": 6, "seconds": 0.25},
        {"value": 2, "flops": null, "other_flops": 3, "bytes_read": null, "bytes_written": 5,
         "peak_activation_bytes": null, "unknown_flops_nodes": 1, "at_least": {"bytes_read": 7}, "seconds": null}]})"));
}

TEST(SweepReport, csvHasARowPerValue)
{
    EXPECT_EQ(report::sweepCsv(twoPoints()),
              "s0,flops,other_flops,bytes_read,bytes_written,peak_activation_bytes,seconds\r\n"
              "1,2000,3,4,5,6,0.25\r\n"
              "2,,3,,5,,\r\n");
}

TEST(SweepReport, textHasFormulas)
{
    EXPECT_EQ(report::sweepText(twoPoints(), nullptr),
              "s0       FLOPs  other FLOPs   read  written  peak memory\n"
              " 1  2.00 kFLOP       3 FLOP    4 B      5 B          6 B\n"
              " 2          s1       3 FLOP  ≥ 7 B      5 B           s1\n");
}

struct Cell {
    const char *name;
    std::string text;
    const char *cell;
};

class CsvCell : public testing::TestWithParam<Cell> { };

TEST_P(CsvCell, isWhatEveryProgramReadsAsText) { EXPECT_EQ(print::csvCell(GetParam().text), GetParam().cell); }

INSTANTIATE_TEST_SUITE_P(Rows, CsvCell,
                         testing::Values(Cell{"plain", "layer1.0", "layer1.0"}, Cell{"empty", "", ""},
                                         Cell{"blank", "seq len", "seq len"}, Cell{"comma", "a,b", "\"a,b\""},
                                         Cell{"quote", "a\"b", "\"a\"\"b\""}, Cell{"formula", "=1+1", "'=1+1"},
                                         Cell{"call", "=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""},
                                         Cell{"plus", "+1", "'+1"}, Cell{"minus", "-1+1", "'-1+1"},
                                         Cell{"negative", "-1", "-1"}, Cell{"at", "@SUM(1)", "'@SUM(1)"},
                                         Cell{"newline", "a\nb", "a\\x0ab"}, Cell{"tab", "\t=1", "\\x09=1"}),
                         [](const auto &row) { return row.param.name; });

TEST(CsvRow, hasEmptyCells) { EXPECT_EQ(print::csvRow(std::array<std::string, 3>{"", "a", ""}), ",a,\r\n"); }

} // namespace
