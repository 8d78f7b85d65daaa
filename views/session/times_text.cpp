// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/times_text.h"

#include "core/analysis/known_devices.h"
#include "core/run/timing.h"
#include "views/parts/text.h"
#include "views/session/figures.h"

#include <QObject>
#include <QStringList>

namespace cutaway::views {
namespace {

using Unit = Quantity::Unit;

QString namesText(const Figures &figures, const std::vector<ir::NodeId> &nodes, ir::NodeId without)
{
    QStringList names;
    for (const ir::NodeId node : nodes)
        if (node != without && figures.has(node))
            names << nodeText({figures.function().graph, node});
    return names.join(QStringLiteral(", "));
}

QString predictionText(const Figures &figures, ir::NodeId node)
{
    const auto ratio = figures.measuredByPredicted(std::span(&node, 1));
    const auto seconds = figures.times().of(node);
    if (!ratio || !seconds)
        return {};
    return QObject::tr("%1 the predicted %2 (lower bound on %3)")
        .arg(numberText(Unit::Ratio, *ratio), numberText(Unit::Second, *seconds / *ratio),
             shown(figures.device().name));
}

} // namespace

QString nodeText(const ir::NodeRef &node)
{
    if (!node.name().empty())
        return shown(node.name());
    const QString op = shown(node.opName());
    const QString module = shown(node.graph().context().text(node.scope().path));
    return module.isEmpty() ? op : QObject::tr("%1 in %2").arg(op, module);
}

bool isOfAnotherDevice(const RunOrigin &origin, const Figures &figures)
{
    const auto unchosen = analysis::defaultDevice();
    const bool isHere = origin.settings.target == RunSettings().target && origin.settings.options.device.empty();
    return isHere && figures.device().id != analysis::thisMachine && unchosen && figures.device().id == unchosen->id;
}

QString spreadText(const protocol::Spread &spread)
{
    if (spread.count <= 1)
        return QObject::tr("%1, one run").arg(numberText(Unit::Second, spread.median));
    return QObject::tr("%1, median of %2 runs; 5th percentile %3, 95th %4")
        .arg(numberText(Unit::Second, spread.median))
        .arg(spread.count)
        .arg(numberText(Unit::Second, spread.p5), numberText(Unit::Second, spread.p95));
}

QString timesText(const Figures &figures, ir::NodeId node)
{
    const run::NodeTimes &times = figures.times();
    if (!times.timing())
        return {};
    QStringList lines;
    for (const std::size_t part : times.partsOf(node)) {
        const run::TimedNodes &timed = times.timing()->nodes[part];
        lines << spreadText(timed.measured.time);
        if (const QString others = namesText(figures, timed.nodes, node); !others.isEmpty())
            lines << QObject::tr("fused with %1").arg(others);
        lines << shown(timed.measured.op + ", " + timed.measured.provider);
    }
    if (lines.isEmpty())
        return QObject::tr("not timed: the backend reports no time for this node");
    if (const QString prediction = predictionText(figures, node); !prediction.isEmpty())
        lines << prediction;
    return lines.join('\n');
}

QString openSizesText(const Figures &figures)
{
    constexpr qsizetype mostLetters = 24; // characters; a button of the model's page has no room for more
    const std::vector<std::string> symbols = figures.openSymbols();
    QStringList names;
    for (const std::string &symbol : symbols)
        names << shown(symbol);
    if (names.isEmpty())
        return {};
    const QString all = names.join(QStringLiteral(", "));
    return symbols.size() == 1 && all.size() <= mostLetters
        ? QObject::tr("Set %1 size…").arg(all)
        : QObject::tr("Set %1…").arg(counted(std::int64_t(symbols.size()), "size", "sizes"));
}

} // namespace cutaway::views
