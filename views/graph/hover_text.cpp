// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/hover_text.h"

#include "core/ir/node_ref.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/bookmarks.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <QStringList>

namespace cutaway::views {
namespace {

constexpr std::size_t maxValues = 12;

QString valueLine(const Session &session, ir::ValueId id)
{
    return shown(ir::ValueRef(session.drawing().function().graph, id).name()) + "  " + session.analysing().typeText(id);
}

QStringList valueLines(const Session &session, const auto &values)
{
    QStringList lines;
    for (ir::ValueId value : values) {
        if (std::size_t(lines.size()) == maxValues) {
            lines << QStringLiteral("… %1 more").arg(values.size() - maxValues);
            break;
        }
        lines << valueLine(session, value);
    }
    return lines;
}

/// "1.20 GFLOP · 3.1 MiB memory traffic · 12 µs"
QString costLine(const Figures &figures, const layout::Subject &box)
{
    QStringList parts;
    const std::pair<Measure, QString> wanted[] = {{Measure::Flops, QStringLiteral("%1")},
                                                  {Measure::Bytes, QObject::tr("%1 memory traffic")},
                                                  {Measure::Memory, QObject::tr("%1 live memory")},
                                                  {Measure::Time, QObject::tr("at least %1")},
                                                  {Measure::Measured, QObject::tr("%1 measured")}};
    for (const auto &[measure, pattern] : wanted)
        if (const Quantity quantity = figures.of(box, measure); quantity.numberOrExample())
            parts << pattern.arg(quantity.text());
    return parts.join(QStringLiteral("  ·  "));
}

/// What is derived of a box beside its types.
QStringList figureLines(const Session &session, const layout::Subject &box)
{
    const Figures *figures = session.analysing().figures().get();
    if (!figures)
        return {};
    QStringList lines;
    if (const QString cost = costLine(*figures, box); !cost.isEmpty())
        lines << cost;
    const auto *node = std::get_if<ir::NodeId>(&box);
    if (const analysis::Stop *stop = node ? figures->stopAt(*node) : nullptr)
        lines << QObject::tr("unknown: %1").arg(shown(stop->reason));
    return lines;
}

QStringList nodeLines(const Session &session, const ir::NodeRef &node)
{
    QStringList lines{shown(node.fullName())};
    if (!node.name().empty())
        lines << shown(node.name());
    if (node->scope != ir::ScopeId{})
        lines << shown(node.graph().context().text(node.scope().path));
    return lines << valueLines(session, node->outputs);
}

/// Of the input, and of all others that its pill stands for.
QStringList inputLines(const Session &session, const layout::Box &box, const layout::InputSubject &first)
{
    std::vector<ir::ValueId> values{first.value};
    for (const layout::Subject &other : box.others)
        values.push_back(std::get<layout::InputSubject>(other).value);
    return valueLines(session, values);
}

} // namespace

QString hoverText(const Session &session, const layout::Box &box)
{
    const ir::Graph &graph = session.drawing().function().graph;
    QStringList lines;
    if (const auto *node = std::get_if<ir::NodeId>(&box.subject); node && !box.open)
        lines = nodeLines(session, {session.navigation().functionOf(*node).graph, *node});
    else if (const auto *input = std::get_if<layout::InputSubject>(&box.subject))
        lines << inputLines(session, box, *input);
    if (const auto *module = std::get_if<layout::ScopeSubject>(&box.subject))
        lines << shown(graph.context().text(graph.context().at(module->scope).path));
    for (const layout::Line &line : box.lines)
        if (const QString text = shown(line.text); !lines.contains(text))
            lines << text;
    lines << figureLines(session, box.subject);
    if (const Bookmark *bookmark = session.bookmarks().of(box.subject); bookmark && !bookmark->note.isEmpty())
        lines << QObject::tr("note: %1").arg(bookmark->note);
    return toolTipText(lines.join('\n'));
}

QString hoverText(const Session &session, const layout::Edge &edge)
{
    QStringList lines = valueLines(session, edge.values);
    if (edge.isBridge)
        lines << QObject::tr("through hidden nodes");
    return toolTipText(lines.join('\n'));
}

} // namespace cutaway::views
