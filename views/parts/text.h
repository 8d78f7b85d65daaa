// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <QList>
#include <QString>
#include <string_view>
#include <utility>

namespace cutaway::views {

/// Returns text of a file made safe to show: valid UTF-8, visible control characters; `keepLines` keeps line breaks.
QString shown(std::string_view text, bool keepLines = false);

/// Returns the text with directional isolates around each name that is written from right to left, so that the
/// brackets, commas and numbers around it keep their order.
QString isolated(const QString &text);

/// Returns a node's name in the file, or else that of its first result, as in TorchScript; "%7" if neither has a name.
QString shownName(const ir::NodeRef &node);

/// Returns text for a tool tip: markup is escaped, long lines are wrapped, and the text is cut after 2000 characters.
QString toolTipText(const QString &text);

/// Returns a tool tip with a title and a table of names and values; rows without a value are left out.
QString toolTipTable(const QString &title, const QList<std::pair<QString, QString>> &rows);

/// Returns a count with its noun, digits grouped: "1 node", "2 nodes".
QString counted(long long n, const char *singular, const char *plural);

/// Returns the last part of a class name: "Bottleneck" of "torchvision.models.resnet.Bottleneck".
QString shortClass(std::string_view name);

/// Returns a message as a sentence: "cannot be read" → "Cannot be read."
QString sentence(QString text);

} // namespace cutaway::views
