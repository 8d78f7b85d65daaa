// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the row with the choice of functions and the module path of the selection; a click on a part selects it.
QWidget *makeBreadcrumb(Session &session, QWidget *parent);

} // namespace cutaway::views
