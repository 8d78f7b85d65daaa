// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"

#include <optional>

namespace cutaway::ir {
class Context;
}

namespace cutaway::ops {

/// The attribute of the surrounding ONNX function that an operand stands for: the name in {"ref_attr_name": name, …}.
/// Nothing if it is any other operand.
std::optional<ir::NameId> referredAttribute(const ir::Context &context, const ir::Operand &operand);

} // namespace cutaway::ops
