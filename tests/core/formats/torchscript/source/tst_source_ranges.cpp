// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/source_ranges.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace cutaway::formats::torchscript {
namespace {

using namespace std::string_literals;

std::string number(std::uint32_t n)
{
    std::string bytes;
    for (int i = 0; i < 4; ++i)
        bytes += static_cast<char>(n >> (8 * i));
    return bytes;
}

std::string integer(int n) { return "J" + number(static_cast<std::uint32_t>(n)); }
std::string text(const std::string &s) { return "X" + number(static_cast<std::uint32_t>(s.size())) + s; }
std::string tuple(const std::string &items) { return "(" + items + "t"; }
std::string list(const std::string &items) { return "](" + items + "e"; }

std::string source(std::initializer_list<int> pieces, int file, int firstLine)
{
    std::string ids;
    for (const int piece : pieces)
        ids += integer(piece);
    return tuple("ctorch.jit._pickle\nbuild_intlist\n" + list(ids) + "\x85R" + integer(file) + integer(firstLine));
}

std::string record(int codeOffset, const std::string &of, int start, int end)
{
    return tuple(integer(codeOffset) + tuple(of + integer(start) + integer(end)) + integer(0));
}

std::string pickle(const std::string &strings, const std::string &records)
{
    return "\x80\x02"s + tuple(text("FORMAT_WITH_STRING_TABLE") + list(strings) + list(records)) + ".";
}

Result<SourceRanges> read(const std::string &bytes) { return SourceRanges::read(std::as_bytes(std::span(bytes))); }

const std::string strings = text("") + text("def f(x):\n") + text("    # \xC3\xA9\n") + text("    y = x\n")
    + text("a.py") + text("a.py(7): forward\n") + text("b.py(8): main\n");

TEST(SourceRanges, FindsTheLineOfScriptedCode)
{
    const auto ranges = read(pickle(strings, record(10, source({1, 2, 3}, 4, 20), 27, 28)));
    ASSERT_TRUE(ranges) << ranges.error().text();
    EXPECT_EQ(ranges->at(10), Origin(ScriptedLine{"a.py", 22, 8, "    y = x"}));
}

TEST(SourceRanges, ReachToTheNextOne)
{
    const std::string function = source({1, 2, 3}, 4, 20);
    const auto ranges = read(pickle(
        strings, record(30, source({}, 0, 0), 0, 0) + record(10, function, 0, 3) + record(20, function, 23, 24)));
    ASSERT_TRUE(ranges) << ranges.error().text();
    EXPECT_EQ(ranges->at(9), std::nullopt);
    EXPECT_EQ(ranges->at(19), Origin(ScriptedLine{"a.py", 20, 0, "def f(x):"}));
    EXPECT_EQ(ranges->at(29), Origin(ScriptedLine{"a.py", 22, 4, "    y = x"}));
    EXPECT_EQ(ranges->at(30), std::nullopt) << "a range without text has no origin";
}

TEST(SourceRanges, KeepTheStackOfTracedCode)
{
    const auto ranges = read(pickle(strings, record(0, source({5, 6, 0}, 4, 7), 0, 30)));
    ASSERT_TRUE(ranges) << ranges.error().text();
    EXPECT_EQ(ranges->at(5), Origin(TracedStack{"a.py(7): forward\nb.py(8): main\n"}));
}

TEST(SourceRanges, StartingBeyondTheirTextHaveNoOrigin)
{
    const auto ranges = read(pickle(strings, record(0, source({1}, 4, 1), 10, 11)));
    ASSERT_TRUE(ranges) << ranges.error().text();
    EXPECT_EQ(ranges->at(0), std::nullopt);
}

struct BadRangesRow {
    std::string name;
    std::string bytes;
    std::string error;
};

class BadRanges : public testing::TestWithParam<BadRangesRow> { };

TEST_P(BadRanges, AreRefused)
{
    const auto ranges = read(GetParam().bytes);
    ASSERT_FALSE(ranges);
    EXPECT_NE(ranges.error().text().find(GetParam().error), std::string::npos) << ranges.error().text();
}

INSTANTIATE_TEST_SUITE_P(
    SourceRanges, BadRanges,
    testing::Values(
        BadRangesRow{"NoPickle", "", "pickle"}, BadRangesRow{"OldFormat", "\x80\x02"s + tuple("") + ".", "since 1.9"},
        BadRangesRow{"NoLists", "\x80\x02"s + tuple(text("FORMAT_WITH_STRING_TABLE") + "NN") + ".",
                     "expected a list of strings"},
        BadRangesRow{"NoRecord", pickle(strings, "N"), "(source range 0)"},
        BadRangesRow{"UnknownString", pickle(strings, record(0, source({9}, 4, 1), 0, 1)), "beyond the table"},
        BadRangesRow{"UnknownFile", pickle(strings, record(0, source({1}, 99, 1), 0, 1)), "(source range 0)"},
        BadRangesRow{"NegativeOffset", pickle(strings, record(-1, source({1}, 4, 1), 0, 1)), "(source range 0)"}),
    [](const auto &row) { return row.param.name; });

TEST(SourceRanges, AreNotMadeOfOneStringNamedManyTimes)
{
    std::string ids;
    for (int i = 0; i < 100; ++i)
        ids += integer(0);
    const std::string large = text(std::string(1 << 20, 'x')) + text("a.py");
    const std::string bomb =
        tuple("ctorch.jit._pickle\nbuild_intlist\n" + list(ids) + "\x85R" + integer(1) + integer(1));
    const auto ranges = read(pickle(large, record(0, bomb, 0, 1)));
    ASSERT_FALSE(ranges);
    EXPECT_NE(ranges.error().message.find("longer than"), std::string::npos);
}

} // namespace
} // namespace cutaway::formats::torchscript
