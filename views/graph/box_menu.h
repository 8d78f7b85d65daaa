// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"

#include <functional>

class QMenu;

namespace cutaway::views {

class Session;

/// Fills the graph's menu with what a user can do with the selected box. `centre` brings it to the middle.
void addBoxActions(QMenu &menu, Session &session, const layout::Box &box, std::function<void()> centre);

} // namespace cutaway::views
