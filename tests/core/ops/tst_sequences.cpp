// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/sequences.h"

#include "core/ops/compute/value.h"
#include "tests/core/ops/shape_text.h"

#include <gtest/gtest.h>
#include <limits>

namespace cutaway::test {
namespace {

using ops::Fact;

/// "[1, s0, ?]" as a list of ints.
Fact listOf(std::string_view sizes)
{
    std::vector<Fact> items;
    for (const ir::Dim &size : shapeOf(sizes))
        items.emplace_back(ops::intFact(size));
    return ops::listFact(std::move(items));
}

/// A list of so many ints.
Fact manyInts(std::string_view length) { return ops::manyOf(ops::intFact(), dimOf(length)); }

constexpr std::int64_t farAway = std::numeric_limits<std::int64_t>::max();

struct SequenceRow {
    std::string name;
    Fact fact;
    std::string text;
};

class Sequences : public ::testing::TestWithParam<SequenceRow> { };

TEST_P(Sequences, areAsPythonMakesThem) { EXPECT_EQ(ops::print(GetParam().fact), GetParam().text); }

INSTANTIATE_TEST_SUITE_P(
    Items, Sequences,
    ::testing::Values(SequenceRow{"theFirst", ops::itemOf(listOf("[4, s0]"), std::int64_t{0}), "4"},
                      SequenceRow{"theLast", ops::itemOf(listOf("[4, s0]"), std::int64_t{-1}), "s0"},
                      SequenceRow{"outside", ops::itemOf(listOf("[4, s0]"), std::int64_t{2}), "unknown"},
                      SequenceRow{"anyOfEqualOnes", ops::itemOf(listOf("[4, 4]"), std::nullopt), "4"},
                      SequenceRow{"anyOfDifferentOnes", ops::itemOf(listOf("[4, 5]"), std::nullopt), "int"},
                      SequenceRow{"ofMany", ops::itemOf(manyInts("s0"), std::int64_t{7}), "int"},
                      SequenceRow{"ofNoSequence", ops::itemOf(ops::intFact(), std::int64_t{0}), "unknown"}),
    [](const auto &row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Parts, Sequences,
    ::testing::Values(
        SequenceRow{"fromTheFront", ops::sliced(listOf("[1, 2, 3, 4]"), std::int64_t{0}, std::int64_t{2}, 1), "[1, 2]"},
        SequenceRow{"fromTheEnd", ops::sliced(listOf("[1, 2, 3, 4]"), std::int64_t{-2}, farAway, 1), "[3, 4]"},
        SequenceRow{"byTwo", ops::sliced(listOf("[1, 2, 3, 4]"), std::int64_t{0}, farAway, 2), "[1, 3]"},
        SequenceRow{"backwards", ops::sliced(listOf("[1, 2, 3]"), std::int64_t{-1}, std::int64_t{-99}, -1),
                    "[3, 2, 1]"},
        SequenceRow{"ofAnUnknownStep", ops::sliced(listOf("[1, 1]"), std::int64_t{0}, std::int64_t{1}, std::nullopt),
                    "List[1]"},
        SequenceRow{"ofMany", ops::sliced(manyInts("s0"), std::int64_t{0}, farAway, 1), "list of s0 × int"}),
    [](const auto &row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Sums, Sequences,
    ::testing::Values(
        SequenceRow{"ofTwo", ops::concatenated(listOf("[1]"), listOf("[s0, 3]")), "[1, s0, 3]"},
        SequenceRow{"withMany", ops::concatenated(listOf("[1, 2]"), manyInts("s0")), "list of s0 + 2 × int"},
        SequenceRow{"withNoSequence", ops::concatenated(listOf("[1]"), ops::intFact()), "unknown"},
        SequenceRow{"twice", ops::repeated(listOf("[1, 2]"), std::int64_t{2}), "[1, 2, 1, 2]"},
        SequenceRow{"lessThanNever", ops::repeated(listOf("[1, 2]"), std::int64_t{-3}), "[]"},
        SequenceRow{"asOftenAsASymbol", ops::repeated(listOf("[1, 1]"), dimOf("s0")), "list of 2*max(0, s0) × 1"},
        SequenceRow{"tooOften", ops::repeated(listOf("[7]"), std::int64_t{1'000'000}), "list of 1000000 × 7"}),
    [](const auto &row) { return row.param.name; });

class Joined : public ::testing::TestWithParam<SequenceRow> { };

TEST_P(Joined, saysWhatHoldsForEither) { EXPECT_EQ(ops::print(GetParam().fact), GetParam().text); }

Fact dictOf(std::string_view key, std::int64_t value)
{
    return ops::dictFact({ops::TextFact{std::string(key)}, ops::intFact(value)});
}

INSTANTIATE_TEST_SUITE_P(
    Containers, Joined,
    ::testing::Values(
        SequenceRow{"listsOfOneLength", ops::join(listOf("[1, 2]"), listOf("[1, 3]")), "[1, int]"},
        SequenceRow{"listsOfTwoLengths", ops::join(listOf("[1]"), listOf("[1, 1]")), "List[1]"},
        SequenceRow{"theEmptyListAndAnother", ops::join(ops::listFact({}), listOf("[7]")), "List[7]"},
        SequenceRow{"aListAndManyOfItsLength", ops::join(listOf("[1, 2]"), manyInts("2")), "list of 2 × int"},
        SequenceRow{"tuplesOfTwoLengths", ops::join(ops::tupleFact({}), ops::tupleFact({Fact()})), "unknown"},
        SequenceRow{"dictsWithOneKey", ops::join(dictOf("a", 1), dictOf("a", 2)), "{\"a\": int}"},
        SequenceRow{"dictsWithTwoKeys", ops::join(dictOf("a", 1), dictOf("b", 1)), "dict of 1"},
        SequenceRow{"theEmptyDictAndAnother", ops::join(ops::dictFact({}), dictOf("a", 1)), "dict of 1"},
        SequenceRow{"aDictAndAny", ops::join(dictOf("a", 1), ops::dictOfAny(ops::intFact())), "dict of int"},
        SequenceRow{"aModuleAndText", ops::join(ir::ModuleId{0}, ops::TextFact{"a"}), "unknown"}),
    [](const auto &row) { return row.param.name; });

TEST(JoinedModules, areSomeObjectUnlessTheyAreOne)
{
    EXPECT_EQ(ops::join(ir::ModuleId{1}, ir::ModuleId{1}), Fact(ir::ModuleId{1}));
    EXPECT_EQ(ops::join(ir::ModuleId{0}, ir::ModuleId{1}), Fact(ops::ObjectFact()));
}

TEST(SequenceValue, isThatOfItemsThatAreKnownOneByOne)
{
    const Fact five = ops::scalarTensor(ir::DType::Int64, std::int64_t{5});
    EXPECT_TRUE(compute::valueOf(ops::listFact({five})));
    EXPECT_FALSE(compute::valueOf(ops::manyOf(five)));
}

TEST(SequencesTooLargeToFollow, areUnknown)
{
    Fact doubled = listOf("[1]");
    for (int i = 0; i < 40; ++i)
        doubled = ops::followable(ops::listFact({doubled, doubled}));
    EXPECT_LT(ops::print(doubled).size(), 1'000'000u);
    EXPECT_EQ(ops::followable(listOf("[1, 2]")), listOf("[1, 2]"));
}

TEST(SequenceLength, isOfItemsOrTold)
{
    EXPECT_EQ(ir::print(ops::lengthOf(listOf("[1, 2]"))), "2");
    EXPECT_EQ(ir::print(ops::lengthOf(manyInts("2*s0"))), "2*s0");
    EXPECT_EQ(ir::print(ops::lengthOf(ops::intFact())), "?");
}

} // namespace
} // namespace cutaway::test
