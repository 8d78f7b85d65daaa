// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"

#include <optional>

namespace cutaway::ir {
class Context;
}

namespace cutaway::ops {

/// Returns the attribute of the surrounding ONNX function that an operand refers to: the name in {"ref_attr_name":
/// name, …}. Nothing if the operand is no such reference.
std::optional<ir::NameId> referredAttribute(const ir::Context &context, const ir::Operand &operand);

} // namespace cutaway::ops
