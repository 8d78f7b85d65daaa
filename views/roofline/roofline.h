// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// What a device reaches at best with each node, and what the whole takes on it.
QWidget *makeRooflineView(Session &session, QWidget *parent);

} // namespace cutaway::views
