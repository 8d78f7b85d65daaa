// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QMenu;
class QModelIndex;
class QTreeView;

namespace cutaway::views {

/// The role of a cell's content for a spreadsheet if it differs from the text: a number without unit and rounding.
inline constexpr int exactRole = Qt::UserRole + 64;

/// Which rows of a list are copied.
enum class Rows { Selected, All };

/// Returns rows of a list or tree as text, after a head line: visible columns from left to right with tabs between
/// them, rows from top to bottom, those of closed branches included. A row is indented by two spaces per level.
QString tabSeparated(const QTreeView &list, Rows rows);

/// Copies the selected rows if there are several, else all.
void copyTable(const QTreeView &list);

/// Lets the user copy the selected rows of a list by the key for copying, and gives the list a context menu.
/// `addActions`, if given, adds further actions for a row to the menu.
void makeCopyable(QTreeView &list, std::function<void(QMenu &, const QModelIndex &)> addActions = {});

} // namespace cutaway::views
