// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/opset/opset.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/convert/inlined_functions.h"
#include "core/convert/opset/element_types.h"
#include "core/ir/model_format.h"
#include "core/ir/names.h"
#include "core/ir/verify.h"
#include "core/ops/onnx_versions.h"
#include "core/rewrite/rewriter.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

namespace cutaway::convert {

namespace {

constexpr std::string_view standardDomain = "ai.onnx";

/// Collects operators that cannot be converted, each operator and reason once.
class MissingList {
public:
    bool has(ir::NodeId node) const { return m_nodes.contains(node); }
    void add(const ir::NodeRef &node, const std::string &reason)
    {
        m_nodes.insert(node);
        const std::string op = node.fullName();
        auto found = std::ranges::find_if(m_missing,
                                          [&](const Missing &each) { return each.op == op && each.reason == reason; });
        if (found == m_missing.end())
            found = m_missing.insert(m_missing.end(), {op, reason, {}});
        found->places.push_back(ir::nameOf(node));
    }
    std::vector<Missing> take() { return std::move(m_missing); }

private:
    std::vector<Missing> m_missing;
    std::unordered_set<ir::NodeId> m_nodes;
};

void setOpset(ir::Model &model, std::int64_t opset)
{
    const auto found =
        std::ranges::find(model.opsets, standardDomain, [](const auto &each) { return std::string_view(each.first); });
    if (found == model.opsets.end())
        model.opsets.emplace_back(standardDomain, opset);
    else
        found->second = opset;
}

/// Changes a node by one version of the operator set; returns the reason if that is not possible.
std::optional<std::string> change(rewrite::Rewriter &rewriter, const ir::NodeRef &node, std::int64_t from,
                                  std::int64_t to)
{
    const bool isUp = to > from;
    const std::int64_t changing = std::max(from, to);
    const ops::OnnxOperator *version = ops::onnxVersionIn(node.opName(), changing);
    if (!version || version->since != changing)
        return std::nullopt;
    rules::to_onnx::VersionChange step(rewriter, node, from, to);
    const rules::to_onnx::VersionRow *row = rules::versionRowOf(node.opName(), changing);
    const rules::to_onnx::VersionRule rule = row ? (isUp ? row->up : row->down) : nullptr;
    if (!rule && isUp && version->deprecated)
        return formatted("opset {} does not have it any more", to);
    if (!rule && !isUp && !ops::onnxVersionIn(node.opName(), to))
        return formatted("it is there from opset {} on", from);
    if (rule && node.outputCount() == 0)
        return "it has no results";
    if (rule)
        rule(step);
    if (!step.isRefused() && !rewriter.isRemoved(node))
        rules::to_onnx::fitForm(step);
    return step.isRefused() ? std::optional(step.reason()) : std::nullopt;
}

ir::Model stepped(ir::Model model, std::int64_t from, std::int64_t to, MissingList &missing, const Task &task)
{
    std::optional<analysis::Shapes> shapes;
    const ir::Model before = model;
    rewrite::Rewriter rewriter(
        model, ir::FunctionId{0},
        [&]() -> const analysis::Shapes & {
            if (!shapes)
                shapes = analysis::inferShapes(before, ir::FunctionId{0},
                                               analysis::whateverOverrides(before, ir::FunctionId{0}), task);
            return *shapes;
        },
        task);
    for (const ir::NodeRef &node : rewriter.nodes())
        if (!rewriter.isRemoved(node) && node.dialect() == "onnx" && !missing.has(node))
            if (const auto fault = change(rewriter, node, from, to))
                missing.add(node, *fault);
    rewriter.finish();
    setOpset(model, to);
    return model;
}

/// Removes constants that nothing reads any more. Constants that nothing read in the graph `before` stay.
void dropUnread(ir::Model &model, const ir::Graph &before)
{
    ir::Graph &graph = model.functions.front().graph;
    for (ir::ValueId id{0}; id.index < graph.valueCount(); ++id.index) {
        const bool wasUnread = id.index < before.valueCount() && before.at(id).uses.empty();
        if (ir::ValueRef(graph, id).weight() && graph.at(id).uses.empty() && !wasUnread)
            graph.removeWeight(id);
    }
}

/// Returns the version of the file format that came with an opset.
std::int64_t formatFor(std::int64_t opset)
{
    static constexpr std::pair<std::int64_t, std::int64_t> since[] = {{21, 10}, {19, 9}, {15, 8}, {12, 7},
                                                                      {11, 6},  {10, 5}, {9, 4},  {7, 3}};
    for (const auto &[from, version] : since)
        if (opset >= from)
            return version;
    return 3;
}

/// Raises the version of the file's format to that of its opset. It is never lowered, as the file's contents may need
/// it.
void raiseFormat(ir::Model &model)
{
    constexpr std::string_view start = "ir ";
    std::int64_t version = 0;
    const std::string_view text = model.formatVersion;
    if (text.starts_with(start))
        std::from_chars(text.data() + start.size(), text.data() + text.size(), version);
    model.formatVersion = formatted("ir {}", std::max(version, formatFor(model.opset("onnx"))));
}

/// Adds to `missing` the nodes that have an input or result of a type that the model's opset does not take.
void checkNodes(const ir::Model &model, std::int64_t before, MissingList &missing, const Task &task)
{
    const ir::Graph &graph = model.functions.front().graph;
    const std::int64_t opset = model.opset("onnx");
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0}, {}, task);
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        const ir::NodeRef node(graph, id);
        if (node->removed || node.dialect() != "onnx" || missing.has(node))
            continue;
        if (const auto fault = typeFault(node, shapes, before, opset))
            missing.add(node, *fault);
    }
}

} // namespace

Result<Converted> toOpset(const ir::Model &model, std::int64_t opset, const Task &task)
{
    if (!ir::isOnnx(model))
        return usageError("the model is no ONNX model");
    const std::int64_t before = model.opset("onnx");
    for (const std::int64_t each : {before, opset})
        if (each < firstOpset || each > lastOpset)
            return usageError(
                formatted("models are changed between operator sets {} to {}, not {}", firstOpset, lastOpset, each));
    CUTAWAY_TRY(auto state, withoutFunctions(model, task));
    MissingList missing;
    Converted converted;
    converted.model = state;
    for (std::int64_t at = before; at != opset;) {
        const std::int64_t next = at < opset ? at + 1 : at - 1;
        converted.model = stepped(std::move(converted.model), at, next, missing, task);
        at = next;
    }
    dropUnread(converted.model, state.functions.front().graph);
    checkNodes(converted.model, before, missing, task);
    converted.missing = missing.take();
    raiseFormat(converted.model);
    if (const auto faults = ir::verify(converted.model); !faults.empty())
        return backendError("the conversion made an invalid graph: " + faults.front());
    return converted;
}

} // namespace cutaway::convert
