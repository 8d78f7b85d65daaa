// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/operand_hash.h"

#include "tests/core/ir/parsed.h"

namespace cutaway::test {
namespace {

struct OperandPair {
    std::string name;
    std::string a, b; ///< as arguments are written
    bool areEqual;
};

class OperandHash : public ::testing::TestWithParam<OperandPair> { };

TEST_P(OperandHash, isTheSameOfWhatIsEqual)
{
    const OperandPair &row = GetParam();
    const ir::Model model = modelOf("(%x, %y) { my::op(" + row.a + ", " + row.b + ") }");
    const ir::Graph &graph = model.functions.front().graph;
    const auto &arguments = graph.at(graph.at(ir::Graph::body).nodes.front()).arguments;
    EXPECT_EQ(passes::hashOf(arguments[0].value) == passes::hashOf(arguments[1].value), row.areEqual);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, OperandHash,
    ::testing::Values(
        OperandPair{"values", "%x", "%x", true}, OperandPair{"otherValues", "%x", "%y", false},
        OperandPair{"numbers", "2", "2", true}, OperandPair{"otherNumbers", "2", "3", false},
        OperandPair{"anIntAndAFloat", "2", "2.0", false}, OperandPair{"anIntAndABoolean", "1", "true", false},
        OperandPair{"zeroAndMinusZero", "0.0", "-0.0", false}, OperandPair{"noneAndAnEmptyList", "none", "[]", false},
        OperandPair{"texts", "\"a\"", "\"a\"", true}, OperandPair{"otherTexts", "\"a\"", "\"b\"", false},
        OperandPair{"lists", "[1, %x]", "[1, %x]", true}, OperandPair{"listsInAnotherOrder", "[1, 2]", "[2, 1]", false},
        OperandPair{"listsInAnotherShape", "[[1], 2]", "[1, [2]]", false},
        OperandPair{"aListAndATuple", "[1, 2]", "(1, 2)", false}, OperandPair{"dtypes", "float32", "float32", true},
        OperandPair{"formulas", "$(2*s0)", "$(s0*2)", true}),
    [](const auto &row) { return row.param.name; });

} // namespace
} // namespace cutaway::test
