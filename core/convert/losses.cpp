// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/losses.h"

#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ops/operator.h"
#include "core/ops/program/control_flow.h"

#include <algorithm>

namespace cutaway::convert {

std::string placeOf(const ir::NodeRef &node)
{
    std::string place(node.name().empty() && node.outputCount() > 0 ? node.output(0).name() : node.name());
    const std::string_view path = node.graph().context().text(node.scope().path);
    if (!path.empty())
        place += formatted(" in {}", path);
    if (const ir::Location &at = node.location(); at.line > 0)
        place += formatted(" at {}:{}", node.graph().context().text(at.file), at.line);
    return place;
}

bool entersAutocast(const ir::NodeRef &node)
{
    const auto object =
        node->arguments.empty() ? std::nullopt : ir::valueOf(node.graph(), &node->arguments.front().value);
    const auto *type = object ? std::get_if<ir::ClassType>(&object->type()) : nullptr;
    return ops::kindOf(node) == ops::kind::enterContext && type
        && node.graph().context().text(type->name).ends_with(".autocast_mode.autocast");
}

void Losses::note(std::string_view sentence)
{
    if (!std::ranges::contains(m_converted.notes, sentence))
        m_converted.notes.emplace_back(sentence);
}

void Losses::miss(const std::string &op, const std::string &reason, std::string place)
{
    const auto [known, isNew] = m_missing.try_emplace({op, reason}, m_converted.missing.size());
    if (isNew)
        m_converted.missing.push_back({op, reason, {}});
    m_converted.missing[known->second].places.push_back(std::move(place));
}

void Losses::noteEffects(const ir::Graph &graph)
{
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        const ir::NodeRef node(graph, id);
        const ops::Operator *row = node->removed ? nullptr : ops::findOperator(node.dialect(), node.opName());
        if (!row || row->traits.effect != ops::Effect::Acts)
            continue;
        if (entersAutocast(node))
            note("operands that torch.autocast casts keep their dtypes");
        else if (ops::kindOf(node) == ops::kind::raise)
            note("checks that raise an error are left out");
        else if (node->outputs.empty() && ops::kindOf(node) != ops::kind::exitContext)
            note(formatted("what {}::{} does is left out", node.dialect(), node.opName()));
    }
}

} // namespace cutaway::convert
