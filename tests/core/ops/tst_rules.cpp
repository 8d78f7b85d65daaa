// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The shape and cost rules of operators: tests/data/ops/SOURCE.graph has those of core/ops/*/SOURCE.cpp.
#include "tests/core/graph_cases.h"
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

/// "float32[2, s0]; int64[2]": the facts of what is returned, with "!" and a reason in front where a rule stopped.
/// Where the case asks for it, " | cost 120/0" follows: the FLOPs of products and of all else, of all nodes together.
std::string ruleResult(const GraphCase &given)
{
    const ir::Model model = parsed(given.graphs.front());
    const bool hasCost = given.expected.contains(" | cost ");
    return inferred(model) + (hasCost ? " | cost " + costOf(model) : "");
}

const bool ruleCases = forEachCase("Rule", "ops", ruleResult);

} // namespace
} // namespace cutaway::test
