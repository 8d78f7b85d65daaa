// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/torch/autocast.h"

#include "core/analysis/propagation.h"
#include "core/ir/context.h"

#include <algorithm>
#include <deque>
#include <ranges>

// Where code runs under torch.autocast: operators see their tensors as it casts them. Regions lie inside each other,
// and the innermost one of the tensors' device counts.

namespace cutaway::analysis {

namespace {

using ops::Autocast;
using ops::CastTo;
using ops::Fact;

} // namespace

/// The kind of device that the main function's inputs and weights are said to be on, if that is one.
std::optional<std::string_view> Inference::device() const
{
    std::optional<std::string_view> found;
    const ir::Graph &graph = model.functions.front().graph;
    for (const ir::FunctionInput &input : model.functions.front().inputs) {
        const auto value = ir::valueOf(graph, &input.value);
        const ir::TensorType *type = value ? value->tensorType() : nullptr;
        if (!type || !type->device)
            continue;
        const std::string_view kind = context.text(type->device->kind);
        if (found && found != kind)
            return std::nullopt;
        found = kind;
    }
    return found;
}

/// prim::Enter and prim::Exit of a torch.autocast object, as code has set it up.
void Propagation::visitContext(const ir::NodeRef &node, bool enters)
{
    ++m_inference.accesses;
    const auto object = node->arguments.empty() ? std::nullopt : ir::valueOf(m_graph, &node->arguments.front().value);
    const auto *type = object ? std::get_if<ir::ClassType>(&object->type()) : nullptr;
    if (!type || !m_inference.context.text(type->name).ends_with(".autocast_mode.autocast"))
        return;
    if (enters)
        m_autocasts.emplace_back(attribute(*object, "device"), attribute(*object, "fast_dtype"),
                                 attribute(*object, "_enabled"));
    else if (!m_autocasts.empty())
        m_autocasts.pop_back();
}

/// The row's rules, with the arguments as autocast makes them.
void Propagation::applyCast(const ir::NodeRef &node, const ops::Operator &row)
{
    if (node.opName().starts_with("is_autocast_"))
        return give(node, {ops::boolFact()});
    const auto device = m_inference.device();
    const auto around = std::views::reverse(m_autocasts);
    const auto autocast =
        std::ranges::find_if(around, [&](const Autocast &each) { return !device || each.device == *device; });
    if (autocast == around.end())
        return apply(node, row, m_source);
    CastTo to = ops::castOf(*autocast, callOf(node, m_source));
    // Where tensors may be on another device than it is for, nobody knows.
    if (to != CastTo::Nothing && !(autocast->isEnabled && (device || autocast->device == "cpu")))
        to = CastTo::Unknown;
    const bool isWide = std::ranges::any_of(
        node->arguments, [this](const ir::Argument &argument) { return ops::holdsFloat32(of(argument.value)); });
    const auto seenAs = [&](const Fact &fact) { return ops::cast(fact, to, autocast->lower, isWide); };
    std::deque<Fact> seen;
    ops::Call::Source source = m_source;
    source.fact = [&](ir::ValueId value) -> const Fact & { return seen.emplace_back(seenAs(of(value))); };
    source.tensor = [&](ir::TensorId tensor) { return seenAs(m_inference.tensor(tensor)); };
    apply(node, row, source);
}

} // namespace cutaway::analysis
