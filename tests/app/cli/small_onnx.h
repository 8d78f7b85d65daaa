// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace cutaway::test {

/// A tensor: sizes, or names of sizes.
struct OnnxValue {
    std::string name;
    std::vector<std::variant<std::int64_t, std::string>> shape;
    std::int64_t dataType = 1; ///< ONNX's number: float32
};
inline constexpr std::int64_t onnxInt64 = 7;

struct OnnxNode {
    std::string type;
    std::vector<std::string> inputs;
    std::string output;
};

/// The bytes of an ONNX model; `recorded` is what it says of the shapes of values inside.
std::string onnxModel(const std::vector<OnnxNode> &nodes, const std::vector<OnnxValue> &inputs,
                      const std::vector<OnnxValue> &outputs, const std::vector<OnnxValue> &recorded = {});

/// The bytes of an ONNX model with one module: 20 blocks x + Tanh(Relu(Sigmoid(Neg(x)))), one behind the other.
std::string onnxBlocks();

/// The bytes of an ONNX model: y = Relu(x) where x is float32["N", 3].
std::string smallOnnx();

} // namespace cutaway::test
