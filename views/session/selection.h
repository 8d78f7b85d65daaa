// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/layout/diagram.h"
#include "core/layout/outline.h"

#include <optional>
#include <variant>
#include <vector>

namespace cutaway::ir {
class Context;
struct Function;
struct Model;
} // namespace cutaway::ir

namespace cutaway::views {

/// The selection: nothing, a box of the diagram by its subject, or a value (an edge, a weight).
using Selection = std::variant<std::monostate, ir::NodeId, layout::ScopeSubject, ir::RegionId, layout::InputSubject,
                               layout::OutputSubject, layout::GroupSubject, layout::FoundSubject,
                               layout::PlumbingSubject, ir::ValueId>;

Selection toSelection(const layout::Subject &subject);

/// Whether a function contains the selection: passes add and remove nodes.
bool isThere(const ir::Function &function, const Selection &selection);

/// Returns the box of a selection: for a value that of the node that makes it, for a weight that of its first user, for
/// a module with a single node that of the node. Nothing if there is none.
std::optional<layout::Subject> subjectOf(const ir::Function &function, const Selection &selection);

/// Returns the boxes that must be open for the box of a subject to be visible, outermost first.
std::vector<layout::Subject> enclosingBoxes(const ir::Function &function, const layout::Outline &outline,
                                            const layout::Subject &subject);

/// Returns the innermost module call that contains a selection, or the selected module itself; the root if there is
/// none.
ir::ScopeId scopeOf(const ir::Function &function, const Selection &selection);

/// Returns the largest of the weights that a node reads, the first of equally large ones; nothing if it reads none.
std::optional<ir::TensorId> largestWeight(const ir::Model &model, const ir::NodeRef &node);

/// Returns a module call and those that enclose it, outermost first, without the root.
std::vector<ir::ScopeId> chainTo(const ir::Context &context, ir::ScopeId scope);

} // namespace cutaway::views
