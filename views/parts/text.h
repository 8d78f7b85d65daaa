// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <QString>
#include <string_view>

namespace cutaway::views {

/// Text of a file made safe to show: valid UTF-8, visible control characters.
QString shown(std::string_view text, bool keepLines = false);

/// A node's name in the file, or that of its first result, as TorchScript names no nodes; "%7" where neither has one.
QString shownName(const ir::NodeRef &node);

/// Text for a tool tip: markup is escaped, long text is wrapped, and cut after 2000 characters.
QString toolTipText(const QString &text);

/// "1 node", "2 nodes", with digits grouped.
QString counted(long long n, const char *singular, const char *plural);

/// The last part of a class name: "Bottleneck" of "torchvision.models.resnet.Bottleneck".
QString shortClass(std::string_view name);

/// A message as a sentence: "cannot be read" → "Cannot be read."
QString sentence(QString text);

} // namespace cutaway::views
