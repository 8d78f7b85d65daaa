// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/ir/names.h"
#include "tests/core/formats/onnx/onnx_writer.h"

#include <gtest/gtest.h>

namespace {

using namespace cutaway;
using namespace onnxtest;

constexpr int uint8 = 2, int8 = 3, int32 = 6, int64 = 7;

/// A tensor of zeros of a dtype that takes `width` bytes.
Proto zeros(std::string_view name, int dataType, std::size_t width, const std::vector<std::int64_t> &dims)
{
    Proto proto;
    std::size_t bytes = width;
    for (const std::int64_t dim : dims) {
        proto.number(1, static_cast<std::uint64_t>(dim));
        bytes *= static_cast<std::size_t>(dim);
    }
    return proto.number(2, static_cast<std::uint64_t>(dataType)).text(8, name).text(9, std::string(bytes, '\0'));
}

Proto constant(std::string_view output, const Proto &tensor)
{
    const Proto attribute = Proto().text(1, "value").message(5, tensor).number(20, 4);
    return node("Constant", {}, {std::string(output)}).message(5, attribute);
}

/// "w parameter\nz buffer\n" of all tensors.
std::string kinds(const Proto &graph, std::uint64_t irVersion = 8)
{
    const ir::Model model = opened(onnxtest::model(graph, irVersion));
    std::string text;
    for (std::size_t i = 0; i < model.tensors.size(); ++i)
        text += std::string(model.context->text(model.tensors[i].name)) + " " + std::string(name(model.tensors[i].kind))
            + "\n";
    return text;
}

TEST(Parameters, AreIntegersThatStandForWeights)
{
    EXPECT_EQ(kinds(graph({node("DequantizeLinear", {"w", "s", "z"}, {"d"}), node("MatMul", {"x", "d"}, {"y"})},
                          {value("x", tensorType(1, {1, 2}))}, {value("y", tensorType(1, {1, 3}))},
                          {zeros("w", int8, 1, {2, 3}), floats("s", {3}), zeros("z", int8, 1, {3})})),
              "w parameter\ns parameter\nz buffer\n");
    EXPECT_EQ(kinds(graph({node("QLinearConv", {"x", "xs", "xz", "w", "ws", "wz", "ys", "yz", "b"}, {"y"})},
                          {value("x", tensorType(2, {1, 2, 5}))}, {value("y", tensorType(2, {1, 3, 3}))},
                          {floats("xs", {}), zeros("xz", uint8, 1, {}), zeros("w", uint8, 1, {3, 2, 3}),
                           floats("ws", {}), zeros("wz", uint8, 1, {}), floats("ys", {}), zeros("yz", uint8, 1, {}),
                           zeros("b", int32, 4, {3})})),
              "xs parameter\nxz buffer\nw parameter\nws parameter\nwz buffer\nys parameter\nyz buffer\nb parameter\n");
    EXPECT_EQ(kinds(graph({node("MatMulInteger", {"x", "t", "xz", "wz"}, {"y"}), node("Transpose", {"w"}, {"t"})},
                          {value("x", tensorType(2, {1, 2}))}, {value("y", tensorType(6, {1, 3}))},
                          {zeros("w", int8, 1, {3, 2}), zeros("xz", uint8, 1, {}), zeros("wz", int8, 1, {})})),
              "w parameter\nxz buffer\nwz buffer\n");
}

TEST(Parameters, AreIntegersThatArithmeticMakesFloatsOf)
{
    const Proto toFloat = intAttribute("to", 1);
    EXPECT_EQ(
        kinds(graph({node("Cast", {"w"}, {"c"}).message(5, toFloat), node("Cast", {"z"}, {"f"}).message(5, toFloat),
                     node("Sub", {"c", "f"}, {"d"}), node("Mul", {"d", "s"}, {"e"}), node("MatMul", {"x", "e"}, {"y"})},
                    {value("x", tensorType(1, {1, 2}))}, {value("y", tensorType(1, {1, 3}))},
                    {zeros("w", uint8, 1, {2, 3}), zeros("z", uint8, 1, {3}), floats("s", {3})})),
        "w parameter\nz buffer\ns parameter\n");
}

TEST(Parameters, AreNoIndicesAndNoSizes)
{
    EXPECT_EQ(
        kinds(graph({node("Gather", {"table", "i"}, {"g"}), node("Reshape", {"g", "shape"}, {"y"})}, {},
                    {value("y", tensorType(7, {2}))},
                    {zeros("table", int64, 8, {4, 2}), zeros("i", int64, 8, {1}), zeros("shape", int64, 8, {1})})),
        "table buffer\ni buffer\nshape buffer\n");
}

TEST(Parameters, AreConstantsWhereLayersReadThem)
{
    const std::vector<Proto> inputs{value("x", tensorType(1, {1, 2}))}, outputs{value("y", tensorType(1, {1, 3}))};
    EXPECT_EQ(kinds(graph({constant("w", floats("", {2, 3})), constant("b", floats("", {3})),
                           constant("half", floats("", {})), node("MatMul", {"x", "w"}, {"p"}),
                           node("Mul", {"p", "half"}, {"q"}), node("Add", {"q", "b"}, {"y"})},
                          inputs, outputs)),
              "w parameter\nb parameter\nhalf constant\n");
    EXPECT_EQ(
        kinds(graph({constant("b", floats("", {3})), node("MatMul", {"x", "w"}, {"p"}), node("Add", {"p", "b"}, {"y"})},
                    inputs, outputs, {floats("w", {2, 3})})),
        "b constant\nw parameter\n");
}

TEST(Parameters, ThatAreInputsTooMayBeOverridden)
{
    const Proto g = graph({node("DequantizeLinear", {"w", "s"}, {"y"})}, {value("w", tensorType(3, {2, 3}))},
                          {value("y", tensorType(1, {2, 3}))}, {zeros("w", int8, 1, {2, 3}), floats("s", {})});
    const ir::Model model = opened(onnxtest::model(g));
    ASSERT_EQ(model.functions[0].inputs.size(), 1u);
    EXPECT_EQ(model.functions[0].inputs[0].kind, ir::FunctionInput::Kind::Overridable);
    EXPECT_EQ(model.at(*model.functions[0].inputs[0].tensor).kind, ir::Tensor::Kind::Parameter);
    EXPECT_TRUE(opened(onnxtest::model(g, 3)).functions[0].inputs.empty()) << "callers give none before IR 4";
}

TEST(Parameters, AreSparseOnesWhosePartsAreNamedByThem)
{
    const Proto sparse =
        Proto().message(1, floats("b", {2})).message(2, zeros("", int64, 8, {2})).number(3, 3).number(3, 3);
    EXPECT_EQ(kinds(graph({node("MatMul", {"x", "b"}, {"y"})}, {value("x", tensorType(1, {1, 3}))},
                          {value("y", tensorType(1, {1, 3}))})
                        .message(15, sparse)),
              "b.values packed\nb.indices packed\nb packed\n");
}

} // namespace
