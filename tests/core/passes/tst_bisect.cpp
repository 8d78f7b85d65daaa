// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/proof/bisect.h"

#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

/// Six states, in the last three of which the relu is a gelu.
passes::History steps()
{
    passes::History history(parsedModel("(%x: float32[2, 3]) { %d = aten::dropout(input=%x, p=0.5, train=false) "
                                        "%r = aten::relu(self=%d) %e = aten::exp(self=%r) return %e }"),
                            ir::FunctionId{0});
    history.run(
        *passes::parsePipeline("remove-identities,dead-code,replace-operator{from=relu to=gelu},dead-code,dead-code"));
    return history;
}

using BadStep = Result<std::optional<std::size_t>>;

TEST(FirstBadStep, isFoundByHalving)
{
    int asked = 0;
    const auto isGood = [&](const ir::Model &state) -> Result<bool> {
        ++asked;
        return !printed(state).contains("gelu");
    };
    EXPECT_EQ(passes::firstBadStep(steps(), isGood), BadStep(3));
    EXPECT_LE(asked, 4);
}

TEST(FirstBadStep, isNoneIfTheLastIsGood)
{
    const auto isGood = [](const ir::Model &) -> Result<bool> { return true; };
    EXPECT_EQ(passes::firstBadStep(steps(), isGood), BadStep(std::nullopt));
}

TEST(FirstBadStep, isTheFirstWhereAllAreBad)
{
    const auto isGood = [](const ir::Model &) -> Result<bool> { return false; };
    EXPECT_EQ(passes::firstBadStep(steps(), isGood), BadStep(1));
}

TEST(FirstBadStep, isNotToldWhereAStateCannotBeJudged)
{
    const Error error{ErrorKind::Backend, "it cannot run", {}};
    const auto isGood = [&](const ir::Model &) -> Result<bool> { return std::unexpected(error); };
    EXPECT_EQ(passes::firstBadStep(steps(), isGood).error().text(), "it cannot run");
}

} // namespace
} // namespace cutaway::test
