// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QMenu;
class QModelIndex;
class QTreeView;

namespace cutaway::views {

/// The role of a cell's content for a spreadsheet if that is not its text: a number without unit and rounding.
inline constexpr int exactRole = Qt::UserRole + 64;

/// The rows of a list that are copied.
enum class Rows { Selected, All };

/// Returns rows of a list or tree under its head line, with tabs between the cells: its visible columns from left to
/// right, rows from top to bottom, also those in closed branches. A row is indented by two spaces for each row around
/// it.
QString tabSeparated(const QTreeView &list, Rows rows);

/// Copies the selected rows if there are several, else all.
void copyTable(const QTreeView &list);

/// Gives a list the key for copying, which copies the selected rows, and a context menu. `addActions`, if given, adds
/// what can be done with a row to the menu.
void makeCopyable(QTreeView &list, std::function<void(QMenu &, const QModelIndex &)> addActions = {});

} // namespace cutaway::views
