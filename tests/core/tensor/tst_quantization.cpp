// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/quantization.h"

#include "core/base/formatted.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

namespace cutaway::tensor {
namespace {

/// "0.5/3", "0.5/0 2/1 along 0"; "" if the tensor is not quantized.
std::string quantization(const std::string &text)
{
    const ir::Model model = test::parsed(text);
    const auto found = quantizationOf(model, ir::TensorId{0});
    if (!found)
        return found.error().message;
    if (!*found)
        return "";
    std::string line;
    for (std::size_t i = 0; i < (*found)->scales.size(); ++i)
        line += formatted("{}{}/{}", i == 0 ? "" : " ", (*found)->scales[i], (*found)->zeroPoints[i]);
    return (*found)->scales.size() == 1 ? line : line + formatted(" along {}", (*found)->axis);
}

const std::string storages = R"(
storage 0: 6 bytes data "\x01\x02\x03\x04\x05\x06"
storage 1: 8 bytes data "\x00\x00\x00\x3f\x00\x00\x00\x40"
storage 2: 2 bytes data "\x03\x01"
)";

std::string withNode(const std::string &tensors, const std::string &node)
{
    return storages + tensors + "graph @forward() { weight %q = @q weight %s = @s weight %z = @z " + node
        + " return %r }";
}

const std::string perTensor = R"(
tensor @q: int8[2, 3] parameter in storage 0
tensor @s: float32[] constant in storage 1
tensor @z: int8[] constant in storage 2
)";
const std::string perChannel = R"(
tensor @q: int8[2, 3] parameter in storage 0
tensor @s: float32[2] constant in storage 1
tensor @z: int8[2] constant in storage 2
)";

TEST(Quantization, isThatOfTheNodeThatDequantizes)
{
    EXPECT_EQ(quantization(withNode(perTensor, "%r = onnx::DequantizeLinear(%q, %s, %z)")), "0.5/3");
    EXPECT_EQ(quantization(withNode(perTensor, "%r = onnx::DequantizeLinear(%q, %s)")), "0.5/0");
    EXPECT_EQ(quantization(withNode(perChannel, "%r = onnx::DequantizeLinear(%q, %s, %z, axis=0)")),
              "0.5/3 2/1 along 0");
    EXPECT_EQ(quantization(withNode(perChannel, "%r = onnx::DequantizeLinear(%q, %s, %z, axis=-2)")),
              "0.5/3 2/1 along 0");
    EXPECT_EQ(quantization(withNode(perTensor, "%r = onnx::Relu(%q)")), "");
}

TEST(Quantization, isNotKnownWhereItIsNotSure)
{
    EXPECT_EQ(quantization(withNode(perChannel, "%r = onnx::DequantizeLinear(%q, %s, %z)")),
              "along which dimension it is quantized is not known");
    EXPECT_EQ(quantization(withNode(perChannel, "%r = onnx::DequantizeLinear(%q, %s, %z, axis=0, block_size=2)")),
              "it is quantized in blocks");
    EXPECT_EQ(quantization(withNode(perTensor, "%t = onnx::Neg(%s) %r = onnx::DequantizeLinear(%q, %t, %z)")),
              "its scales or zero points are computed");
    EXPECT_EQ(quantization(withNode(perTensor,
                                    "%a = onnx::DequantizeLinear(%q, %s) "
                                    "%b = onnx::DequantizeLinear(%q, %s, %z) %r = onnx::Add(%a, %b)")),
              "nodes dequantize it with different scales");
}

TEST(Quantization, ofAFileOfPyTorchIsKeptWithTheTensor)
{
    EXPECT_EQ(quantization(storages + R"(
tensor @q: qint8[2, 3] parameter in storage 0 parts(@s, @z)
tensor @s: float32[2] constant in storage 1
tensor @z: int8[2] constant in storage 2
graph @forward() { weight %q = @q return %q }
)"),
              "0.5/3 2/1 along 0");
    EXPECT_EQ(quantization(storages + R"(
tensor @q: qint8[2, 3] parameter in storage 0
graph @forward() { weight %q = @q return %q }
)"),
              "its scale and zero point are not known");
}

TEST(Quantization, isThatOfTorchsOwnOperators)
{
    EXPECT_EQ(
        quantization(withNode(perTensor, "%r = quantized_decomposed::dequantize_per_tensor(%q, 0.25, 2, -128, 127)")),
        "0.25/2");
    EXPECT_EQ(quantization(
                  withNode(perChannel, "%r = quantized_decomposed::dequantize_per_channel(%q, %s, %z, 0, -128, 127)")),
              "0.5/3 2/1 along 0");
}

} // namespace
} // namespace cutaway::tensor
