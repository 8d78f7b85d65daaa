// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the view with the roofline of a device: a lower bound of the time of each node and of the whole function.
QWidget *makeRooflineView(Session &session, QWidget *parent);

} // namespace cutaway::views
