// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTreeView;

namespace cutaway::views {

/// Gives the columns of a list the room that their texts need. Where there is less, those that need little have it, and
/// the others share the rest. So again with other rows and with another width of the list, until the user moves the
/// border of a column.
void fitColumns(QTreeView &list);

} // namespace cutaway::views
