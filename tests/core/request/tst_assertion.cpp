// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/assertion.h"

#include <gtest/gtest.h>

namespace cutaway::report {

namespace {

using request::Figure;
using request::FigureUnit;

constexpr request::NamedFigure knownFigures[] = {{"time", FigureUnit::Seconds}, {"peak", FigureUnit::Bytes},
                                                 {"flops", FigureUnit::Count},  {"macs", FigureUnit::Count},
                                                 {"ops", FigureUnit::Names},    {"inputs", FigureUnit::Names}};

Result<std::vector<request::Assertion>> parsed(const std::string &text)
{
    return request::parseAssertions(std::vector{text}, knownFigures);
}

struct AssertionRow {
    const char *label;
    const char *text;
    std::vector<std::string> broken;
};

class Assertions : public testing::TestWithParam<AssertionRow> { };

/// A run of 5 ms, 100 MB at the peak, 8,178,368,512 FLOPs, three operators; multiply-adds and the dtype of an input are
/// not known.
TEST_P(Assertions, holdOrSayWhatIs)
{
    const request::Figures figures{
        {"time", {5e-3, {}, {}}},
        {"peak", {100e6, {}, {}}},
        {"flops", {8178368512., {}, {}}},
        {"macs", {{}, {}, "it is at least 4,096"}},
        {"ops", {{}, {"aten::add.Tensor", "aten::relu_.default", "onnx::Loop"}, {}}},
        {"inputs", {{}, {"float32"}, "the dtype of 'y' is not known"}},
    };
    const auto assertions = parsed(GetParam().text);
    ASSERT_TRUE(assertions) << assertions.error().text();
    EXPECT_EQ(request::broken(*assertions, figures), GetParam().broken);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Assertions,
    testing::Values(AssertionRow{"Below", "time<6ms", {}},
                    AssertionRow{"NotBelow", "time<5ms", {"time<5ms does not hold: it is 5 ms"}},
                    AssertionRow{"AtMost", "time<=5ms", {}}, AssertionRow{"InAnotherUnit", "time<5001us", {}},
                    AssertionRow{"InSeconds", "time<0.006s", {}}, AssertionRow{"Above", "time>4ms", {}},
                    AssertionRow{"NotAbove", "time>6ms", {"time>6ms does not hold: it is 5 ms"}},
                    AssertionRow{"OfMemory", "peak<101MB", {}}, AssertionRow{"InBinaryUnits", "peak<96MiB", {}},
                    AssertionRow{"NotBelowInBinaryUnits", "peak<95MiB", {"peak<95MiB does not hold: it is 95.4 MiB"}},
                    AssertionRow{"Several",
                                 "time<1ms,peak<1GB,time>9ms",
                                 {"time<1ms does not hold: it is 5 ms", "time>9ms does not hold: it is 5 ms"}},
                    AssertionRow{"WithBlanks", " time < 6 ms , flops <= 8.2G ", {}},
                    AssertionRow{"OfACount", "flops<=8.178368512G", {}},
                    AssertionRow{"NotOfACount", "flops<8.1G", {"flops<8.1G does not hold: it is 8,178,368,512"}},
                    AssertionRow{"Equal", "flops==8178368512", {}},
                    AssertionRow{
                        "NotEqual", "flops!=8178368512", {"flops!=8178368512 does not hold: it is 8,178,368,512"}},
                    AssertionRow{"AtLeast", "flops>=8178368512", {}},
                    AssertionRow{"OfAFigureThatIsNotKnown", "macs<=1", {"macs<=1 is not known: it is at least 4,096"}}),
    [](const auto &row) { return row.param.label; });

INSTANTIATE_TEST_SUITE_P(
    Names, Assertions,
    testing::Values(
        AssertionRow{"Has", "ops~Loop", {}}, AssertionRow{"HasWithDialect", "ops~onnx::Loop", {}},
        AssertionRow{"HasWithoutOverload", "ops~aten::relu_", {}},
        AssertionRow{"HasByOverload", "ops~relu_.default", {}}, AssertionRow{"HasByGlob", "ops~*_", {}},
        AssertionRow{"HasIsWhole", "ops~Loo", {"ops~Loo does not hold: there is none"}},
        AssertionRow{"HasNot", "ops!~If", {}},
        AssertionRow{"HasNotByGlob",
                     "ops!~aten::*",
                     {"ops!~aten::* does not hold: there is aten::add.Tensor, aten::relu_.default"}},
        AssertionRow{"HasWhateverElse", "inputs~float*", {}},
        AssertionRow{"HasNotWhateverElse", "inputs!~float32", {"inputs!~float32 does not hold: there is float32"}},
        AssertionRow{"PerhapsHas", "inputs~int64", {"inputs~int64 is not known: the dtype of 'y' is not known"}},
        AssertionRow{"PerhapsHasNot", "inputs!~int64", {"inputs!~int64 is not known: the dtype of 'y' is not known"}}),
    [](const auto &row) { return row.param.label; });

struct WrongAssertionRow {
    const char *label;
    const char *text;
    const char *error; ///< its beginning and, behind …, its end
};

class WrongAssertions : public testing::TestWithParam<WrongAssertionRow> { };

TEST_P(WrongAssertions, areWrongUsageWithTheirPlace)
{
    const auto assertions = parsed(GetParam().text);
    ASSERT_FALSE(assertions);
    EXPECT_EQ(assertions.error().kind, ErrorKind::Usage);
    const std::string error = assertions.error().text(), expected = GetParam().error;
    const std::size_t gap = expected.find("…");
    EXPECT_TRUE(error.starts_with(expected.substr(0, gap))) << error;
    EXPECT_TRUE(error.ends_with(expected.substr(gap + std::string_view("…").size()))) << error;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WrongAssertions,
    testing::Values(WrongAssertionRow{"Empty", "", "an assertion is missing…(character 1 of '')"},
                    WrongAssertionRow{"NoSign", "time", "'time' must be followed by <…(character 5 of 'time')"},
                    WrongAssertionRow{"NoFigure", "<5ms", "an assertion is missing…(character 1 of '<5ms')"},
                    WrongAssertionRow{"NoNumber", "time<ms",
                                      "'ms' is not a limit for time; …(character 6 of 'time<ms')"},
                    WrongAssertionRow{"NoUnit", "time<5", "'5' is not a limit for time; …(character 6 of 'time<5')"},
                    WrongAssertionRow{"UnknownUnit", "time<5min", "'5min' is not…(character 6 of 'time<5min')"},
                    WrongAssertionRow{"UnitOfMemory", "time<5MB",
                                      "'5MB' is not…a unit of time, for example 5ms "
                                      "(character 6 of 'time<5MB')"},
                    WrongAssertionRow{"UnitOfTime", "peak<5ms", "'5ms' is not…(character 6 of 'peak<5ms')"},
                    WrongAssertionRow{"UnitOfACount", "flops<5GB", "'5GB' is not…(character 7 of 'flops<5GB')"},
                    WrongAssertionRow{"TwoNumbers", "flops<5 6", "'5 6' is not…(character 7 of 'flops<5 6')"},
                    WrongAssertionRow{"NothingBehindAComma", "time<5ms,",
                                      "an assertion is missing…(character 10 of "
                                      "'time<5ms,')"},
                    WrongAssertionRow{"UnknownFigure", "time<5ms,speed<5",
                                      "unknown figure 'speed'; there are time, peak, flops, macs, ops, inputs…"
                                      "(character 10 of 'time<5ms,speed<5')"},
                    WrongAssertionRow{"NumberOfNames", "ops<5",
                                      "'ops' must be followed by ~ or !~…(character 4 of "
                                      "'ops<5')"},
                    WrongAssertionRow{"NamesOfANumber", "flops~5",
                                      "'flops' must be followed by <…(character 6 of "
                                      "'flops~5')"},
                    WrongAssertionRow{"NoName", "ops!~", "'' is not a limit for ops; …(character 6 of 'ops!~')"}),
    [](const auto &row) { return row.param.label; });

} // namespace

} // namespace cutaway::report
