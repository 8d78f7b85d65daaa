// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::views {

class PropertySheet;
class Session;

/// What became of the times since the profile that is compared with: of a run, and of the nodes that changed most.
void fillChanges(PropertySheet &sheet, Session &session);

} // namespace cutaway::views
