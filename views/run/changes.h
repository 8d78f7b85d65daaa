// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::views {

class PropertySheet;
class Session;

/// How the times have changed since the baseline profile: of a run, and of the nodes that changed most.
void fillChanges(PropertySheet &sheet, Session &session);

/// How the times of a second trace differ from those of the opened one: of a run, and of the modules, nodes and other
/// events that differ most.
void fillTraceChange(PropertySheet &sheet, Session &session);

} // namespace cutaway::views
