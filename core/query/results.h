// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/query/known.h"
#include "core/query/match.h"
#include "core/query/pattern.h"
#include "core/query/shape_pattern.h"

namespace cutaway::query {

/// Whether one of the tensors that a node returns, those in lists included, has the dtype.
Match hasDType(const Known &known, const ir::NodeRef &node, const Pattern &dtype);
/// Whether one of the tensors that a node returns, those in lists included, has the shape.
Match hasShape(const Known &known, const ir::NodeRef &node, const ShapePattern &shape);

} // namespace cutaway::query
