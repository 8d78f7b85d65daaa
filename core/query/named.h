// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/query/pattern.h"
#include "core/query/reach.h"

namespace cutaway::query {

/// The nodes and values of a name, capital and small letters apart: of a node its own (as ir::nameOf has it) or "#12",
/// its number; of a value its own, of a weight also the tensor's, of an input also the signature's. Values that one of
/// these nodes makes are left out.
Ends named(const ir::Model &model, const ir::Function &function, const Pattern &name);

} // namespace cutaway::query
