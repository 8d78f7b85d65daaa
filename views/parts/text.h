// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

namespace cutaway::views {

/// Text of a file as it may be shown: UTF-8 made valid, control characters visible.
QString shown(std::string_view text, bool keepLines = false);

/// Text for a tool tip: what looks like markup in it stays text, long text is wrapped and cut at some thousand letters.
QString toolTipText(const QString &text);

/// "1 node", "2 nodes", with digits grouped.
QString counted(long long n, const char *singular, const char *plural);

/// The last part of a class name: "Bottleneck" of "torchvision.models.resnet.Bottleneck".
QString shortClass(std::string_view name);

/// Messages start lower-case, for a line of a terminal; here they are sentences: "Cannot be read."
QString sentence(QString text);

} // namespace cutaway::views
