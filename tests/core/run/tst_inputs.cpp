// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/inputs.h"

#include "core/ir/context.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

namespace cutaway::run {
namespace {

constexpr const char *withDefaults = R"(
method @forward(%x: float32[2], %k: optional<int> default 3, %sizes: list<int> default [1, 2], %n: int) {
  return %x
}
)";

TEST(MakeInputs, whatIsLeftOutHasItsDefault)
{
    const ir::Model model = test::parsed(withDefaults);
    analysis::Given given;
    given.inputs.emplace("n", ops::intFact(std::int64_t{5}));
    const auto inputs = makeInputs(model, {0}, given, {}, 0);
    ASSERT_TRUE(inputs) << inputs.error().text();
    ASSERT_EQ(inputs->size(), 4u);
    EXPECT_EQ(std::get<ops::Fact>((*inputs)[1].content), ops::Fact(ops::intFact(std::int64_t{3})));
    EXPECT_EQ(std::get<InputParts>((*inputs)[2].content).items.size(), 2u);
    EXPECT_EQ(std::get<ops::Fact>((*inputs)[3].content), ops::Fact(ops::intFact(std::int64_t{5})));
}

TEST(MakeInputs, whatIsGivenIsNotTheDefault)
{
    const ir::Model model = test::parsed(withDefaults);
    analysis::Given given;
    given.inputs.emplace("n", ops::intFact(std::int64_t{5}));
    given.inputs.emplace("k", ops::NoneFact{});
    const auto inputs = makeInputs(model, {0}, given, {}, 0);
    ASSERT_TRUE(inputs) << inputs.error().text();
    EXPECT_TRUE(std::get<ops::Fact>((*inputs)[1].content).as<ops::NoneFact>());
}

TEST(MakeInputs, whatHasNoDefaultHasToBeGiven)
{
    const auto inputs = makeInputs(test::parsed(withDefaults), {0}, {}, {}, 0);
    ASSERT_FALSE(inputs);
    EXPECT_EQ(inputs.error().where, "input n");
}

TEST(MakeInputs, weightsAreInputsWhereTheyAreGiven)
{
    const ir::Model model = test::parsed("tensor @w: float32[2]\n"
                                         "graph @f(%x: float32[2], overridable weight %w: float32[2] = @w) {\n"
                                         "  %r = onnx::Mul(%x, %w)\n  return %r\n}\n");
    EXPECT_EQ(makeInputs(model, {0}, {}, {}, 0).value().size(), 1u);
    analysis::Given given;
    given.inputs.emplace("w", ops::tensorFact(ir::DType::Float32, ir::Shape{std::int64_t{2}}));
    const Inputs inputs = makeInputs(model, {0}, given, {}, 0).value();
    ASSERT_EQ(inputs.size(), 2u);
    EXPECT_EQ(inputs[1].name, "w");
    EXPECT_EQ(inputsOfState(model, {0}, inputs).value().size(), 2u);
    EXPECT_EQ(inputsAlike(model, {0}, inputs).value().size(), 2u);
}

TEST(MakeInputs, weightsWithoutElementsAreInputs)
{
    const ir::Model model =
        test::parsed("tensor @w: float32[2]\n"
                     "graph @f(%x: float32[2], parameter weight %w: float32[2] = @w target \"w\") {\n"
                     "  %r = aten::rsqrt(self=%w)\n  return %r, %x\n}\n");
    const Inputs inputs = makeInputs(model, {0}, {}, {}, 0).value();
    ASSERT_EQ(inputs.size(), 2u);
    EXPECT_EQ(inputs[1].name, "w");
    EXPECT_GT(std::get<protocol::DrawnTensor>(inputs[1].content).range.value().low, 0);
    EXPECT_EQ(inputsOfState(model, {0}, inputs).value().size(), 2u);
    EXPECT_EQ(inputsAlike(model, {0}, inputs).value().size(), 2u);
}

TEST(InputsOfState, areNotOfTheModulesObject)
{
    const ir::Model model =
        test::parsed("graph @forward(%x: float32[2], custom_object %self: module \"M\") { return %x }\n");
    const auto inputs = makeInputs(model, {0}, {}, {}, 1);
    ASSERT_TRUE(inputs) << inputs.error().text();
    const auto own = inputsOfState(model, {0}, *inputs);
    ASSERT_TRUE(own) << own.error().text();
    EXPECT_EQ(own->size(), 1u);
    const ir::Model other = test::parsed("graph @forward(%x: float32[2], %y: float32[2]) { return %x }\n");
    EXPECT_EQ(inputsOfState(other, {0}, *inputs).error().text(), "a pass made a new input");
}

} // namespace
} // namespace cutaway::run
