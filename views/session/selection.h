// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"

#include <optional>
#include <variant>
#include <vector>

namespace cutaway::ir {
class Context;
struct Function;
struct Model;
} // namespace cutaway::ir

namespace cutaway::views {

/// What the user points at: nothing, a box of the diagram by its subject, or a value (an edge, a weight).
using Selection = std::variant<std::monostate, ir::NodeId, layout::ScopeSubject, ir::RegionId, layout::InputSubject,
                               layout::OutputSubject, layout::GroupSubject, ir::ValueId>;

Selection toSelection(const layout::Subject &subject);

/// Whether a function has what is selected: passes make things and take them away.
bool isThere(const ir::Function &function, const Selection &selection);

/// The box that stands for a selection: a value's maker, a weight's first reader.
std::optional<layout::Subject> subjectOf(const ir::Function &function, const Selection &selection);

/// What must be open to see the box of a subject, outermost first.
std::vector<layout::Subject> enclosingBoxes(const ir::Model &model, ir::FunctionId function,
                                            const layout::Subject &subject);

/// The innermost module call that a selection stands in (for a module: itself); the root for none.
ir::ScopeId scopeOf(const ir::Function &function, const Selection &selection);

/// A module call with those around it, outermost first; the root left out.
std::vector<ir::ScopeId> chainTo(const ir::Context &context, ir::ScopeId scope);

} // namespace cutaway::views
