// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace cutaway::ops {

/// What ONNX calls an input of an operator of its default operator set: "W" for the second of Conv; of those that take
/// any number, what all further ones are called together. "" for what ONNX does not know.
std::string_view onnxInputName(std::string_view op, std::int64_t opset, std::size_t position);

} // namespace cutaway::ops
