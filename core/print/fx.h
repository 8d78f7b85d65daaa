// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <string>

namespace cutaway::print {

/// A function as torch.fx lists one: a line per node with opcode (placeholder, get_attr, call_function, call_method,
/// output; there are no unopened modules to call), name, target, args and kwargs in aligned columns; regions follow as
/// listings of their own.
std::string fxListing(const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::print
