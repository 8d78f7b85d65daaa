// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// The picture of the current function, with the path of the selection above it.
QWidget *makeGraphView(Session &session, QWidget *parent);

} // namespace cutaway::views
