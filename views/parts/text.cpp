// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/text.h"

#include "core/base/text.h"
#include "core/ir/names.h"

#include <algorithm>

namespace cutaway::views {

namespace {

bool isRightToLeft(QChar c)
{
    constexpr char16_t firstOfThem = 0x590;
    return c.unicode() >= firstOfThem && (c.direction() == QChar::DirR || c.direction() == QChar::DirAL);
}

bool isOfName(QChar c) { return c.isLetterOrNumber() || c.isMark() || c == '_' || c == '.' || c.isSurrogate(); }

} // namespace

QString shown(std::string_view text, bool keepLines)
{
    return isolated(QString::fromStdString(sanitized(text, keepLines)));
}

QString isolated(const QString &text)
{
    if (std::ranges::none_of(text, isRightToLeft))
        return text;
    constexpr QChar begin(0x2068), end(0x2069); // FIRST STRONG ISOLATE, POP DIRECTIONAL ISOLATE
    QString all;
    for (qsizetype at = 0; at < text.size();) {
        qsizetype behind = at;
        while (behind < text.size() && isOfName(text[behind]))
            ++behind;
        const QString name = text.sliced(at, behind - at);
        all += std::ranges::any_of(name, isRightToLeft) ? begin + name + end : name;
        for (at = behind; at < text.size() && !isOfName(text[at]); ++at)
            all += text[at];
    }
    return all;
}

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

QString toolTipTable(const QString &title, const QList<std::pair<QString, QString>> &rows)
{
    constexpr qsizetype longest = 300;
    const auto cut = [](const QString &text) {
        return (text.size() > longest ? text.first(longest) + QStringLiteral("…") : text).toHtmlEscaped();
    };
    QString table;
    for (const auto &[name, value] : rows)
        if (!value.isEmpty())
            table += QStringLiteral("<tr><td style='padding-right:12px; white-space:nowrap'>%1</td><td>%2</td></tr>")
                         .arg(cut(name), cut(value).replace('\n', "<br>"));
    return QStringLiteral("<b>%1</b>").arg(cut(title))
        + (table.isEmpty() ? QString() : "<table cellspacing='0'>" + table + "</table>");
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
