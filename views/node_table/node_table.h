// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// Makes the table of the current function's nodes with their costs; they can be sorted, filtered, grouped and copied.
QWidget *makeNodeTable(Session &session, QWidget *parent);

} // namespace cutaway::views
