// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace cutaway::run {
struct TimeChange;
}

namespace cutaway::views {

class PropertySheet;
class Session;

/// Returns the medians before and after: "1.2 ms → 0.9 ms"; "—" for a missing time.
QString mediansText(const run::TimeChange &change);

/// Adds the changes since the baseline profile: of the time of a run, and of the nodes that changed most.
void fillChanges(PropertySheet &sheet, Session &session);

/// Adds the differences of a second trace from the opened one: of the time of a run, and of the modules, nodes and
/// other events that differ most.
void fillTraceChange(PropertySheet &sheet, Session &session);

} // namespace cutaway::views
