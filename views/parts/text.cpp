// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/text.h"

#include "core/base/text.h"
#include "core/ir/names.h"

namespace cutaway::views {

QString shown(std::string_view text, bool keepLines) { return QString::fromStdString(sanitized(text, keepLines)); }

QString shownName(const ir::NodeRef &node)
{
    const bool isUnnamed = node.name().empty() && node.outputCount() > 0 && !node.output(0).name().empty();
    return shown(isUnnamed ? std::string(node.output(0).name()) : ir::nameOf(node));
}

QString toolTipText(const QString &text)
{
    constexpr qsizetype longest = 2000;
    if (text.isEmpty())
        return {};
    const QString start = text.size() > longest ? text.first(longest) + QStringLiteral("…") : text;
    return "<p style='white-space:pre-wrap'>" + start.toHtmlEscaped() + "</p>";
}

QString counted(long long n, const char *singular, const char *plural)
{
    return QString::fromStdString(grouped(n)) + ' ' + QString::fromUtf8(n == 1 ? singular : plural);
}

QString shortClass(std::string_view name) { return shown(name.substr(name.find_last_of('.') + 1)); }

QString sentence(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text.isEmpty() || text.endsWith('.') ? text : text + '.';
}

} // namespace cutaway::views
