// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/autocasts.h"

#include "core/ir/context.h"
#include "core/ir/model.h"

#include <algorithm>
#include <ranges>

namespace cutaway::analysis {

using ops::CastTo;
using ops::Fact;

void Autocasts::leave()
{
    if (!m_contexts.empty())
        m_contexts.pop_back();
}

std::optional<Cast> Autocasts::castOf(const ir::NodeRef &node, const ops::Call &call, const Values &values,
                                      std::optional<std::string_view> device) const
{
    const auto inwards = std::views::reverse(m_contexts);
    const auto context =
        std::ranges::find_if(inwards, [&](const ops::Autocast &each) { return !device || each.device == *device; });
    const CastTo to = context == inwards.end() ? CastTo::Nothing : ops::castOf(*context, call);
    if (to == CastTo::Nothing)
        return std::nullopt;
    // Tensors on a device that is not known may or may not be cast.
    const bool isCertain = context->isEnabled && (device || context->device == "cpu");
    const bool isWide = std::ranges::any_of(
        node->arguments, [&](const ir::Argument &argument) { return ops::holdsFloat32(values.of(argument.value)); });
    return Cast{isCertain ? to : CastTo::Unknown, context->lower, isWide};
}

std::optional<std::string_view> deviceOf(const ir::Model &model)
{
    std::optional<std::string_view> found;
    const ir::Graph &graph = model.functions.front().graph;
    for (const ir::FunctionInput &input : model.functions.front().inputs) {
        const auto value = ir::valueOf(graph, &input.value);
        const ir::TensorType *type = value ? value->tensorType() : nullptr;
        if (!type || !type->device)
            continue;
        const std::string_view kind = model.context->text(type->device->kind);
        if (found && found != kind)
            return std::nullopt;
        found = kind;
    }
    return found;
}

} // namespace cutaway::analysis
