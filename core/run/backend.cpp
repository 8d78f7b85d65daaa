// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/backend.h"

#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/passes/written.h"
#include "core/plugin/found.h"
#include "core/run/lowered/lowered.h"

#include <algorithm>
#include <unordered_map>

namespace cutaway::run {

Result<std::unique_ptr<Backend>> findBackend(const std::string &name, const std::string &target,
                                             const BackendOptions &options)
{
    if (name == evaluatorName) {
        if (!options.device.empty() && options.device != "cpu")
            return usageError(formatted("the evaluator computes on the processor alone, not on '{}'", options.device));
        if (!options.libraries.empty())
            return usageError("the evaluator loads no libraries of operators; a plugin such as torch does");
        return evaluatorBackend();
    }
    const std::size_t slash = std::min(name.find('/'), name.size());
    const std::string form = name.substr(std::min(slash + 1, name.size()));
    const auto targets = plugin::readTargets();
    if (!targets)
        return std::unexpected(targets.error());
    auto place = plugin::findTarget(target, *targets);
    if (!place)
        return std::unexpected(place.error());
    auto manifest = plugin::findPlugin(name.substr(0, slash), plugin::findPlugins(), *place);
    if (!manifest)
        return std::unexpected(manifest.error());
    if (!manifest->backend)
        return std::unexpected(Error{ErrorKind::Usage, "the plugin '" + manifest->name + "' runs no models", {}});
    if (!form.empty() && !std::ranges::contains(manifest->backend->runs, form))
        return std::unexpected(
            Error{ErrorKind::Usage, "the plugin '" + manifest->name + "' runs nothing called '" + form + "'", {}});
    return withLoweredParts(pluginBackend(std::move(*manifest), form, std::move(*place), options), target, options);
}

namespace {

/// Copies of values of the body, each made right behind its producer.
class Copies {
public:
    explicit Copies(ir::Graph &graph) : m_graph(graph) { }

    ir::ValueId of(ir::ValueId value)
    {
        const ir::NodeId producer = *ir::ValueRef(m_graph, value).producer();
        ir::Context &context = m_graph.context();
        const ir::NodeId copy = m_graph.append(ir::Graph::body,
                                               {.op = context.op("aten", "clone", ""),
                                                .name = {},
                                                .scope = m_graph.at(producer).scope,
                                                .location = m_graph.at(producer).location,
                                                .arguments = {{context.name("self"), ir::Operand{value}}},
                                                .origins = {producer},
                                                .metadata = {}});
        m_behind[producer].push_back(copy);
        return m_graph.addOutput(copy, {}, m_graph.at(value).type);
    }

    void place()
    {
        std::size_t count = 0;
        for (const auto &[producer, copies] : m_behind)
            count += copies.size();
        const std::vector<ir::NodeId> &nodes = m_graph.at(ir::Graph::body).nodes;
        std::vector<ir::NodeId> order;
        for (const ir::NodeId node : std::span(nodes).first(nodes.size() - count)) {
            order.push_back(node);
            if (const auto copies = m_behind.find(node); copies != m_behind.end())
                order.insert(order.end(), copies->second.begin(), copies->second.end());
        }
        m_graph.reorder(ir::Graph::body, std::move(order));
    }

private:
    ir::Graph &m_graph;
    std::unordered_map<ir::NodeId, std::vector<ir::NodeId>> m_behind;
};

} // namespace

ir::Model withOutputs(ir::Model model, ir::FunctionId id, std::span<const ir::ValueId> values)
{
    ir::Function &function = model.functions[id.index];
    ops::Signatures signatures(*model.context);
    const auto written = passes::writtenValues(function.graph, signatures);
    Copies copies(function.graph);
    std::vector<ir::Operand> outputs = function.graph.at(ir::Graph::body).outputs;
    for (const ir::ValueId value : values) {
        const bool mayChange = written.contains(value) && ir::ValueRef(function.graph, value).producer();
        ir::FunctionOutput output;
        output.name = function.graph.at(value).name;
        output.value = ir::Operand{mayChange ? copies.of(value) : value};
        outputs.push_back(output.value);
        function.outputs.push_back(std::move(output));
    }
    copies.place();
    function.graph.setOutputs(ir::Graph::body, std::move(outputs));
    return model;
}

} // namespace cutaway::run
