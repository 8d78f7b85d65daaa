// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/layout/diagram.h"

#include <QString>

namespace cutaway::analysis {
struct Stop;
}

namespace cutaway::views {

class PropertySheet;
class Session;

// Each function writes the inspector's page of the selection, its last parameter, into an empty sheet.

void fillNode(PropertySheet &sheet, Session &session, const ir::NodeRef &node);
void fillModule(PropertySheet &sheet, Session &session, const layout::ScopeSubject &module);
void fillGroup(PropertySheet &sheet, Session &session, const layout::GroupSubject &group);
void fillFound(PropertySheet &sheet, Session &session, const layout::FoundSubject &part);
void fillPlumbing(PropertySheet &sheet, Session &session, const layout::PlumbingSubject &plumbing);
void fillRegion(PropertySheet &sheet, Session &session, ir::RegionId region);
void fillInput(PropertySheet &sheet, Session &session, const ir::ValueRef &value);
void fillOutput(PropertySheet &sheet, Session &session, const layout::OutputSubject &output);
void fillValue(PropertySheet &sheet, Session &session, const ir::ValueRef &value);
void fillWeight(PropertySheet &sheet, Session &session, const ir::ValueRef &value, ir::TensorId tensor);
void fillNothing(PropertySheet &sheet);
/// Adds the note that the user has written about the selection, if it has a bookmark.
void fillNote(PropertySheet &sheet, Session &session);

/// Adds rows with the statistics of a value in the last run with statistics, if there was one.
void activationRow(PropertySheet &sheet, const Session &session, ir::ValueId value);
/// Describes what about a node is unknown, or known from the file alone, and why.
QString stopText(const analysis::Stop &stop);

} // namespace cutaway::views
