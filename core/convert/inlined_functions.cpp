// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/inlined_functions.h"

#include "core/passes/history.h"
#include "core/passes/inlining.h"

#include <algorithm>

namespace cutaway::convert {

namespace {

bool hasCalls(const ir::Model &model)
{
    const ir::Graph &graph = model.functions.front().graph;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        for (const ir::Argument &argument : graph.at(id).arguments)
            if (!graph.at(id).removed && argument.value.as<ir::FunctionId>())
                return true;
    return false;
}

} // namespace

Result<ir::Model> withoutFunctions(const ir::Model &model, const Task &task)
{
    if (model.functions.size() < 2)
        return model;
    passes::History history(std::make_shared<const ir::Model>(model), ir::FunctionId{0});
    history.run(passes::withNeeds(*passes::parsePipeline("inline-calls")), task);
    if (history.failure())
        return std::unexpected(history.failure()->error);
    ir::Model inlined = *history.modelAfter(history.steps().size());
    for (const ir::Function &function : inlined.functions)
        if (std::string reason = passes::whyOfAnotherOpset(inlined, function); hasCalls(inlined) && !reason.empty())
            return usageError(std::move(reason));
    if (hasCalls(inlined))
        return usageError("the model has functions that cannot be inlined, which are not changed");
    inlined.functions.erase(inlined.functions.begin() + 1, inlined.functions.end());
    std::erase_if(inlined.attachments, [](const ir::Attachment &each) { return each.name.starts_with("function "); });
    return inlined;
}

} // namespace cutaway::convert
