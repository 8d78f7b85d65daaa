// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace cutaway::formats::onnx {

/// Throws Unusable for a node of the default operator set that is none of its version: one of a later version, and of
/// those that passes made also one with inputs, outputs or attributes that the operator has not. What the file itself
/// has is not held to more than the name, since runtimes take more than ONNX says.
void checkOperator(const ir::NodeRef &node, std::int64_t opset, const std::vector<std::string_view> &graphAttributes);

} // namespace cutaway::formats::onnx
