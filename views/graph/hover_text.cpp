// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/hover_text.h"

#include "core/ir/node_ref.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/annotations/activation_text.h"
#include "views/session/annotations/annotating.h"
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

using TipRows = QList<std::pair<QString, QString>>;

/// Adds the statistics of the node's results in the last run, and its cells of the other columns of node data.
void addAnnotations(TipRows &rows, const Session &session, ir::NodeId node)
{
    const Annotating &annotating = session.annotating();
    const ir::Graph &graph = session.drawing().function().graph;
    if (const auto *activations = annotating.activations(); activations && node.index < graph.nodeCount())
        for (const ir::ValueId value : graph.at(node).outputs)
            if (const run::Activation *activation = activations->of(value))
                rows.emplace_back(QObject::tr("In the run"), activationText(*activation));
    if (!annotating.data())
        return;
    for (const node_data::Column &column : annotating.data()->columns)
        if (!column.name.starts_with(run::runPrefix) && node.index < column.cells.size())
            if (const std::string text = node_data::print(column.cells[node.index]); !text.empty())
                rows.emplace_back(shown(column.name), shown(text));
}

/// Returns rows for all that the analysis derived about a box, apart from the types of its results.
TipRows figureRows(const Session &session, const layout::Subject &box)
{
    TipRows rows;
    const Figures *figures = session.analysing().figures().get();
    if (!figures)
        return rows;
    for (const Measure measure : allMeasures)
        if (const Quantity quantity = figures->of(box, measure); quantity.numberOrExample())
            rows.emplace_back(title(measure), quantity.text());
    const auto *node = std::get_if<ir::NodeId>(&box);
    if (node)
        addAnnotations(rows, session, *node);
    if (const analysis::Stop *stop = node ? figures->stopAt(*node) : nullptr)
        rows.emplace_back(QObject::tr("Unknown"), shown(stop->reason));
    return rows;
}

/// Adds the attributes and weights that the box of a node shows.
void addCard(TipRows &rows, const layout::Box &box)
{
    for (const layout::Line &line : box.lines) {
        if (line.style == layout::Line::Style::Detail)
            rows.emplace_back(QObject::tr("Attributes"), shown(line.text));
        else if (line.style == layout::Line::Style::Weight)
            rows.emplace_back(QObject::tr("Weight"), shown(line.text));
    }
}

QString nodeTip(const Session &session, const layout::Box &box, const ir::NodeRef &node, const TipRows &figures)
{
    TipRows rows{{QObject::tr("Name"), shown(node.name())},
                 {QObject::tr("Module"), shown(node.graph().context().text(node.scope().path))}};
    addCard(rows, box);
    const QStringList outputs = valueLines(session, node->outputs);
    rows.emplace_back(outputs.size() > 1 ? QObject::tr("Outputs") : QObject::tr("Output"), outputs.join('\n'));
    return toolTipTable(shown(node.fullName()), rows + figures);
}

/// Returns the tool tip of a module, group or region, with the text of its box.
QString partTip(const Session &session, const layout::Box &box, const TipRows &figures)
{
    TipRows rows;
    const ir::Context &context = session.drawing().function().graph.context();
    if (const auto *module = std::get_if<layout::ScopeSubject>(&box.subject))
        rows.emplace_back(QObject::tr("Module"), shown(context.text(context.at(module->scope).path)));
    QStringList lines;
    for (const layout::Line &line : box.lines)
        lines << shown(line.text);
    const QString first = lines.isEmpty() ? QString() : lines.takeFirst();
    rows.emplace_back(QObject::tr("Contents"), lines.join('\n'));
    return toolTipTable(first, rows + figures);
}

/// Returns the tool tip of an input, and of all others that its pill stands for.
QString inputTip(const Session &session, const layout::Box &box, const layout::InputSubject &first,
                 const TipRows &figures)
{
    std::vector<ir::ValueId> values{first.value};
    for (const layout::Subject &other : box.others)
        values.push_back(std::get<layout::InputSubject>(other).value);
    return toolTipTable(values.size() > 1 ? QObject::tr("Inputs") : QObject::tr("Input"),
                        TipRows{{QObject::tr("Types"), valueLines(session, values).join('\n')}} + figures);
}

} // namespace

QString hoverText(const Session &session, const layout::Box &box)
{
    TipRows figures = figureRows(session, box.subject);
    if (const Bookmark *bookmark = session.bookmarks().of(box.subject))
        figures.emplace_back(QObject::tr("Note"), bookmark->note);
    if (const auto *node = std::get_if<ir::NodeId>(&box.subject); node && !box.open)
        return nodeTip(session, box, {session.navigation().functionOf(*node).graph, *node}, figures);
    if (const auto *input = std::get_if<layout::InputSubject>(&box.subject))
        return inputTip(session, box, *input, figures);
    return partTip(session, box, figures);
}

QString hoverText(const Session &session, const layout::Edge &edge)
{
    QStringList lines = valueLines(session, edge.values);
    if (const auto *activations = session.annotating().activations())
        for (const ir::ValueId value : edge.values)
            if (const run::Activation *activation = activations->of(value))
                lines << (edge.values.size() > 1
                              ? shown(ir::ValueRef(session.drawing().function().graph, value).name()) + ": "
                              : QString())
                        + activationText(*activation);
    if (edge.isBridge)
        lines << QObject::tr("through hidden nodes");
    return toolTipText(lines.join('\n'));
}

} // namespace cutaway::views
