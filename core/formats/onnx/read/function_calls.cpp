// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/read/function_calls.h"

#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/ir/context.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace cutaway::formats::onnx {

namespace {

constexpr std::int64_t hugeExpansion = 10'000'000;

std::optional<std::uint32_t> calleeOf(const ir::Node &node)
{
    if (node.arguments.empty())
        return std::nullopt;
    const auto *callee = node.arguments.back().value.as<ir::FunctionId>();
    return callee ? std::optional(callee->index) : std::nullopt;
}

std::vector<std::uint32_t> callsOf(const ir::Graph &graph)
{
    std::vector<std::uint32_t> calls;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i)
        if (const auto callee = calleeOf(graph.at(ir::NodeId{i})))
            calls.push_back(*callee);
    return calls;
}

/// Returns each function's nodes with every call expanded, saturating; nothing for those that reach a cycle of calls.
std::vector<std::optional<std::int64_t>> expandedSizes(const std::vector<std::vector<std::uint32_t>> &calls,
                                                       const ir::Model &model)
{
    std::vector<std::vector<std::uint32_t>> callers(calls.size());
    std::vector<std::size_t> open(calls.size());
    std::vector<std::int64_t> sizes;
    std::vector<std::uint32_t> ready;
    std::vector<std::optional<std::int64_t>> done(calls.size());
    for (std::uint32_t f = 0; f < calls.size(); ++f) {
        sizes.push_back(model.functions[f].graph.nodeCount());
        open[f] = calls[f].size();
        for (const std::uint32_t callee : calls[f])
            callers[callee].push_back(f);
        if (open[f] == 0)
            ready.push_back(f);
    }
    while (!ready.empty()) {
        const std::uint32_t f = ready.back();
        ready.pop_back();
        done[f] = sizes[f];
        for (const std::uint32_t caller : callers[f]) {
            sizes[caller] = checkedAdd(sizes[caller], sizes[f]).value_or(std::numeric_limits<std::int64_t>::max());
            if (--open[caller] == 0)
                ready.push_back(caller);
        }
    }
    return done;
}

} // namespace

void checkCalls(const ir::Model &model, Notes &notes)
{
    if (model.functions.size() < 2)
        return;
    std::vector<std::vector<std::uint32_t>> calls;
    for (const ir::Function &function : model.functions)
        calls.push_back(callsOf(function.graph));
    const auto sizes = expandedSizes(calls, model);
    for (std::uint32_t f = 1; f < sizes.size(); ++f)
        if (!sizes[f])
            notes.warning("onnx.recursive-function",
                          formatted("the function {} calls itself or one that does; it is shown unexpanded",
                                    shown(model.context->text(model.functions[f].name))));
    if (sizes[0].value_or(0) > hugeExpansion)
        notes.warning("onnx.function-expansion",
                      formatted("with every function call expanded the model has {} nodes; they are shown unexpanded",
                                *sizes[0]));
}

} // namespace cutaway::formats::onnx
