// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace cutaway::formats::onnx {

/// Throws Unusable for a node of the default operator set that this version of it does not have: a node of a later
/// version, or a node that passes made with inputs, outputs or attributes that the operator lacks. For the file's own
/// nodes only the name is checked, because runtimes accept more than ONNX defines.
void checkOperator(const ir::NodeRef &node, std::int64_t opset, const std::vector<std::string_view> &graphAttributes);

} // namespace cutaway::formats::onnx
