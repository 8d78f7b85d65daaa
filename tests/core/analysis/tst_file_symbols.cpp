// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/file_symbols.h"

#include "core/analysis/data_sizes.h"
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

using analysis::FileSymbols;

const std::string header = "symbol s0 [2, 9]\nsymbol s1\nsymbol u0 [0, 99]\nsymbol u1\n";

const ir::Model &model()
{
    static const ir::Model made = modelOf(R"((%x: float32[s0, s1, 3], %n: int64[]) {
        %k: int(u0) = aten::item(self=%n)
        %z: float32[u0, 3] = aten::zeros(size=[%k, 3])
        %i: int64[*] = aten::nonzero(self=%z)
        return %z, %i })",
                                          header);
    return made;
}

struct SymbolRow {
    const char *name;
    const char *size;
    symbolic::Bindings bindings;
    const char *known;
};

class FileSymbolsOf : public testing::TestWithParam<SymbolRow> { };

TEST_P(FileSymbolsOf, areKnown)
{
    const FileSymbols symbols(model(), GetParam().bindings);
    EXPECT_EQ(ir::print(symbols.of(ir::Dim(*symbolic::parse(GetParam().size)))), GetParam().known);
}

INSTANTIATE_TEST_SUITE_P(Rows, FileSymbolsOf,
                         testing::Values(SymbolRow{"byTheirRange", "max(2, min(s0, 9)) + u0//100", {}, "s0"},
                                         SymbolRow{"asSizesOfInputs", "max(0, s1)", {}, "s1"},
                                         SymbolRow{"perhapsNegative", "max(0, u1)", {}, "max(0, u1)"},
                                         SymbolRow{"byWhatTheyAreBoundTo", "s0 + u0", {{"u0", 5}}, "s0 + 5"},
                                         SymbolRow{"orNotAtAll", "max(0, other)", {}, "max(0, other)"},
                                         SymbolRow{"unlessItCannotBe", "s0//u0", {{"s0", 3}, {"u0", 0}}, "?"}),
                         [](const auto &row) { return row.param.name; });

TEST(FileSymbols, tellsWhatDataDecides)
{
    const FileSymbols symbols(model(), {});
    EXPECT_TRUE(symbols.isDecidedByData(*symbolic::parse("2*u0 + u1")));
    EXPECT_FALSE(symbols.isDecidedByData(*symbolic::parse("u0 + s1")));
    EXPECT_TRUE(symbols.contains(*symbolic::parse("s0 + u0")));
    EXPECT_FALSE(symbols.contains(*symbolic::parse("s0 + Pad_1")));
}

TEST(FileSymbols, ofTheDataReachResultsWhenTheyAreBound)
{
    const analysis::Shapes shapes =
        analysis::inferShapes(model(), ir::FunctionId{0}, {.bindings = {{"u0", 5}}, .inputs = {}});
    const auto &outputs = model().functions[0].outputs;
    const ops::TensorFact *result = ops::asTensor(shapes.of(*outputs[0].value.as<ir::ValueId>()));
    ASSERT_TRUE(result && result->shape);
    EXPECT_EQ(ir::print(*result->shape), "[5, 3]");
}

TEST(DataSizes, areThoseThatTheFileHasNoNamesFor)
{
    const analysis::Shapes shapes = analysis::inferShapes(model(), ir::FunctionId{0});
    const auto &outputs = model().functions[0].outputs;
    EXPECT_EQ(ops::print(shapes.of(*outputs[1].value.as<ir::ValueId>())), "int64[u_1, 2]");
    const std::vector<analysis::DataSize> sizes = analysis::dataSizesIn(shapes);
    ASSERT_EQ(sizes.size(), 1U);
    EXPECT_EQ(sizes[0].name, "u_1");
    EXPECT_EQ(ir::print(sizes[0].most), "3*u0");
    EXPECT_FALSE(mayBeNegative(sizes[0]));
}

} // namespace
} // namespace cutaway::test
