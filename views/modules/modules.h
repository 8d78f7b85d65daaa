// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the tree of module calls of the current function, with the nodes, parameters and costs of each.
QWidget *makeModulesView(Session &session, QWidget *parent);

} // namespace cutaway::views
