// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/input_ranges.h"

#include "core/ops/calls.h"
#include "core/ops/torch/signatures.h"

#include <algorithm>
#include <unordered_set>

namespace cutaway::analysis {

namespace {

class Ranges {
public:
    Ranges(const ir::Model &model, const ir::Graph &graph, const Shapes &shapes)
        : m_graph(graph),
          m_signatures(*model.context),
          m_calls(model, m_signatures, [&shapes](ir::ValueId value) { return &shapes.of(value); })
    {
    }

    std::optional<ir::NumberRange> of(ir::ValueId input)
    {
        m_range.reset();
        m_isContradictory = false;
        m_seen = {input};
        std::vector<ir::ValueId> open{input};
        while (!open.empty()) {
            const ir::ValueId value = open.back();
            open.pop_back();
            for (const ir::Use &use : m_graph.at(value).uses)
                if (const auto *node = std::get_if<ir::NodeId>(&use))
                    read(value, {m_graph, *node}, open);
        }
        return m_isContradictory ? std::nullopt : m_range;
    }

private:
    void read(ir::ValueId value, const ir::NodeRef &node, std::vector<ir::ValueId> &open)
    {
        const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
        if (!row)
            return;
        if (row->traits.domains)
            for (const ops::Domain &domain : row->traits.domains(m_calls.of(node)))
                if (isAt(domain, node, value))
                    narrow({domain.low, domain.high});
        if (!areInResults(value, *row, node))
            return;
        for (const ir::ValueId output : node->outputs)
            if (m_seen.insert(output).second)
                open.push_back(output);
    }

    /// Whether the node's results consist of elements of the value.
    bool areInResults(ir::ValueId value, const ops::Operator &row, const ir::NodeRef &node)
    {
        return row.traits.keepsElements || row.pattern == ops::Pattern::Moving
            || (row.pattern == ops::Pattern::Picking && isAt({0, 0, 0}, node, value));
    }

    bool isAt(const ops::Domain &domain, const ir::NodeRef &node, ir::ValueId value)
    {
        const ir::Operand *operand = ops::givenArgument(node, m_signatures.of(node->op), domain.argument);
        const auto *list = operand && domain.item ? operand->as<ir::List>() : nullptr;
        if (list)
            operand = *domain.item < list->items.size() ? &list->items[*domain.item] : nullptr;
        return operand && *operand == ir::Operand{value};
    }

    void narrow(const ir::NumberRange &by)
    {
        if (!m_range)
            m_range = by;
        m_range = {std::max(m_range->low, by.low), std::min(m_range->high, by.high)};
        m_isContradictory = m_isContradictory || m_range->low > m_range->high;
    }

    const ir::Graph &m_graph;
    ops::Signatures m_signatures;
    ops::Calls m_calls;
    std::unordered_set<ir::ValueId> m_seen;
    std::optional<ir::NumberRange> m_range;
    bool m_isContradictory = false;
};

} // namespace

std::map<ir::ValueId, ir::NumberRange> inputRanges(const ir::Model &model, ir::FunctionId function,
                                                   const Shapes &shapes)
{
    const ir::Graph &graph = model.at(function).graph;
    Ranges ranges(model, graph, shapes);
    std::map<ir::ValueId, ir::NumberRange> all;
    for (const ir::ValueId input : graph.at(ir::Graph::body).inputs)
        if (const auto range = ranges.of(input))
            all.emplace(input, *range);
    return all;
}

} // namespace cutaway::analysis
