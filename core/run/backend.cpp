// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/backend.h"

#include "core/analysis/reading/written.h"
#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/plugin/found.h"
#include "core/run/lowered/lowered.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

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
    CUTAWAY_TRY(const auto targets, plugin::readTargets());
    CUTAWAY_TRY(auto place, plugin::findTarget(target, targets));
    CUTAWAY_TRY(auto manifest, plugin::findPlugin(name.substr(0, slash), plugin::findPlugins(), place));
    if (!manifest.backend)
        return std::unexpected(Error{ErrorKind::Usage, "the plugin '" + manifest.name + "' runs no models", {}});
    if (!form.empty() && !std::ranges::contains(manifest.backend->runs, form)
        && !std::ranges::contains(manifest.backend->engines, form))
        return std::unexpected(
            Error{ErrorKind::Usage, "the plugin '" + manifest.name + "' runs nothing called '" + form + "'", {}});
    return withLoweredParts(pluginBackend(std::move(manifest), form, std::move(place), options), target, options);
}

namespace {

/// Adds copies of values of the body, each right after the node that makes the value.
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
    const auto written = analysis::writtenValues(function.graph, signatures);
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

// ---- values as they appear

std::optional<std::uint64_t> knownBytes(const analysis::Shapes &shapes, ir::ValueId value)
{
    const auto *fact = ops::asTensor(shapes.of(value));
    const auto bytes = fact ? ops::number(ops::bytesOf(*fact)) : std::nullopt;
    return bytes ? std::optional(static_cast<std::uint64_t>(*bytes)) : std::nullopt;
}

bool KeptBytes::add(std::optional<std::uint64_t> bytes)
{
    constexpr std::uint64_t atMost = std::uint64_t{256} << 20, ifUnknown = std::uint64_t{16} << 20;
    const std::uint64_t more = bytes.value_or(ifUnknown);
    if (m_hasValues && more > atMost - m_bytes)
        return false;
    m_bytes += std::min(more, atMost - m_bytes);
    m_hasValues = true;
    return true;
}

namespace {

/// Watches values by running a function once for each part of them that is small enough to be returned at once.
class Watching {
public:
    Watching(Backend &backend, const Subject &subject, const Inputs &inputs, const Seen &seen, const Task &task)
        : m_backend(backend),
          m_subject(subject),
          m_inputs(inputs),
          m_seen(seen),
          m_task(task)
    {
    }

    Result<Outcome> watch(std::span<const Watched> values)
    {
        const ir::Graph &graph = m_subject.model.at(m_subject.function).graph;
        const std::vector<ir::Operand> &outputs = graph.at(ir::Graph::body).outputs;
        std::unordered_set<ir::ValueId> wanted;
        for (const Watched &each : values)
            wanted.insert(each.value);
        for (const ir::Operand &output : outputs)
            if (const auto *value = output.as<ir::ValueId>(); value && wanted.contains(*value))
                m_outputs.insert(*value); // every run returns these, and an ONNX graph cannot return a value twice
        for (const Watched &each : values) {
            const auto producer = ir::ValueRef(graph, each.value).producer();
            if (!producer || graph.at(*producer).parent != ir::Graph::body || m_outputs.contains(each.value))
                continue;
            if (!m_kept.add(each.bytes)) {
                CUTAWAY_RETURN_IF_ERROR(runPart());
                m_kept.add(each.bytes);
            }
            m_part.push_back(each.value);
        }
        if (!m_part.empty() || !m_outcome)
            CUTAWAY_RETURN_IF_ERROR(runPart());
        return *std::move(m_outcome);
    }

private:
    Result<void> runPart()
    {
        const std::vector<ir::ValueId> part = std::exchange(m_part, {});
        m_kept = {};
        CUTAWAY_TRY(auto outcome, m_backend.runWithValues(m_subject, part, m_inputs, m_task));
        if (outcome.outputs.size() < part.size())
            return backendError("the backend returned fewer values than it was asked for");
        const std::size_t own = outcome.outputs.size() - part.size();
        for (std::size_t i = 0; i < part.size(); ++i)
            show(part[i], outcome.outputs[own + i]);
        if (m_outcome)
            return {};
        outcome.outputs.resize(own);
        m_outcome = std::move(outcome);
        showOutputs();
        return {};
    }

    /// Shows the watched values that are outputs of the function. Shows none if an output is a list: backends return
    /// the items of a list as separate outputs, so that it is not known which output belongs to which value.
    void showOutputs()
    {
        const auto &outputs = m_subject.model.at(m_subject.function).graph.at(ir::Graph::body).outputs;
        if (outputs.size() != m_outcome->outputs.size())
            return;
        std::unordered_set<ir::ValueId> left = m_outputs; // a value that is returned twice is shown once
        for (std::size_t i = 0; i < outputs.size(); ++i)
            if (const auto *value = outputs[i].as<ir::ValueId>(); value && left.erase(*value) > 0)
                show(*value, m_outcome->outputs[i]);
    }

    void show(ir::ValueId value, const Output &output)
    {
        if (const auto *tensor = std::get_if<protocol::Tensor>(&output.content))
            m_seen(value, *tensor);
    }

    Backend &m_backend;
    const Subject &m_subject;
    const Inputs &m_inputs;
    const Seen &m_seen;
    const Task &m_task;
    std::vector<ir::ValueId> m_part;           ///< the watched values that the next run returns
    KeptBytes m_kept;                          ///< bytes that the values of m_part take
    std::unordered_set<ir::ValueId> m_outputs; ///< the watched values that every run returns
    std::optional<Outcome> m_outcome;
};

} // namespace

Result<Outcome> Backend::runWithValues(const Subject &subject, std::span<const ir::ValueId> values,
                                       const Inputs &inputs, const Task &task)
{
    if (values.empty())
        return run(subject, inputs, task);
    const ir::Model extended = withOutputs(subject.model, subject.function, values);
    return run({extended, subject.function, std::nullopt}, inputs, task);
}

Result<Outcome> Backend::watch(const Subject &subject, const Inputs &inputs, std::span<const Watched> values,
                               const Seen &seen, const Task &task)
{
    return Watching(*this, subject, inputs, seen, task).watch(values);
}

} // namespace cutaway::run
