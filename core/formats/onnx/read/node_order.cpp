// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/read/node_order.h"

#include "core/base/formatted.h"
#include "core/formats/notes/notes.h"
#include "core/formats/onnx/wire.h"
#include "core/ir/context.h"

#include <functional>
#include <queue>

namespace cutaway::formats::onnx {

namespace {

std::string describe(const GraphRecord &graph, std::uint32_t node, const ir::Model &model)
{
    const NodeRecord &record = graph.nodes[node];
    const auto outputs = graph.outputsOf(record);
    const auto name = outputs.empty() ? record.name : outputs.front();
    return formatted("{} node that makes {}", model.context->print(record.op), shown(model.context->text(name)));
}

} // namespace

template <class Visit>
void NodeOrder::forEachMaker(const GraphRecord &graph, std::uint32_t node, Visit &&visit) const
{
    const auto look = [&](ir::NameId name) {
        if (const std::uint32_t maker = m_makers.get(name); maker != 0)
            visit(maker - 1);
    };
    for (const ir::NameId name : graph.inputsOf(graph.nodes[node]))
        look(name);
    if (const auto &extras = graph.nodes[node].extras)
        for (const ir::NameId name : extras->captures)
            look(name);
}

std::optional<std::vector<std::uint32_t>> NodeOrder::of(const GraphRecord &graph)
{
    const std::size_t mark = m_makers.mark();
    define(graph);
    bool inOrder = true;
    for (std::uint32_t i = 0; i < graph.nodes.size() && inOrder; ++i)
        forEachMaker(graph, i, [&](std::uint32_t maker) { inOrder = inOrder && maker < i; });
    std::optional<std::vector<std::uint32_t>> order;
    if (!inOrder)
        order = sorted(graph);
    m_makers.rollBack(mark);
    return order;
}

void NodeOrder::define(const GraphRecord &graph)
{
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
        for (const ir::NameId output : graph.outputsOf(graph.nodes[i])) {
            if (output == ir::NameId{})
                continue;
            if (const std::uint32_t other = m_makers.get(output); other != 0)
                unusable(formatted("two nodes make the value {}", shown(m_model.context->text(output))),
                         formatted("nodes {} and {}", other - 1, i));
            m_makers.set(output, i + 1);
        }
    }
}

std::vector<std::uint32_t> NodeOrder::sorted(const GraphRecord &graph) const
{
    const auto count = static_cast<std::uint32_t>(graph.nodes.size());
    std::vector<std::uint32_t> waitsFor(count);
    std::vector<std::vector<std::uint32_t>> readers(count);
    for (std::uint32_t i = 0; i < count; ++i)
        forEachMaker(graph, i, [&](std::uint32_t maker) {
            ++waitsFor[i];
            readers[maker].push_back(i);
        });
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (std::uint32_t i = 0; i < count; ++i)
        if (waitsFor[i] == 0)
            ready.push(i);
    std::vector<std::uint32_t> order;
    for (; !ready.empty();) {
        const std::uint32_t node = ready.top();
        ready.pop();
        order.push_back(node);
        for (const std::uint32_t reader : readers[node])
            if (--waitsFor[reader] == 0)
                ready.push(reader);
    }
    if (order.size() == count)
        return order;
    std::uint32_t stuck = 0;
    while (waitsFor[stuck] == 0)
        ++stuck;
    unusable("the graph has a cycle; ONNX allows none", describe(graph, stuck, m_model));
}

} // namespace cutaway::formats::onnx
