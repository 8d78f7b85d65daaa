// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/query/pattern.h"
#include "core/query/reach.h"

namespace cutaway::query {

/// Returns the nodes and values with a name, regardless of capital and small letters. A node is named by its own name
/// (as ir::nameOf has it) or by its number, "#12"; a value by its own name, a weight also by the tensor's, an input
/// also by the signature's. Values that one of these nodes makes are left out.
Ends named(const ir::Model &model, const ir::Function &function, const Pattern &name);

} // namespace cutaway::query
