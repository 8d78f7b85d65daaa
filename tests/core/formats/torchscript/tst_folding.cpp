// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/folding.h"

#include "core/ir/context.h"

#include <gtest/gtest.h>
#include <limits>

namespace cutaway::formats::torchscript {
namespace {

using Folded = std::optional<ir::Operand>;

Folded folded(std::string_view name, std::vector<ir::Operand> operands)
{
    const ir::Context context;
    std::vector<Typed> arguments;
    for (ir::Operand &operand : operands)
        arguments.push_back({std::move(operand), {}, {}, Typed::Constant::Written});
    return fold(context, "aten", name, arguments);
}

constexpr std::int64_t two = 2, three = 3;

TEST(Folding, ComputesOperatorsOfOneConstant)
{
    EXPECT_EQ(folded("neg", {two}), Folded(std::int64_t{-2}));
    EXPECT_EQ(folded("neg", {1.5}), Folded(-1.5));
    EXPECT_EQ(folded("__not__", {true}), Folded(false));
    EXPECT_EQ(folded("Int", {true}), Folded(std::int64_t{1}));
    EXPECT_EQ(folded("Bool", {0.0}), Folded(false));
    EXPECT_EQ(folded("Float", {two}), Folded(2.0));
    EXPECT_EQ(folded("sqrt", {std::int64_t{9}}), Folded(3.0));
    EXPECT_EQ(folded("len", {ir::List{{two, three}}}), Folded(two));
}

TEST(Folding, LeavesWhatHasNoSuchOverload)
{
    EXPECT_EQ(folded("neg", {true}), std::nullopt);
    EXPECT_EQ(folded("Bool", {true}), std::nullopt);
    EXPECT_EQ(folded("Int", {1.5}), std::nullopt);
    EXPECT_EQ(folded("neg", {std::numeric_limits<std::int64_t>::min()}), std::nullopt);
}

TEST(Folding, ComputesOperatorsOfTwoConstants)
{
    EXPECT_EQ(folded("floordiv", {std::int64_t{-7}, two}), Folded(std::int64_t{-4}));
    EXPECT_EQ(folded("div", {three, two}), Folded(1.5));
    EXPECT_EQ(folded("lt", {two, 2.5}), Folded(true));
    EXPECT_EQ(folded("__is__", {ir::None{}, two}), Folded(false));
    EXPECT_EQ(folded("floordiv", {three, std::int64_t{0}}), std::nullopt);
}

TEST(Folding, DoesNotComputeOtherDialects)
{
    const ir::Context context;
    const std::vector<Typed> arguments{{two, {}, {}, Typed::Constant::Written}};
    EXPECT_EQ(fold(context, "quantized", "neg", arguments), std::nullopt);
}

} // namespace
} // namespace cutaway::formats::torchscript
