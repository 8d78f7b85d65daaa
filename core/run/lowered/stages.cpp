// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/lowered/stages.h"

#include "core/analysis/reading/written.h"
#include "core/base/formatted.h"
#include "core/ir/names.h"
#include "core/ops/program/control_flow.h"
#include "core/passes/cutting/cut.h"

#include <algorithm>
#include <unordered_map>

namespace cutaway::run {

namespace {

bool isLowered(const ir::NodeRef &node) { return ops::kindOf(node) == ops::kind::lowered; }

/// Finds the values that stages pass on to later ones.
class Handing {
public:
    Handing(const ir::Graph &graph, std::vector<Stage> &stages) : m_graph(graph), m_stages(stages)
    {
        for (std::size_t i = 0; i < stages.size(); ++i)
            for (const ir::NodeId node : stages[i].nodes)
                for (const ir::ValueId output : graph.at(node).outputs)
                    m_makers.emplace(output, i);
    }

    void run()
    {
        for (std::size_t i = 0; i < m_stages.size(); ++i)
            for (const ir::NodeId node : m_stages[i].nodes)
                for (const ir::ValueId value : passes::valuesReadBy({m_graph, node}))
                    read(value, i);
        for (const ir::Operand &output : m_graph.at(ir::Graph::body).outputs)
            forEachValue(output, [&](ir::ValueId value) { read(value, m_stages.size()); });
    }

private:
    void read(ir::ValueId value, std::size_t reader)
    {
        const auto maker = m_makers.find(value);
        if (maker == m_makers.end() || maker->second == reader)
            return;
        addOnce(m_stages[maker->second].results, value);
        if (reader < m_stages.size())
            addOnce(m_stages[reader].opened, value);
    }

    static void addOnce(std::vector<ir::ValueId> &values, ir::ValueId value)
    {
        if (!std::ranges::contains(values, value))
            values.push_back(value);
    }

    const ir::Graph &m_graph;
    std::vector<Stage> &m_stages;
    std::unordered_map<ir::ValueId, std::size_t> m_makers;
};

Result<std::string> loweredText(const ir::NodeRef &node, std::string_view name)
{
    const ir::Operand *operand = node.argument(name);
    const auto *text = operand ? operand->as<ir::String>() : nullptr;
    if (!text)
        return unreadable(formatted("{} has no text '{}'", ir::nameOf(node), name));
    return std::string(node.graph().context().text(text->text));
}

bool staysInFolder(const std::filesystem::path &path)
{
    return !path.empty() && path.is_relative() && !std::ranges::contains(path, std::filesystem::path(".."));
}

} // namespace

bool hasLoweredParts(const ir::Function &function)
{
    return std::ranges::any_of(ir::nodesOf(function.graph), isLowered);
}

Result<std::vector<Stage>> stagesOf(const ir::Function &function)
{
    const ir::Graph &graph = function.graph;
    ops::Signatures signatures(graph.context());
    if (!analysis::writtenValues(graph, signatures).empty())
        return usageError("the model writes to tensors in place, and its parts are computed apart; run the pass "
                          "functionalize before it is lowered");
    std::vector<Stage> stages;
    for (const ir::NodeRef node : ir::nodesOf(graph)) {
        const bool lowered = isLowered(node);
        if (lowered || stages.empty() || stages.back().isLowered)
            stages.push_back({{}, lowered, {}, {}});
        stages.back().nodes.push_back(node);
    }
    Handing(graph, stages).run();
    return stages;
}

Result<LoweredNode> readLowered(const ir::Model &model, const ir::NodeRef &node)
{
    CUTAWAY_TRY(auto backend, loweredText(node, "backend"));
    CUTAWAY_TRY(auto device, loweredText(node, "device"));
    CUTAWAY_TRY(const auto file, loweredText(node, "file"));
    if (!staysInFolder(file))
        return unreadable(formatted("{} names a file that is not in the model's folder", ir::nameOf(node)), file);
    LoweredNode lowered{
        {}, std::move(backend), std::move(device), std::filesystem::path(model.path).parent_path() / file};
    if (const ir::Operand *inputs = node.argument("inputs"))
        forEachValue(*inputs, [&](ir::ValueId value) { lowered.inputs.push_back(value); });
    return lowered;
}

} // namespace cutaway::run
