// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/running/trace_change.h"

#include "views/parts/property_sheet.h"
#include "views/parts/quantity.h"
#include "views/parts/text.h"
#include "views/run/changes.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/running/opened_trace.h"
#include "views/session/session.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace cutaway::views {
namespace {

constexpr std::size_t mostNodes = 12, mostOthers = 6;

using Unit = Quantity::Unit;

QString ratioText(const run::TimeChange &time)
{
    const auto ratio = time.ratio();
    return ratio ? numberText(Unit::Ratio, *ratio) : QStringLiteral("—");
}

/// Returns the change of a time: "layers.0: 1.2 ms → 0.9 ms, faster".
QString changeText(const QString &name, const run::TimeChange &time, const QString &verdict)
{
    return QStringLiteral("%1: %2, %3").arg(name, mediansText(time), verdict);
}

QString rangeText(const std::optional<protocol::Spread> &spread)
{
    return spread ? QObject::tr("%1 to %2 in %3")
                        .arg(numberText(Unit::Second, spread->p5), numberText(Unit::Second, spread->p95),
                             counted(static_cast<long long>(spread->count), "iteration", "iterations"))
                  : QObject::tr("nothing");
}

/// Returns the range of the times, which is their noise, in both traces.
QString noiseText(const run::TimeChange &time)
{
    return toolTipText(QObject::tr("From the 5th to the 95th percentile: %1, then %2")
                           .arg(rangeText(time.before), rangeText(time.after)));
}

/// Returns at most `most` changes, the largest first, without those within the noise.
template <class Change, class TimeOf>
std::vector<const Change *> mostChanged(const std::vector<Change> &all, std::size_t most, TimeOf timeOf)
{
    std::vector<const Change *> sorted;
    for (const Change &each : all)
        if (timeOf(each).verdict() != run::Verdict::WithinNoise)
            sorted.push_back(&each);
    std::ranges::stable_sort(sorted, std::greater(),
                             [&](const Change *each) { return std::abs(timeOf(*each).difference()); });
    sorted.resize(std::min(sorted.size(), most));
    return sorted;
}

void addNodes(PropertySheet &sheet, Session &session, const TraceChange &change)
{
    const auto timeOf = [](const trace::NodeChange &each) { return each.time; };
    for (const auto *each : mostChanged(change.comparison.nodes, mostNodes, timeOf)) {
        const QString name = shownName({change.graph(), each->node});
        const QString verdict = shown(trace::verdictText(*each));
        if (isThere(session.document().function(), each->node))
            sheet.link(
                ratioText(each->time), name, [&session, id = each->node] { session.navigation().reveal(id); },
                noiseText(each->time), QStringLiteral("%1, %2").arg(mediansText(each->time), verdict));
        else
            sheet.row(ratioText(each->time), changeText(name, each->time, verdict), PropertySheet::Look::Plain,
                      noiseText(each->time));
    }
}

void addModules(PropertySheet &sheet, const TraceChange &change)
{
    using Module = std::pair<std::string, run::TimeChange>;
    std::vector<Module> modules(change.comparison.modules.begin(), change.comparison.modules.end());
    std::erase_if(modules, [](const Module &each) { return each.first.empty(); });
    const auto changed = mostChanged(modules, mostOthers, [](const Module &each) { return each.second; });
    if (!changed.empty())
        sheet.section(QObject::tr("Modules, from A to B"));
    for (const Module *each : changed)
        sheet.row(ratioText(each->second),
                  changeText(shown(each->first), each->second, shown(run::name(each->second.verdict()))),
                  PropertySheet::Look::Plain, noiseText(each->second));
}

void addOthers(PropertySheet &sheet, const TraceChange &change)
{
    const auto timeOf = [](const trace::OtherChange &each) { return each.time; };
    const auto changed = mostChanged(change.comparison.others, mostOthers, timeOf);
    if (!changed.empty())
        sheet.section(QObject::tr("Without a node, from A to B"));
    for (const trace::OtherChange *each : changed)
        sheet.row(ratioText(each->time),
                  changeText(shown(each->name), each->time, shown(run::name(each->time.verdict()))),
                  PropertySheet::Look::Plain, noiseText(each->time));
}

} // namespace

void fillTraceChange(PropertySheet &sheet, Session &session)
{
    const auto change = session.running().traceChange();
    if (!change)
        return;
    const trace::Comparison &comparison = change->comparison;
    sheet.section(QObject::tr("Two traces"));
    sheet.muted(QObject::tr("A is %1, B is %2, of which %3 is linked.")
                    .arg(shown(change->before), shown(change->after), numberText(Unit::Share, change->linkedShare)));
    sheet.row(QObject::tr("run time"),
              QStringLiteral("%1 (%2)").arg(mediansText(comparison.whole), ratioText(comparison.whole)),
              PropertySheet::Look::Number, noiseText(comparison.whole));
    sheet.row(QObject::tr("verdict"), shown(run::name(comparison.whole.verdict())));
    const auto within = std::ranges::count(comparison.nodes, run::Verdict::WithinNoise,
                                           [](const trace::NodeChange &each) { return each.time.verdict(); });
    sheet.section(QObject::tr("Nodes, from A to B"));
    addNodes(sheet, session, *change);
    sheet.muted(QObject::tr("%1 of %2 within the noise%3.")
                    .arg(within)
                    .arg(counted(std::ssize(comparison.nodes), "node is", "nodes are"))
                    .arg(comparison.isOnDevices ? QObject::tr("; times are those on devices") : QString()));
    addModules(sheet, *change);
    addOthers(sheet, *change);
}

} // namespace cutaway::views
