// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QModelIndexList>
#include <QString>

namespace cutaway::views {

/// Returns rows of a NodeModel with a head line, and exact numbers without units. Cells with commas, quotes or line
/// breaks are quoted (RFC 4180).
QString csvText(const QModelIndexList &rows);
/// Returns rows of a NodeModel as a table of Markdown.
QString markdownText(const QModelIndexList &rows);

} // namespace cutaway::views
