// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <QString>

namespace cutaway::views {

class PropertySheet;
class Session;

// Rows of the inspector that lead to something else of the graph.

/// An argument: a value as a link to it, a list of values as one row each, anything else as text.
void argumentRows(PropertySheet &sheet, Session &session, const QString &name, const ir::Operand &operand);
/// A value as a link to its producer, or to the weight, with its type.
void valueRow(PropertySheet &sheet, Session &session, const QString &name, ir::ValueId value);
/// The users of a value, at most a dozen.
void userRows(PropertySheet &sheet, Session &session, const ir::ValueRef &value);
/// The module that a selection stands in; nothing for the root.
void moduleRow(PropertySheet &sheet, Session &session, ir::ScopeId scope, ir::RegionId region);

/// The name of a node in the file, or else its operator.
QString nodeTitle(const ir::NodeRef &node);

} // namespace cutaway::views
