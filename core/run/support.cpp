// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/support.h"

#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/temporary_folder.h"
#include "core/convert/convert.h"
#include "core/formats/format.h"
#include "core/ir/json/json.h"
#include "core/ir/node_ref.h"
#include "core/ops/compute/value.h"
#include "core/ops/operator.h"
#include "core/passes/part.h"
#include "core/plugin/found.h"
#include "core/plugin/session.h"
#include "core/protocol/supports.h"
#include "core/run/backend.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

namespace cutaway::run {

namespace {

using protocol::Supports;

constexpr std::string_view onnxForm = "onnx";

/// Nodes for which a backend has the same answer.
using Alike = std::vector<ir::NodeId>;

class Question {
public:
    Question(const ir::Model &model, ir::FunctionId function, const analysis::Shapes &shapes)
        : m_model(model),
          m_function(function),
          m_graph(model.at(function).graph),
          m_shapes(shapes)
    {
    }

    std::map<std::string, Alike> groups() const
    {
        std::map<std::string, Alike> groups;
        for (ir::NodeId id{0}; id.index < m_graph.nodeCount(); ++id.index)
            if (!m_graph.at(id).removed)
                groups[keyOf({m_graph, id})].push_back(id);
        return groups;
    }

    bool hasRegions(ir::NodeId id) const { return !m_graph.at(id).regions.empty(); }

    /// Returns a file with only this node.
    Result<std::string> modelOf(ir::NodeId id, std::string_view form, const Task &task) const
    {
        const std::vector<ir::ValueId> results(m_graph.at(id).outputs.begin(), m_graph.at(id).outputs.end());
        CUTAWAY_TRY(
            const auto part,
            passes::partOf(m_model, m_function, std::span(&id, 1), results, m_shapes, passes::PartWeights::Inputs));
        if (form == "ir")
            return ir::printJson(part.model);
        CUTAWAY_TRY(const auto model,
                    form == m_model.format ? Result<ir::Model>(part.model) : converted(part.model, task));
        CUTAWAY_TRY(const auto folder, TemporaryFolder::make());
        const std::filesystem::path path = folder.path() / formatted("node.{}", form);
        CUTAWAY_RETURN_IF_ERROR(formats::write(model, path, task));
        std::ifstream file(path, std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(file), {}};
    }

private:
    /// Converts the model of a node to ONNX.
    static Result<ir::Model> converted(const ir::Model &model, const Task &task)
    {
        CUTAWAY_TRY(auto converted, convert::toOnnx(model, ir::FunctionId{}, {}, {}, task));
        if (!converted.missing.empty())
            return usageError(
                formatted("ONNX: {}: {}", converted.missing.front().op, converted.missing.front().reason));
        return std::move(converted.model);
    }

    /// Returns a text that is equal for nodes with the same operator whose operands are equal in the properties by
    /// which kernels are chosen.
    std::string keyOf(const ir::NodeRef &node) const
    {
        std::string key = node.fullName() + formatted("/{}/{}", node->outputs.size(), node->regions.size());
        for (const ir::Argument &argument : node->arguments) {
            key += formatted(",{}=", m_model.context->text(argument.name));
            forEachValue(argument.value, [&](ir::ValueId value) { key += typeOf(value) + " "; });
        }
        return key;
    }

    std::string typeOf(ir::ValueId value) const
    {
        const bool isKnown = value.index < m_shapes.facts.size();
        const ops::TensorFact *tensor = isKnown ? ops::asTensor(m_shapes.of(value)) : nullptr;
        if (!tensor)
            return "?";
        return formatted("{}[{}]", tensor->dtype ? ir::name(*tensor->dtype) : "?",
                         tensor->shape ? std::to_string(tensor->shape->size()) : "*");
    }

    const ir::Model &m_model;
    ir::FunctionId m_function;
    const ir::Graph &m_graph;
    const analysis::Shapes &m_shapes;
};

void enter(Support &support, const Alike &alike, const Supports::Verdict &verdict)
{
    for (const ir::NodeId node : alike)
        if (verdict.takes.value_or(false))
            support.taken.insert(node);
        else
            (verdict.takes ? support.refused : support.unknown).push_back({node, verdict.reason});
}

void sort(Support &support)
{
    std::ranges::sort(support.refused, {}, &Support::Other::node);
    std::ranges::sort(support.unknown, {}, &Support::Other::node);
}

/// Whether all results follow from sizes and numbers alone, like those of onnx::Shape.
bool followsFromFacts(const ir::NodeRef &node, const analysis::Shapes &shapes)
{
    return std::ranges::all_of(node->outputs, [&](ir::ValueId output) {
        return output.index < shapes.facts.size() && compute::valueOf(shapes.of(output)).has_value();
    });
}

Supports::Verdict verdictOfEvaluator(const ir::NodeRef &node, const analysis::Shapes &shapes)
{
    const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
    if (!node->regions.empty() || (row && row->pattern == ops::Pattern::Control))
        return {{}, "it is no operator of its own"}; // the nodes inside it, or that it calls, are asked about instead
    if (row && (row->traits.compute || followsFromFacts(node, shapes)))
        return {true};
    const std::string reason = "it has no rule that computes " + node.fullName();
    return row ? Supports::Verdict{{}, reason + ", but may know the result from sizes"}
               : Supports::Verdict{false, reason};
}

struct AskedPlugin {
    plugin::Manifest manifest;
    plugin::Target target;
    std::string form;
};

Result<AskedPlugin> pluginOf(const AskedBackend &backend, const ir::Model &model)
{
    CUTAWAY_TRY(const auto targets, plugin::readTargets());
    CUTAWAY_TRY(auto target, plugin::findTarget(backend.target, targets));
    const std::size_t slash = std::min(backend.name.find('/'), backend.name.size());
    CUTAWAY_TRY(auto manifest, plugin::findPlugin(backend.name.substr(0, slash), plugin::findPlugins(), target));
    if (!manifest.backend)
        return usageError("the plugin '" + manifest.name + "' runs no models");
    const std::string wanted = slash == backend.name.size() ? "" : backend.name.substr(slash + 1);
    auto form = formFor(*manifest.backend, {model, ir::FunctionId{}, std::nullopt}, wanted);
    if (!form && (wanted.empty() || wanted == onnxForm) && std::ranges::contains(manifest.backend->runs, onnxForm))
        form = onnxForm; // the backend is asked about the ONNX form of the node
    if (!form)
        return usageError("the plugin '" + manifest.name + "' is not given single nodes of the format " + model.format);
    return AskedPlugin{std::move(manifest), std::move(target), std::move(*form)};
}

Result<Support> supportOfPlugin(const AskedPlugin &asked, const AskedBackend &backend, const Question &question,
                                const std::map<std::string, Alike> &groups, const Task &task)
{
    Support support;
    Supports request{.form = asked.form, .device = backend.device.empty() ? "cpu" : backend.device};
    std::string payload;
    std::vector<const Alike *> sent;
    for (const auto &[key, alike] : groups) {
        if (question.hasRegions(alike.front())) {
            enter(support, alike, {{}, "it has regions, whose nodes are asked for themselves"});
            continue;
        }
        const auto model = question.modelOf(alike.front(), asked.form, task);
        if (!model) {
            enter(support, alike, {{}, "it cannot be asked for: " + model.error().message});
            continue;
        }
        request.lengths.push_back(model->size());
        payload += *model;
        sent.push_back(&alike);
    }
    plugin::Session session(asked.manifest, asked.target);
    CUTAWAY_TRY(const auto reply, session.call(request, std::move(payload), task));
    CUTAWAY_TRY(const auto result, protocol::parse<Supports::Result>(reply.result));
    if (result.verdicts.size() != sent.size())
        return std::unexpected(Error{ErrorKind::Backend,
                                     formatted("the plugin '{}' answers for {}, not for {}", asked.manifest.name,
                                               quantity(result.verdicts.size(), "node"), sent.size()),
                                     {}});
    for (std::size_t i = 0; i < sent.size(); ++i)
        enter(support, *sent[i], result.verdicts[i]);
    sort(support);
    return support;
}

} // namespace

Result<Support> supportOf(const AskedBackend &backend, const ir::Model &model, ir::FunctionId function,
                          const analysis::Shapes &shapes, const Task &task)
{
    const Question question(model, function, shapes);
    const auto groups = question.groups();
    if (backend.name == evaluatorName) {
        Support support;
        for (const auto &[key, alike] : groups)
            for (const ir::NodeId node : alike)
                enter(support, {node}, verdictOfEvaluator({model.at(function).graph, node}, shapes));
        sort(support);
        return support;
    }
    CUTAWAY_TRY(const auto asked, pluginOf(backend, model));
    return supportOfPlugin(asked, backend, question, groups, task);
}

} // namespace cutaway::run
