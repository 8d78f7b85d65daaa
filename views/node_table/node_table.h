// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Session;

/// The nodes of the current function with what they cost: to sort, filter, group and copy.
QWidget *makeNodeTable(Session &session, QWidget *parent);

} // namespace cutaway::views
