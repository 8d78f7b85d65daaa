// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the view with all properties of the selection.
QWidget *makeInspector(Session &session, QWidget *parent);

} // namespace cutaway::views
