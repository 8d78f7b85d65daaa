// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace cutaway::ops {

/// Returns the name that ONNX gives to an input of an operator of its default operator set: "W" for the second input
/// of Conv. If an operator takes any number of inputs, all further inputs share a name. "" for operators and inputs
/// that ONNX does not know.
std::string_view onnxInputName(std::string_view op, std::int64_t opset, std::size_t position);

} // namespace cutaway::ops
