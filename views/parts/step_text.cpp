// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/step_text.h"

#include "views/parts/text.h"

#include <QObject>
#include <QStringList>

namespace cutaway::views {

QString passText(const passes::Pass &pass)
{
    const std::string needs = passes::needsText(pass);
    return shown(pass.description) + (needs.empty() ? QString() : " " + QObject::tr("It %1.").arg(shown(needs)));
}

QString stepName(const passes::Step &step) { return shown(passes::print(step.entry)); }

QString stepDelta(const diff::StepDifference &nodes, bool isChange, std::size_t removedWeights)
{
    if (isChange && nodes.isEmpty() && removedWeights > 0)
        return QObject::tr("%1 removed")
            .arg(counted(static_cast<long long>(removedWeights), "parameter", "parameters"));
    return isChange ? deltaText(nodes.removed.size(), nodes.added.size(), nodes.changed.size())
                    : QObject::tr("no change");
}

QString deltaText(std::size_t removed, std::size_t added, std::size_t changed)
{
    QStringList parts;
    const std::pair<QString, std::size_t> counts[] = {
        {QStringLiteral("−%1"), removed}, {QStringLiteral("+%1"), added}, {QStringLiteral("~%1"), changed}};
    for (const auto &[pattern, count] : counts)
        if (count > 0)
            parts << pattern.arg(count);
    return parts.isEmpty() ? QObject::tr("reordered") : parts.join(' ');
}

} // namespace cutaway::views
