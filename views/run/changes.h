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

/// The medians before and after: "1.2 ms → 0.9 ms"; "—" where there is no time.
QString mediansText(const run::TimeChange &change);

/// How the times have changed since the baseline profile: of a run, and of the nodes that changed most.
void fillChanges(PropertySheet &sheet, Session &session);

/// How the times of a second trace differ from those of the opened one: of a run, and of the modules, nodes and other
/// events that differ most.
void fillTraceChange(PropertySheet &sheet, Session &session);

} // namespace cutaway::views
