// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/values/results.h"

#include "core/ir/context.h"
#include "core/ir/tensors/tensor_data.h"

#include <gtest/gtest.h>

namespace cutaway::run {
namespace {

using namespace std::string_literals;
using Texts = std::vector<std::string>;

TEST(ResultTensors, areConstantsWithTheirNamesAndElements)
{
    Outcome outcome;
    outcome.outputs.push_back({"ids", protocol::Tensor{ir::DType::Int32, {2}, "\1\0\0\0\3\0\0\0"s}});
    outcome.outputs.push_back({"list", Opaque{"empty list"}});
    outcome.outputs.push_back({"words", protocol::tensorOf({2}, Texts{"a", "bc"})});
    const ir::Model model = resultsOf(outcome);
    ASSERT_EQ(model.tensors.size(), 2u); // other values than tensors are left out
    EXPECT_EQ(model.context->text(model.at(ir::TensorId{0}).name), "ids");
    EXPECT_EQ(ir::firstElements(model, ir::TensorId{0}, 8).value(), (Texts{"1", "3"}));
    EXPECT_EQ(ir::firstElements(model, ir::TensorId{1}, 8).value(), (Texts{"\"a\"", "\"bc\""}));
}

TEST(ResultTensors, malformedTextsHaveNoBytes)
{
    Outcome outcome;
    outcome.outputs.push_back({"words", protocol::Tensor{ir::DType::String, {1}, "\xff"s}});
    const ir::Model model = resultsOf(outcome);
    EXPECT_FALSE(ir::firstElements(model, ir::TensorId{0}, 8));
}

} // namespace
} // namespace cutaway::run
