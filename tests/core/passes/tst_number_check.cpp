// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Results computed after each step.
#include "core/passes/proof/number_check.h"
#include "tests/core/passes/pass_test.h"

#include <cmath>
#include <limits>

namespace cutaway::test {
namespace {

using passes::NumberCheck;

const std::string net = "(%x: float32[2, 3]) { %d = aten::dropout(input=%x, p=0.5, train=false) "
                        "%r = aten::relu(self=%d) %e = aten::exp(self=%r) return %e }";

passes::History ran(const std::string &graph, const std::string &pipeline)
{
    passes::History history(parsedModel(graph), ir::FunctionId{0});
    auto check = NumberCheck::of(*history.modelAfter(0), ir::FunctionId{0});
    EXPECT_TRUE(check) << (check ? "" : check.error().text());
    if (check)
        history.checkNumbers(std::make_shared<const NumberCheck>(std::move(*check)));
    history.run(*passes::parsePipeline(pipeline));
    return history;
}

TEST(NumberCheck, isZeroWhereNumbersAreKept)
{
    const auto history = ran(net, "remove-identities,dead-code");
    ASSERT_EQ(history.steps().size(), 2u);
    EXPECT_TRUE(history.steps()[0].isChange);
    EXPECT_EQ(history.steps()[0].largestError, Result<double>(0.0));
    EXPECT_EQ(history.steps()[1].largestError, Result<double>(0.0));
}

TEST(NumberCheck, tellsHowFarTheResultsAre)
{
    const auto history = ran(net, "replace-operator{from=relu to=gelu}");
    const auto error = history.steps()[0].largestError;
    ASSERT_TRUE(error && *error);
    EXPECT_GT(**error, 0.01);
    EXPECT_LT(**error, 2);
}

TEST(NumberCheck, saysWhatItCannotCompute)
{
    const auto check =
        NumberCheck::of(*parsedModel("(%x: float32[2]) { %r = aten::no_such_thing(self=%x) return %r }"), {});
    ASSERT_FALSE(check);
    EXPECT_EQ(check.error().kind, ErrorKind::Backend);
    EXPECT_NE(check.error().text().find("no_such_thing"), std::string::npos) << check.error().text();
}

TEST(NumberCheck, failsAStepThatCanNoLongerBeComputed)
{
    // erf has a rule, special_bessel_j0 has none.
    const auto history = ran("(%x: float32[2, 3]) { %r = aten::erf(self=%x) return %r }",
                             "dead-code,replace-operator{from=erf to=special_bessel_j0},dead-code");
    ASSERT_EQ(history.steps().size(), 3u);
    EXPECT_TRUE(history.steps()[0].isVerified());
    EXPECT_EQ(history.firstUnverified(), 1u);
    const auto &error = history.steps()[1].largestError;
    ASSERT_TRUE(error && !*error);
    EXPECT_TRUE(error->error().text().starts_with("the results can no longer be computed: ")) << error->error().text();
    EXPECT_FALSE(history.steps()[2].isVerified());
}

TEST(NumberCheck, failsAStepWithResultsOfAnotherShape)
{
    const auto history =
        ran("(%x: float32[2, 3]) { %a = aten::relu(self=%x) %r = aten::neg(self=%a) return %r }", "dead-code");
    const NumberCheck other(
        [](const ir::Model &, const Task &) -> Result<double> { return std::numeric_limits<double>::infinity(); });
    passes::Step step = history.steps()[0];
    EXPECT_TRUE(step.isVerified());
    step.largestError = other.largestError(*step.model);
    EXPECT_FALSE(step.isVerified());
}

TEST(NumberCheck, thatCannotLookSaysSo)
{
    const auto model = parsedModel("(%x: float32[2]) { %r = aten::relu(self=%x) return %r }");
    const NumberCheck check = NumberCheck::unable({ErrorKind::Backend, "no rule", {}});
    const auto error = check.largestError(*model);
    ASSERT_FALSE(error);
    EXPECT_EQ(error.error().text(), "not checked: the results of the model as read are not known: no rule");
    EXPECT_EQ(check.isWithin(1, *model), Result<bool>(false));
}

TEST(NumberCheck, needsSizes)
{
    const auto check = NumberCheck::of(*parsedModel("(%x: float32[?]) { %r = aten::relu(self=%x) return %r }"), {});
    ASSERT_FALSE(check);
    EXPECT_EQ(check.error().kind, ErrorKind::Usage);
    EXPECT_EQ(check.error().where, "x");
}

TEST(NumberCheck, givesElementsToWeightsThatHaveNone)
{
    const ir::Model model = parsed("tensor @w: float32[2]\n"
                                   "graph @f(%x: float32[2], parameter weight %w: float32[2] = @w target \"w\") {\n"
                                   "  %r = aten::mul.Tensor(self=%x, other=%w)\n  return %r\n}\n");
    const auto check = NumberCheck::of(model, {});
    ASSERT_TRUE(check) << check.error().text();
    EXPECT_EQ(check->largestError(model), Result<double>(0));
}

TEST(NumberCheck, canBeStopped)
{
    std::stop_source stop;
    stop.request_stop();
    const auto check = NumberCheck::of(*parsedModel("(%x: float32[2]) { %r = aten::relu(self=%x) return %r }"), {}, {},
                                       {stop.get_token(), {}});
    ASSERT_FALSE(check);
    EXPECT_EQ(check.error().kind, ErrorKind::Cancelled);
}

TEST(NumberCheck, alwaysTakesTheSameInputs)
{
    const auto model = parsedModel("(%x: float32[2, 3]) { %r = aten::relu(self=%x) return %r }");
    const auto other = parsedModel("(%x: float32[2, 3]) { %r = aten::gelu(self=%x) return %r }");
    const auto first = NumberCheck::of(*model, {}), second = NumberCheck::of(*model, {});
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->largestError(*other), second->largestError(*other));
}

} // namespace
} // namespace cutaway::test
