// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/lowering/reading.h"

#include "core/formats/limits.h"
#include "core/formats/unusable.h"

namespace cutaway::formats::graph_text {

void Reading::countItems(std::size_t items)
{
    m_items += items;
    checkCounts();
}

void Reading::countSubgraph(const PrintedGraph &graph)
{
    constexpr std::size_t ofRegion = 64; // the memory that a region takes, even if its code is empty
    m_subgraphCode += ofRegion;
    for (const PrintedInput &input : graph.inputs)
        m_subgraphCode += input.name.size() + input.type.size();
    for (const PrintedStatement &statement : graph.statements)
        if (const auto *code = std::get_if<CodeLine>(&statement.what))
            m_subgraphCode += code->text.size();
    checkCounts();
}

void Reading::checkCounts() const
{
    if (m_items > limits::maxConstants)
        unusable("the text names tuples so often that their items are more than any known graph has");
    if (m_subgraphCode > limits::maxCodeSize)
        unusable("the text uses subgraphs so often that their code is more than any known graph has");
}

} // namespace cutaway::formats::graph_text
