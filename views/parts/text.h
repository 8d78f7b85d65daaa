// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <QList>
#include <QString>
#include <string_view>
#include <utility>

namespace cutaway::views {

/// Text of a file made safe to show: valid UTF-8, visible control characters.
QString shown(std::string_view text, bool keepLines = false);

/// Names with letters that are written from right to left in isolation: the brackets, commas and numbers around them
/// stay where they are.
QString isolated(const QString &text);

/// A node's name in the file, or that of its first result, as TorchScript names no nodes; "%7" where neither has one.
QString shownName(const ir::NodeRef &node);

/// Text for a tool tip: markup is escaped, long text is wrapped, and cut after 2000 characters.
QString toolTipText(const QString &text);

/// A tool tip of a title and a table of names and values; rows without a value are left out.
QString toolTipTable(const QString &title, const QList<std::pair<QString, QString>> &rows);

/// "1 node", "2 nodes", with digits grouped.
QString counted(long long n, const char *singular, const char *plural);

/// The last part of a class name: "Bottleneck" of "torchvision.models.resnet.Bottleneck".
QString shortClass(std::string_view name);

/// A message as a sentence: "cannot be read" → "Cannot be read."
QString sentence(QString text);

} // namespace cutaway::views
