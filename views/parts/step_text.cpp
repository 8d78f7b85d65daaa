// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/step_text.h"

#include "views/parts/text.h"

#include <QObject>
#include <QStringList>

namespace cutaway::views {

QString stepName(const passes::Step &step) { return shown(passes::print(step.entry)); }

QString stepDelta(const passes::Step &step)
{
    if (!step.isChange)
        return QObject::tr("nothing to do");
    QStringList parts;
    const std::pair<QString, std::size_t> counts[] = {{QStringLiteral("−%1"), step.nodes.removed.size()},
                                                      {QStringLiteral("+%1"), step.nodes.added.size()},
                                                      {QStringLiteral("~%1"), step.nodes.changed.size()}};
    for (const auto &[pattern, count] : counts)
        if (count > 0)
            parts << pattern.arg(count);
    return parts.isEmpty() ? QObject::tr("another order") : parts.join(' ');
}

} // namespace cutaway::views
