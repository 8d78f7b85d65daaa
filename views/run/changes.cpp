// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/run/changes.h"

#include "views/parts/property_sheet.h"
#include "views/parts/quantity.h"
#include "views/parts/text.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/session.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace cutaway::views {
namespace {

constexpr std::size_t maxChanges = 12;

using Unit = Quantity::Unit;

QString changeText(const run::TimeChange &change)
{
    const QString both = mediansText(change);
    const auto ratio = change.ratio();
    return ratio ? QStringLiteral("%1 (%2)").arg(both, numberText(Unit::Ratio, *ratio)) : both;
}

QString noiseText(run::Verdict verdict)
{
    switch (verdict) {
    case run::Verdict::WithinNoise:
        return QObject::tr("The change is within the noise");
    case run::Verdict::NotKnown:
        return QObject::tr("With fewer than %1 runs on one side, the noise is unknown").arg(run::fewestForNoise);
    default:
        return QObject::tr("The change exceeds the noise");
    }
}

/// Returns the time of the first of these nodes in the later profile, or in the earlier one if the later has none of
/// them.
const run::SavedTime &firstOf(const ProfileChange &change, const run::NodesChange &nodes)
{
    return nodes.b.empty() ? change.before.profile->nodes[nodes.a.front()] : change.after->nodes[nodes.b.front()];
}

std::vector<const run::NodesChange *> mostChanged(const run::ProfileComparison &comparison)
{
    std::vector<const run::NodesChange *> sorted;
    for (const run::NodesChange &change : comparison.nodes)
        if (change.time.verdict() != run::Verdict::WithinNoise)
            sorted.push_back(&change);
    std::ranges::stable_sort(sorted, std::greater(),
                             [](const run::NodesChange *change) { return std::abs(change->time.difference()); });
    return sorted;
}

void addRow(PropertySheet &sheet, Session &session, const ProfileChange &change, const run::NodesChange &nodes)
{
    const run::SavedTime &time = firstOf(change, nodes);
    const auto *part = time.parts.empty() ? nullptr : &time.parts.front();
    const QString name = shown(part ? part->name : time.measured.name);
    if (part && isThere(session.document().function(), part->id))
        sheet.link(changeText(nodes.time), name, [&session, id = part->id] { session.navigation().reveal(id); });
    else
        sheet.row(changeText(nodes.time), name);
}

} // namespace

QString mediansText(const run::TimeChange &change)
{
    const auto median = [](const std::optional<protocol::Spread> &time) {
        return time ? secondsText(time->median) : QStringLiteral("—");
    };
    return median(change.before) + QStringLiteral(" → ") + median(change.after);
}

void fillChanges(PropertySheet &sheet, Session &session)
{
    const auto &change = session.running().comparison().change();
    const auto &baseline = session.running().comparison().baseline();
    if (!baseline)
        return;
    sheet.section(QObject::tr("Compared with %1").arg(baseline->name));
    if (!change)
        return sheet.muted(QObject::tr("The next profile will be compared with it."));
    const run::TimeChange &whole = change->comparison.whole;
    sheet.row(QObject::tr("run time"), changeText(whole), PropertySheet::Look::Number);
    const auto nodes = mostChanged(change->comparison);
    const auto rest = change->comparison.nodes.size() - nodes.size();
    sheet.muted(QObject::tr("%1; %2 of the nodes' times are within the noise of the runs.")
                    .arg(noiseText(whole.verdict()))
                    .arg(rest));
    for (const run::NodesChange *each : nodes | std::views::take(maxChanges))
        addRow(sheet, session, *change, *each);
}

} // namespace cutaway::views
