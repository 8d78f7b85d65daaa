// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <QString>

namespace cutaway::views {

class PropertySheet;
class Session;

// The functions below add rows to the inspector from which a user gets to other parts of the graph.

/// Adds an argument: a value as a link, a list of values as one link per row, anything else as text.
void argumentRows(PropertySheet &sheet, Session &session, const QString &name, const ir::Operand &operand);
/// Adds a value with its type, as a link to the node that makes it, or to the weight.
void valueRow(PropertySheet &sheet, Session &session, const QString &name, ir::ValueId value);
/// Adds links to the users of a value, at most a dozen.
void userRows(PropertySheet &sheet, Session &session, const ir::ValueRef &value);
/// Adds a link to the module that a selection is in; adds nothing for the root.
void moduleRow(PropertySheet &sheet, Session &session, ir::ScopeId scope, ir::RegionId region);

/// Returns the name of a node in the file, or else its operator.
QString nodeTitle(const ir::NodeRef &node);

} // namespace cutaway::views
