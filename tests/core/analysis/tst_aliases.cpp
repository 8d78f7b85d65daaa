// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/aliases.h"

#include <gtest/gtest.h>
#include <map>

namespace cutaway::analysis {
namespace {

using ops::Fact;

/// Values 0, 1, ... that keep what is written to them, and whether it was certain.
class WrittenValues : public Values {
public:
    explicit WrittenValues(std::vector<Fact> facts) : m_facts(std::move(facts)) { }

    const Fact &of(ir::ValueId value) const override { return m_facts[value.index]; }
    Fact of(const ir::Operand &operand) const override { return of(*operand.as<ir::ValueId>()); }
    void write(ir::ValueId value, Fact fact, Reached reached) override
    {
        m_facts[value.index] = std::move(fact);
        lastReached = reached;
    }
    void write(const AttributePath &attribute, const Fact &fact, Reached) override
    {
        attributes[attribute.path] = ops::print(fact);
    }

    std::map<std::string, std::string> attributes;
    Reached lastReached = Reached::Never;

private:
    std::vector<Fact> m_facts;
};

constexpr ir::ValueId list{0}, holder{1}, outermost{2};
const Fact two = ops::listFact({ops::intFact(std::int64_t{1}), ops::intFact(std::int64_t{2})});
const Fact empty = ops::listFact({});
const Fact index = ops::intFact(std::int64_t{0});

TEST(Aliases, writeToWhoeverHoldsTheContainer)
{
    WrittenValues values({two, ops::listFact({empty}), ops::dictFact({ops::TextFact{"a"}, ops::listFact({empty})})});
    Aliases aliases;
    aliases.add(list, Aliases::ItemOf{holder, index});
    aliases.add(list, AttributePath{holder, "items"});
    aliases.add(holder, Aliases::ItemOf{outermost, ops::TextFact{"a"}});
    aliases.writeThrough(list, Reached::Certainly, values);
    EXPECT_EQ(ops::print(values.of(holder)), "[[1, 2]]");
    EXPECT_EQ(*values.of(outermost).as<ops::DictFact>()->entries()->at(1).as<ops::SequenceFact>(),
              *values.of(holder).as<ops::SequenceFact>());
    EXPECT_EQ(values.attributes.at("items"), "[1, 2]");
    EXPECT_EQ(values.lastReached, Reached::Certainly);
}

TEST(Aliases, ofSeveralValuesAreEachOnlyPossible)
{
    WrittenValues values({two, empty, empty});
    Aliases aliases;
    aliases.add(list, Aliases::SameAs{holder});
    aliases.add(list, Aliases::SameAs{outermost});
    aliases.writeThrough(list, Reached::Certainly, values);
    EXPECT_EQ(values.lastReached, Reached::Possibly);
}

TEST(Aliases, endWhereAValueIsFoundAnew)
{
    WrittenValues values({two, empty});
    Aliases aliases;
    aliases.add(list, Aliases::SameAs{holder});
    aliases.forget(list);
    aliases.writeThrough(list, Reached::Certainly, values);
    EXPECT_EQ(ops::print(values.of(holder)), ops::print(empty));
}

TEST(Aliases, endIfTheyAreACircle)
{
    WrittenValues values({two, two});
    Aliases aliases;
    aliases.add(list, Aliases::SameAs{holder});
    aliases.add(holder, Aliases::SameAs{list});
    aliases.writeThrough(list, Reached::Certainly, values);
    EXPECT_EQ(ops::print(values.of(holder)), ops::print(two));
}

TEST(Aliases, areOfContainersOnly)
{
    const WrittenValues values({ops::tensorFact(ir::DType::Float32), two});
    EXPECT_FALSE(isContainer(values.of(list)));
    EXPECT_TRUE(isContainer(values.of(holder)));
    EXPECT_FALSE(isContainer(ops::tupleFact({two})));
}

} // namespace
} // namespace cutaway::analysis
