// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Distance : public testing::TestWithParam<RuleRow> { };

TEST_P(Distance, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Distance,
    testing::Values(RuleRow{"Cdist", "(%x: float32[2, 3, 4], %y: float32[5, 4]) { %r = aten::cdist(%x, %y) return %r }",
                            "float32[2, 3, 5]", "0/360"},
                    RuleRow{"Pdist", "(%x: float32[5, 4]) { %r = aten::pdist(%x) return %r }", "float32[10]"},
                    RuleRow{"PairwiseDistance",
                            "(%x: float32[5, 4], %y: float32[4]) { %r = aten::pairwise_distance(%x, %y, keepdim=true) "
                            "return %r }",
                            "float32[5, 1]"},
                    RuleRow{"CosineSimilarity",
                            "(%x: float32[5, 4, 2], %y: float32[5, 1, 2]) { %r = aten::cosine_similarity(%x, %y) "
                            "return %r }",
                            "float32[5, 2]"},
                    RuleRow{"CosineSimilarityOfVectors",
                            "(%x: float32[5], %y: float32[5]) { %r = aten::cosine_similarity(%x, %y) "
                            "return %r }",
                            "![5] has no dimension 1 unknown"},
                    RuleRow{"CosineSimilarityOfNumbersIsOfTheWiderType",
                            "(%x: float16[2, 3], %y: float32[]) { %r = aten::cosine_similarity(%x, %y, 1) return %r }",
                            "float32[2]"},
                    RuleRow{"PairwiseDistanceOfNumbers",
                            "(%x: float32[], %y: float32[]) { %r = aten::pairwise_distance(%x, %y) return %r }",
                            "float32[]"},
                    RuleRow{"DistanceOfComplexNumbers",
                            "(%x: complex64[5, 3], %y: complex64[3]) { %r = aten::pairwise_distance(%x, %y) "
                            "return %r }",
                            "float32[5]"},
                    RuleRow{"CdistOfOtherSpaces",
                            "(%x: float32[3, 4], %y: float32[5, 3]) { %r = aten::cdist(%x, %y) return %r }",
                            "![3, 4] and [5, 3] are no points of one space unknown"},
                    RuleRow{"PdistOfSymbols", "(%x: float32[s0, 4]) { %r = aten::pdist(%x) return %r }",
                            "float32[(s0*(s0 - 1))//2]"}),
    rowName);

} // namespace

} // namespace cutaway::test
