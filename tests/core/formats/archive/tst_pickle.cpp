// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/pickle.h"

#include <gtest/gtest.h>

namespace cutaway::formats::archive {
namespace {

using namespace std::string_literals;

Result<Pickle> read(const std::string &text) { return Pickle::read(std::as_bytes(std::span(text))); }
Result<Pickle> read(std::string &&) = delete; // a pickle refers to its bytes

/// A pickled value as text, shared and nested ones to a depth.
std::string show(const Pickle &pickle, Pickle::ValueId id, int depth = 0);

std::string showAll(const Pickle &pickle, std::span<const Pickle::ValueId> ids, int depth)
{
    std::string text;
    for (const auto id : ids)
        text += (text.empty() ? "" : " ") + show(pickle, id, depth);
    return text;
}

std::string showEntries(const Pickle &pickle, std::span<const std::pair<Pickle::ValueId, Pickle::ValueId>> entries,
                        int depth)
{
    std::string text;
    for (const auto &[key, value] : entries)
        text += (text.empty() ? "" : " ") + show(pickle, key, depth) + ":" + show(pickle, value, depth);
    return "{" + text + "}";
}

struct Show {
    const Pickle &pickle;
    int depth;

    std::string operator()(Pickle::None) const { return "None"; }
    std::string operator()(bool b) const { return b ? "True" : "False"; }
    std::string operator()(std::int64_t n) const { return std::to_string(n); }
    std::string operator()(double x) const { return std::to_string(x); }
    std::string operator()(Pickle::Text t) const { return "'" + std::string(t.text) + "'"; }
    std::string operator()(Pickle::Bytes b) const { return "b'" + std::string(b.bytes) + "'"; }
    std::string operator()(Pickle::BigInteger n) const { return "big" + std::to_string(n.littleEndian.size()); }
    std::string operator()(const Pickle::Items &list) const
    {
        const std::string items = showAll(pickle, list.items, depth);
        return list.kind == Pickle::Items::Kind::List ? "[" + items + "]"
            : list.kind == Pickle::Items::Kind::Tuple ? "(" + items + ")"
                                                      : "set(" + items + ")";
    }
    std::string operator()(const Pickle::Dict &dict) const { return showEntries(pickle, dict.entries, depth); }
    std::string operator()(const Pickle::Global &g) const { return std::string(g.module) + "." + std::string(g.name); }
    std::string operator()(const Pickle::Call &call) const
    {
        std::string text = "call " + show(pickle, call.callee, depth) + show(pickle, call.arguments, depth);
        if (!call.entries.empty())
            text += showEntries(pickle, call.entries, depth);
        if (!call.items.empty())
            text += "[" + showAll(pickle, call.items, depth) + "]";
        if (call.state)
            text += " state " + show(pickle, *call.state, depth);
        return text;
    }
    std::string operator()(Pickle::Persistent p) const { return "outside " + show(pickle, p.id, depth); }
};

std::string show(const Pickle &pickle, Pickle::ValueId id, int depth)
{
    return depth > 6 ? "…" : std::visit(Show{pickle, depth + 1}, pickle.at(id));
}

struct Row {
    std::string name;
    std::string bytes;
    std::string shown;
};

class GoodPickles : public testing::TestWithParam<Row> { };

TEST_P(GoodPickles, becomeInertValues)
{
    const auto pickle = read(GetParam().bytes);
    ASSERT_TRUE(pickle) << pickle.error().text();
    EXPECT_EQ(show(*pickle, pickle->root()), GetParam().shown);
    EXPECT_EQ(pickle->length(), GetParam().bytes.size());
}

INSTANTIATE_TEST_SUITE_P(
    , GoodPickles,
    testing::Values(Row{"none", "\x80\x02N.", "None"},
                    Row{"integers", "\x80\x02(K\x05M\x01\x02J\xff\xff\xff\xfft."s, "(5 513 -1)"},
                    Row{"longIntegers",
                        "\x80\x02\x8a\x02\x00\x80\x8a\x00\x8a\x09\x01\x02\x03\x04\x05\x06\x07\x08\x09\x87."s,
                        "(-32768 0 big9)"},
                    Row{"float", "\x80\x02G\x3f\xf8\x00\x00\x00\x00\x00\x00."s, "1.500000"},
                    Row{"texts",
                        "\x80\x04\x8c\x01"
                        "aX\x01\x00\x00\x00"
                        "bC\x01"
                        "c\x87."s,
                        "('a' 'b' b'c')"},
                    Row{"memo",
                        "\x80\x02X\x01\x00\x00\x00"
                        "aq\x00h\x00\x86."s,
                        "('a' 'a')"},
                    Row{"memoize",
                        "\x80\x04\x8c\x01"
                        "a\x94h\x00\x86."s,
                        "('a' 'a')"},
                    Row{"dict", "\x80\x02}(K\x01K\x02K\x03K\x04uK\x05K\x06s."s, "{1:2 3:4 5:6}"},
                    Row{"list",
                        "\x80\x02](K\x01K\x02"
                        "eK\x03"
                        "a."s,
                        "[1 2 3]"},
                    Row{"set", "\x80\x04\x8f(K\x01K\x02\x90."s, "set(1 2)"},
                    Row{"callIsNotMade",
                        "\x80\x02"
                        "cposix\nsystem\nX\x02\x00\x00\x00id\x85R."s,
                        "call posix.system('id')"},
                    Row{"stackGlobal",
                        "\x80\x04\x8c\x01m\x8c\x01"
                        "C\x93)\x81."s,
                        "call m.C()"},
                    Row{"orderedDictWithState",
                        "\x80\x02"
                        "ccollections\nOrderedDict\n)RK\x01K\x02s}b."s,
                        "call collections.OrderedDict(){1:2} state {}"},
                    Row{"persistent", "\x80\x02K\x07Q."s, "outside 7"},
                    Row{"frame", "\x80\x04\x95\x02\x00\x00\x00\x00\x00\x00\x00N."s, "None"},
                    Row{"enumWithBareArgument",
                        "\x80\x02"
                        "c__torch__\nColor\nK\x01R."s,
                        "call __torch__.Color1"},
                    Row{"listThatHoldsItself",
                        "\x80\x02]q\x00h\x00"
                        "a."s,
                        "[[[[[[[…]]]]]]]"}),
    [](const auto &row) { return row.param.name; });

class BadPickles : public testing::TestWithParam<Row> { };

TEST_P(BadPickles, failWithTheReasonAndThePlace)
{
    const auto pickle = read(GetParam().bytes);
    ASSERT_FALSE(pickle);
    EXPECT_NE(pickle.error().text().find(GetParam().shown), std::string::npos) << pickle.error().text();
    EXPECT_NE(pickle.error().where.find("byte"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    , BadPickles,
    testing::Values(Row{"empty", "", "ends early"}, Row{"noStop", "\x80\x02N", "ends early"},
                    Row{"oldProtocol", "\x80\x01N."s, "protocol 1"}, Row{"textOpcode", "I1\n.", "opcode 0x49"},
                    Row{"emptyStack", "\x80\x02R."s, "empty stack"},
                    Row{"nothingToReturn", "\x80\x02."s, "empty stack"},
                    Row{"belowTheMark", "\x80\x02N(\x85."s, "empty stack"}, Row{"noMark", "\x80\x02t."s, "mark"},
                    Row{"memoNeverWritten", "\x80\x02j\xff\xff\xff\xff."s, "memo entry 4294967295"},
                    Row{"textBeyondTheEnd",
                        "\x80\x02X\xff\xff\xff\x7f"
                        "a."s,
                        "2147483647 bytes expected"},
                    Row{"negativeLong", "\x80\x02\x8b\xff\xff\xff\xff."s, "bytes expected"},
                    Row{"oddItems", "\x80\x02}(K\x01u."s, "a key without a value"},
                    Row{"itemsOfANumber", "\x80\x02K\x01K\x02K\x03s."s, "not a dict"},
                    Row{"appendToATuple",
                        "\x80\x02)K\x01"
                        "a."s,
                        "not a list"},
                    Row{"stateOfANumber", "\x80\x02K\x01}b."s, "not an object"},
                    Row{"unfinishedName",
                        "\x80\x02"
                        "cposix"s,
                        "inside a name"}),
    [](const auto &row) { return row.param.name; });

TEST(Pickle, deepNestingNeedsNoStack)
{
    std::string bytes = "\x80\x02" + std::string(100'000, ']') + std::string(99'999, 'a') + ".";
    const auto pickle = read(bytes);
    ASSERT_TRUE(pickle) << pickle.error().text();
    EXPECT_EQ(pickle->size(), 100'000u);
}

TEST(Pickle, sharedListsAreStoredOnce)
{
    std::string bytes = "\x80\x02]q\x00"s;
    for (char k = 1; k < 60; ++k)
        bytes += "]q"s + k + "h" + static_cast<char>(k - 1) + "ah" + static_cast<char>(k - 1) + "a";
    bytes += ".";
    const auto pickle = read(bytes);
    ASSERT_TRUE(pickle) << pickle.error().text();
    EXPECT_EQ(pickle->size(), 60u);
}

TEST(Pickle, lookupsAnswerOnlyTheirKind)
{
    const std::string bytes = "\x80\x02}(X\x01\x00\x00\x00kK\x01X\x01\x00\x00\x00kctorch\nSize\n(K\x02K\x03t\x85Ru."s;
    const auto pickle = read(bytes);
    ASSERT_TRUE(pickle) << pickle.error().text();
    const auto value = pickle->entry(pickle->root(), "k");
    ASSERT_TRUE(value);
    EXPECT_EQ(pickle->integers(*value, 2), (std::vector<std::int64_t>{2, 3})) << "the last of equal keys wins";
    EXPECT_FALSE(pickle->entry(pickle->root(), "other"));
    EXPECT_FALSE(pickle->text(*value));
    EXPECT_FALSE(pickle->integer(*value));
    EXPECT_FALSE(pickle->items(pickle->root()));
}

} // namespace
} // namespace cutaway::formats::archive
