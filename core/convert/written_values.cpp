// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/written_values.h"

#include "core/analysis/reading/written.h"
#include "core/ops/program/container.h"

#include <algorithm>

namespace cutaway::convert {

bool WrittenValues::areAt(const ir::NodeRef &node) const
{
    const auto isWritten = [&](ir::ValueId value) { return values.contains(value); };
    bool found = std::ranges::any_of(node->outputs, isWritten);
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId value) { found = found || isWritten(value); });
    return found;
}

WrittenValues writtenValuesOf(const ir::Graph &graph, ops::Signatures &signatures)
{
    WrittenValues made;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        const ir::NodeRef node(graph, id);
        const ops::Signature *known = node->removed ? nullptr : signatures.of(node->op);
        if (known && std::ranges::any_of(known->schema.arguments, [](const auto &a) { return a.type.isWritten(); }))
            made.writers.insert(id);
    }
    if (!made.writers.empty())
        made.values = analysis::writtenValues(graph, signatures);
    return made;
}

} // namespace cutaway::convert
