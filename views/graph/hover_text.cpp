// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/hover_text.h"

#include "core/ir/context.h"
#include "views/parts/text.h"
#include "views/session/session.h"

#include <QStringList>

namespace cutaway::views {
namespace {

constexpr std::size_t maxValues = 12;

QString valueLine(const ir::Graph &graph, ir::ValueId id)
{
    const ir::Value &value = graph.at(id);
    const ir::Context &context = graph.context();
    return shown(context.text(value.name)) + "  " + shown(context.print(value.type));
}

QStringList valueLines(const ir::Graph &graph, const auto &values)
{
    QStringList lines;
    for (ir::ValueId value : values) {
        if (std::size_t(lines.size()) == maxValues) {
            lines << QStringLiteral("… %1 more").arg(values.size() - maxValues);
            break;
        }
        lines << valueLine(graph, value);
    }
    return lines;
}

QStringList nodeLines(const ir::Graph &graph, ir::NodeId id)
{
    const ir::Node &node = graph.at(id);
    const ir::Context &context = graph.context();
    QStringList lines{shown(context.print(node.op))};
    if (node.name != ir::NameId{})
        lines << shown(context.text(node.name));
    if (node.scope != ir::ScopeId{})
        lines << shown(context.text(context.at(node.scope).path));
    return lines << valueLines(graph, node.outputs);
}

} // namespace

QString hoverText(const Session &session, const layout::Box &box)
{
    const ir::Graph &graph = session.function().graph;
    QStringList lines;
    if (const auto *node = std::get_if<ir::NodeId>(&box.subject); node && !box.open)
        lines = nodeLines(graph, *node);
    else if (const auto *input = std::get_if<layout::InputSubject>(&box.subject))
        lines << valueLine(graph, input->value);
    if (const auto *module = std::get_if<layout::ScopeSubject>(&box.subject))
        lines << shown(graph.context().text(graph.context().at(module->scope).path));
    for (const layout::Line &line : box.lines)
        if (const QString text = shown(line.text); !lines.contains(text))
            lines << text;
    return toolTipText(lines.join('\n'));
}

QString hoverText(const Session &session, const layout::Edge &edge)
{
    return toolTipText(valueLines(session.function().graph, edge.values).join('\n'));
}

} // namespace cutaway::views
