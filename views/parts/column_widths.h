// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTreeView;

namespace cutaway::views {

/// Gives the columns of a list the widths that their texts need. If there is too little room, narrow columns get their
/// width and the wide ones share the rest. The widths follow changes of the rows and of the list's width until the user
/// moves the border of a column.
void fitColumns(QTreeView &list);

} // namespace cutaway::views
