// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/symbolic/function.h"

#include <gtest/gtest.h>

namespace cutaway::symbolic {
namespace {

TEST(Function, IsReadByTheNameThatItIsPrintedWith)
{
    for (auto kind = Kind::Add; kind < Kind::Call; kind = static_cast<Kind>(static_cast<int>(kind) + 1)) {
        const std::string_view name = functionName(kind);
        EXPECT_TRUE(name.empty() || kindOfFunction(name) == kind) << name;
    }
    EXPECT_EQ(functionName(Kind::CeilDivide), "ceildiv");
    EXPECT_EQ(functionName(Kind::Add), "");
}

TEST(Function, HasAsManyOperandsAsItTakes)
{
    const auto takes = [](Kind kind, std::size_t count) { return arityOf(kind).holds(count); };
    EXPECT_TRUE(takes(Kind::Symbol, 0) && !takes(Kind::Symbol, 1));
    EXPECT_TRUE(takes(Kind::Round, 1) && !takes(Kind::Round, 2));
    EXPECT_TRUE(takes(Kind::Not, 1) && takes(Kind::ToFloat, 1) && takes(Kind::Absolute, 1));
    EXPECT_TRUE(takes(Kind::Add, 5) && takes(Kind::Maximum, 1) && takes(Kind::Or, 3) && !takes(Kind::Or, 0));
    EXPECT_TRUE(takes(Kind::Modulo, 2) && takes(Kind::Less, 2) && !takes(Kind::Less, 3));
    EXPECT_TRUE(takes(Kind::Call, 0) && takes(Kind::Call, 9));
}

TEST(Function, IsNoIdentifierIfItIsAWordOfTheLanguage)
{
    EXPECT_TRUE(isIdentifier("s0") && isIdentifier("_batch"));
    EXPECT_FALSE(isIdentifier("") || isIdentifier("0s") || isIdentifier("a b") || isIdentifier("and"));
}

} // namespace
} // namespace cutaway::symbolic
