// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QModelIndexList>
#include <QString>

namespace cutaway::views {

/// Rows of a NodeModel with a head line, exact numbers without units. Commas, quotes and line breaks are quoted
/// (RFC 4180).
QString csvText(const QModelIndexList &rows);
/// The same as a table of Markdown.
QString markdownText(const QModelIndexList &rows);

} // namespace cutaway::views
