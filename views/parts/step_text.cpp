// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/step_text.h"

#include "core/passes/blame.h"
#include "views/parts/text.h"

#include <QObject>
#include <QStringList>

namespace cutaway::views {

QString passText(const passes::Pass &pass)
{
    const std::string needs = passes::needsText(pass);
    return shown(pass.description) + (needs.empty() ? QString() : " " + QObject::tr("It %1.").arg(shown(needs)));
}

QString stepName(const passes::Step &step) { return shown(step.title()); }

QString patternsText(const passes::History &history, std::size_t position, ir::ScopeId scope)
{
    return shown(diff::lineOf(passes::patternsOf(history, position, scope)));
}

QString stepDelta(const diff::StepDifference &nodes, bool isChange, std::size_t removedWeights)
{
    return isChange ? deltaText({nodes.removed.size(), nodes.added.size(), nodes.changed.size(), removedWeights})
                    : QObject::tr("no change");
}

QString deltaText(const Delta &delta)
{
    QStringList parts;
    const std::pair<QString, std::size_t> counts[] = {{QStringLiteral("−%1"), delta.removed},
                                                      {QStringLiteral("+%1"), delta.added},
                                                      {QStringLiteral("~%1"), delta.changed}};
    for (const auto &[pattern, count] : counts)
        if (count > 0)
            parts << pattern.arg(count);
    if (parts.isEmpty() && delta.removedWeights > 0)
        return QObject::tr("%1 removed")
            .arg(counted(static_cast<long long>(delta.removedWeights), "unused parameter", "unused parameters"));
    return parts.isEmpty() ? QObject::tr("reordered") : parts.join(' ');
}

} // namespace cutaway::views
