// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"

#include <functional>

class QMenu;

namespace cutaway::views {

class Session;

/// Adds actions for the selected box to the graph's menu. `centre` moves the box to the middle.
void addBoxActions(QMenu &menu, Session &session, const layout::Box &box, std::function<void()> centre);

} // namespace cutaway::views
