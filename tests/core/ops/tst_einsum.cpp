// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ops/network/einsum.h"
#include "tests/core/ops/shape_text.h"

#include <gtest/gtest.h>

using namespace cutaway;

namespace {

struct EinsumRow {
    const char *name;
    const char *equation;
    std::vector<const char *> shapes;
    const char *result; ///< the shape, or a part of the error
    const char *flops = "";
    std::vector<std::int64_t> path = {};
};

class EinsumOf : public testing::TestWithParam<EinsumRow> {
protected:
    void SetUp() override
    {
        for (const char *text : GetParam().shapes)
            m_shapes.push_back(shapeOf(text));
        for (const ir::Shape &shape : m_shapes)
            m_pointers.push_back(&shape);
    }
    std::vector<ir::Shape> m_shapes;
    std::vector<const ir::Shape *> m_pointers;
};

class EinsumResult : public EinsumOf { };
class EinsumError : public EinsumOf { };

TEST_P(EinsumResult, hasTheShapeAndTheProducts)
{
    const auto einsum = ops::readEinsum(GetParam().equation, m_pointers);
    ASSERT_TRUE(einsum) << einsum.error().text();
    EXPECT_EQ(ir::print(einsum->resultShape()), GetParam().result);
    EXPECT_EQ(ir::print(ops::einsumWork(*einsum, m_pointers, GetParam().path).flops), GetParam().flops);
}

TEST_P(EinsumError, saysWhatDoesNotFit)
{
    const auto einsum = ops::readEinsum(GetParam().equation, m_pointers);
    ASSERT_FALSE(einsum);
    EXPECT_TRUE(einsum.error().message.contains(GetParam().result)) << einsum.error().message;
}

const EinsumRow results[] = {
    {"BatchedProduct", "bij,bjk->bik", {"[2, 3, 4]", "[2, 4, 5]"}, "[2, 3, 5]", "240"},
    {"Implicit", "ij,jk", {"[3, 4]", "[4, 5]"}, "[3, 5]", "120"},
    {"ImplicitIsAlphabetical", "ba", {"[2, 3]"}, "[3, 2]", "0"},
    {"CapitalsComeFirst", "aB", {"[2, 3]"}, "[3, 2]", "0"},
    {"Transpose", "ij->ji", {"[2, 3]"}, "[3, 2]", "0"},
    {"Trace", "ii->", {"[3, 3]"}, "[]", "0"},
    {"Diagonal", "ii->i", {"[3, 3]"}, "[3]", "0"},
    {"Dot", "i,i->", {"[4]", "[4]"}, "[]", "8"},
    {"OuterIsNoProduct", "i,j->ij", {"[4]", "[5]"}, "[4, 5]", "0"},
    {"HadamardIsNoProduct", "ij,ij->ij", {"[4, 5]", "[4, 5]"}, "[4, 5]", "0"},
    {"Blanks", " b i j , b j k -> b i k ", {"[2, 3, 4]", "[2, 4, 5]"}, "[2, 3, 5]", "240"},
    {"Ellipsis", "...ij,...jk->...ik", {"[7, 2, 3, 4]", "[2, 4, 5]"}, "[7, 2, 3, 5]", "1680"},
    {"ImplicitEllipsis", "...ij,jk", {"[2, 3, 4]", "[4, 5]"}, "[2, 3, 5]", "240"},
    {"EmptyEllipsis", "...ij,jk->...ik", {"[3, 4]", "[4, 5]"}, "[3, 5]", "120"},
    {"SummedEllipsis", "...i->i", {"[2, 3, 4]"}, "[4]", "0"},
    {"OneBroadcasts", "ij,ij->ij", {"[1, 5]", "[4, 5]"}, "[4, 5]", "0"},
    {"SummedBeforeTheProduct", "ija,jk->ik", {"[3, 4, 9]", "[4, 5]"}, "[3, 5]", "120"},
    {"LeftToRight", "ij,jk,kl->il", {"[2, 3]", "[3, 4]", "[4, 5]"}, "[2, 5]", "128"},
    {"ByThePath", "ij,jk,kl->il", {"[2, 3]", "[3, 4]", "[4, 5]"}, "[2, 5]", "180", {1, 2, 0, 1}},
    {"ThreeShareALetter", "ai,bi,ci->abc", {"[2, 7]", "[3, 7]", "[4, 7]"}, "[2, 3, 4]", "336"},
    {"Symbols", "bij,bjk->bik", {"[s0, s1, 4]", "[s0, 4, s1]"}, "[s0, s1, s1]", "8*s0*s1**2"},
    {"UnknownSize", "ij,jk->ik", {"[?, 4]", "[4, 5]"}, "[?, 5]", "?"},
    {"NoDimensions", ",->", {"[]", "[]"}, "[]", "0"},
};

const EinsumRow errors[] = {
    {"WrongRank", "ij->ji", {"[2, 3, 4]"}, "names 2 dimensions of an operand that has 3"},
    {"EllipsisOfTooFew", "...ij->ij", {"[2]"}, "names 2 dimensions of an operand that has 1"},
    {"WrongNumberOfOperands", "ij,jk->ik", {"[2, 3]"}, "is for 2 operands, not 1"},
    {"Sizes", "ij,jk->ik", {"[2, 3]", "[4, 5]"}, "sizes 3 and 4 one letter"},
    {"DiagonalOfNoSquare", "ii->i", {"[2, 3]"}, "sizes 2 and 3 one letter"},
    {"LetterOfNobody", "ij->ik", {"[2, 3]"}, "has a letter that no operand has"},
    {"LetterTwice", "ij->ii", {"[2, 3]"}, "has a letter twice"},
    {"NoLetter", "i1->i", {"[2, 3]"}, "'1'"},
    {"LonelyDot", "i.->i", {"[2, 3]"}, "'.'"},
    {"TwoEllipses", "...i...->i", {"[2, 3]"}, "two ellipses"},
    {"Empty", "", {"[2]"}, "names 0 dimensions"},
};

INSTANTIATE_TEST_SUITE_P(Equations, EinsumResult, testing::ValuesIn(results),
                         [](const auto &row) { return std::string(row.param.name); });
INSTANTIATE_TEST_SUITE_P(Equations, EinsumError, testing::ValuesIn(errors),
                         [](const auto &row) { return std::string(row.param.name); });

TEST(EinsumSublist, isLetters)
{
    EXPECT_EQ(ops::einsumLetters(shapeOf("[0, 1, 26, 51]")), "ABaz");
    EXPECT_EQ(ops::einsumLetters(shapeOf("[52]")), "");
    EXPECT_EQ(ops::einsumLetters(shapeOf("[-1]")), "");
}

} // namespace
