// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace cutaway::ops {

struct OnnxAttributeType {
    std::string_view name;
    char kind = '\0'; ///< f, i, s, t, g, x, p: a float, integer, text, tensor, graph, sparse tensor, type; F, …: a list
    bool isRequired = false;
};

/// The types of the inputs and outputs of an operator of ONNX's default operator set, from one version of the set on.
/// A letter stands for a type: 'a' for TensorProto.DataType 1, 'b' for 2, …; 'S' for sequences, 'O' for optional
/// values. Inputs and outputs with the same digit after the letters all have the same type.
struct OnnxTypes {
    std::int64_t since = 0;
    std::vector<std::string_view> inputs, outputs;
    bool endlessInputs = false, endlessOutputs = false; ///< whether the last input or output may be repeated
    std::vector<OnnxAttributeType> attributes;

    /// The letters of the input or output at a position; "" if there is none.
    std::string_view input(std::size_t position) const;
    std::string_view output(std::size_t position) const;
};

/// Returns the digit of an input or output; nothing if no other one shares its type.
std::optional<char> sharedType(std::string_view letters);

/// The types of the newest version that is no later than `opset`; nullptr for operators that ONNX does not know.
const OnnxTypes *onnxTypesIn(std::string_view name, std::int64_t opset);

} // namespace cutaway::ops
