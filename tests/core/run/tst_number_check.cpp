// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/text/text.h"
#include "core/run/number_check.h"

#include <cmath>
#include <gtest/gtest.h>

namespace cutaway::run {

namespace {

constexpr const char *first = R"(model "net"
graph @forward(%x: float32[2, 2]) {
  %y: float32[2, 2] = aten::relu(self=%x)
  return %y
}
)";

struct NumberCheckRow {
    const char *name;
    const char *body; ///< the body of the later state
    bool (*isRight)(double error);
};

class NumberCheckBy : public testing::TestWithParam<NumberCheckRow> { };

TEST_P(NumberCheckBy, aBackendTellsHowFarAStateIs)
{
    const ir::Model model = *ir::parseText(first);
    const ir::Model later = *ir::parseText(std::string("model \"net\"\ngraph @forward(%x: float32[2, 2]) {\n")
                                           + GetParam().body + "\n  return %y\n}\n");
    Inputs inputs = *makeInputs(model, {0}, {}, {}, 3);
    const auto check = numberCheck(evaluatorBackend(), {model, {0}, std::nullopt}, std::move(inputs));
    ASSERT_TRUE(check) << check.error().text();
    const auto error = check->largestError(later);
    ASSERT_TRUE(error) << error.error().text();
    EXPECT_TRUE(GetParam().isRight(*error)) << *error;
}

INSTANTIATE_TEST_SUITE_P(Rows, NumberCheckBy,
                         testing::Values(NumberCheckRow{"theSame", "  %y: float32[2, 2] = aten::relu(self=%x)",
                                                        [](double e) { return e == 0; }},
                                         NumberCheckRow{"anotherOperator", "  %y: float32[2, 2] = aten::abs(self=%x)",
                                                        [](double e) { return e > 0.01 && std::isfinite(e); }},
                                         NumberCheckRow{"anotherShape", "  %y: float32[] = aten::sum(self=%x)",
                                                        [](double e) { return std::isinf(e); }}),
                         [](const auto &row) { return std::string(row.param.name); });

TEST(NumberCheck, saysWhatTheBackendCannotCompute)
{
    const ir::Model model = *ir::parseText(first);
    const ir::Model later = *ir::parseText(R"(model "net"
graph @forward(%x: float32[2, 2]) {
  %y = mine::op(%x)
  return %y
}
)");
    const auto check = numberCheck(evaluatorBackend(), {model, {0}, std::nullopt}, *makeInputs(model, {0}, {}, {}, 3));
    ASSERT_TRUE(check);
    const auto error = check->largestError(later);
    ASSERT_FALSE(error);
    EXPECT_EQ(error.error().kind, ErrorKind::Backend);
    EXPECT_NE(error.error().text().find("mine::op"), std::string::npos) << error.error().text();
    EXPECT_FALSE(numberCheck(evaluatorBackend(), {later, {0}, std::nullopt}, *makeInputs(later, {0}, {}, {}, 3)));
}

} // namespace

} // namespace cutaway::run
