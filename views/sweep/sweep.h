// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the view of the shown function's costs against one of its open sizes, as a curve and as a table.
QWidget *makeSweepView(Session &session, QWidget *parent);

} // namespace cutaway::views
