// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/run_sizes.h"

#include "core/analysis/known_tensor.h"
#include "core/ir/node_ref.h"
#include "core/trace/read/json_text.h"

#include <charconv>
#include <set>

namespace cutaway::trace {

namespace {

class RunSizes {
public:
    RunSizes(const ir::Model &model, const analysis::Analysis &analysis)
        : m_graph(model.at(analysis.function).graph),
          m_analysis(analysis),
          m_recorded(model, analysis.given.bindings)
    {
    }

    /// Adds an event of a node, with the sizes of its operands: "[[4,16],[],[32]]".
    void add(ir::NodeId node, std::string_view written)
    {
        Members operand(written);
        for (const ir::Argument &argument : m_graph.at(node).arguments) {
            if (!operand.next())
                return;
            if (const auto value = ir::valueOf(m_graph, &argument.value))
                addOperand(*value, operand.value());
        }
    }

    symbolic::Bindings take()
    {
        for (const std::string &symbol : m_several)
            m_bindings.erase(symbol);
        return std::move(m_bindings);
    }

private:
    void addOperand(const ir::ValueRef &value, std::string_view written)
    {
        const auto known = analysis::knownTensor(m_recorded, value.type(), &m_analysis.shapes.of(value));
        if (!known || !known->shape)
            return;
        Members size(written);
        for (const ir::Dim &dim : *known->shape) {
            if (!size.next())
                return;
            std::int64_t number = 0;
            const std::string_view text = size.value();
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            if (error != std::errc() || end != text.data() + text.size() || number < 0)
                return;
            if (const auto symbol = symbolIn(dim))
                if (const auto [before, isNew] = m_bindings.emplace(*symbol, number);
                    !isNew && before->second != number)
                    m_several.insert(*symbol);
        }
    }

    /// Returns the name of the symbol that a size is; nothing for other formulas.
    static std::optional<std::string> symbolIn(const ir::Dim &dim)
    {
        const auto *expression = std::get_if<symbolic::Expr>(&dim);
        if (!expression)
            return std::nullopt;
        const auto symbols = symbolic::symbolsOf(*expression);
        return symbols.size() == 1 && ir::print(dim) == *symbols.begin() ? std::optional(*symbols.begin())
                                                                         : std::nullopt;
    }

    const ir::Graph &m_graph;
    const analysis::Analysis &m_analysis;
    analysis::RecordedSizes m_recorded;
    symbolic::Bindings m_bindings;
    std::set<std::string> m_several; ///< symbols for which several values were found
};

} // namespace

symbolic::Bindings runSizes(const Trace &trace, const Linked &linked, const ir::Model &model,
                            const analysis::Analysis &analysis)
{
    RunSizes sizes(model, analysis);
    std::set<std::pair<ir::NodeId, TextId>> seen;
    for (const Row &row : linked.rows)
        if (row.link.nodes.size() == 1 && row.phase != Phase::Backward) {
            const TextId dims = trace.detailsOf(trace.events[row.event]).dims;
            if (dims != TextId::None && seen.emplace(row.link.nodes.front(), dims).second)
                sizes.add(row.link.nodes.front(), trace.texts.at(dims));
        }
    return sizes.take();
}

} // namespace cutaway::trace
