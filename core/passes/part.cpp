// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/part.h"

#include "core/base/formatted.h"
#include "core/ir/names.h"
#include "core/ir/node_ref.h"
#include "core/passes/cutting/known_types.h"

#include <algorithm>
#include <unordered_map>

namespace cutaway::passes {

namespace {

using ir::Operand;
using ir::ValueId;

class PartMaker {
public:
    PartMaker(const ir::Model &model, ir::FunctionId function, const analysis::Shapes &shapes, PartWeights weights)
        : m_model(model),
          m_function(model.at(function)),
          m_types(model, shapes),
          m_weights(weights),
          m_graph(model.context)
    {
    }

    Result<void> add(const ir::NodeRef &node)
    {
        if (!node->regions.empty())
            return usageError(ir::nameOf(node) + " has regions");
        std::vector<ir::Argument> arguments = node->arguments;
        for (ir::Argument &argument : arguments) {
            if (argument.value.as<ir::FunctionId>())
                return usageError(ir::nameOf(node) + " calls another function");
            m_readsTensors = m_readsTensors || argument.value.as<ir::TensorId>();
            argument.value = ir::withValues(argument.value, [&](ValueId value) { return Operand(valueFor(value)); });
        }
        const ir::NodeId made = m_graph.append(ir::Graph::body,
                                               {.op = node->op,
                                                .name = m_weights == PartWeights::Kept ? node->name : ir::NameId{},
                                                .scope = node->scope,
                                                .location = node->location,
                                                .arguments = std::move(arguments),
                                                .origins = {},
                                                .metadata = node->metadata});
        for (const ir::ValueRef output : node.outputs())
            m_values.emplace(output, m_graph.addOutput(made, output->name, m_types.of(output)));
        return {};
    }

    PartModel finish(std::span<const ValueId> results)
    {
        ir::Function part{.name = m_function.name,
                          .kind = ir::Function::Kind::Main,
                          .graph = std::move(m_graph),
                          .inputs = std::move(m_signature),
                          .outputs = {},
                          .attributes = {},
                          .documentation = {}};
        std::vector<Operand> outputs;
        for (const ValueId result : results) {
            outputs.emplace_back(m_values.at(result));
            part.outputs.push_back({nameOf(result), ir::FunctionOutput::Kind::User, outputs.back(), {}});
        }
        part.graph.setOutputs(ir::Graph::body, std::move(outputs));
        return {modelOf(std::move(part)), std::move(m_inputs)};
    }

private:
    ValueId valueFor(ValueId old)
    {
        const auto [known, isNew] = m_values.try_emplace(old);
        if (!isNew)
            return known->second;
        const ir::ValueRef value(m_function.graph, old);
        const auto tensor = value.weight();
        if (tensor && m_weights == PartWeights::Kept)
            return known->second = m_graph.addWeight(ir::Graph::body, value->name, m_types.of(value), *tensor);
        return known->second = addInput(value);
    }

    /// Adds an input for a value from outside. A parameter of an exported program is an input that the file binds, and
    /// stays one.
    ValueId addInput(const ir::ValueRef &value)
    {
        const ValueId made = m_graph.addInput(ir::Graph::body, nameOf(value), m_types.of(value));
        const auto bound = std::ranges::find_if(m_function.inputs, [&](const ir::FunctionInput &input) {
            return input.kind != ir::FunctionInput::Kind::User && input.value == Operand(value.id());
        });
        if (bound != m_function.inputs.end() && m_weights == PartWeights::Kept) {
            m_signature.push_back(*bound);
            m_signature.back().value = made;
            return made;
        }
        m_signature.push_back({nameOf(value), ir::FunctionInput::Kind::User, made, {}, {}});
        m_inputs.push_back(value);
        return made;
    }

    ir::NameId nameOf(ValueId value) const
    {
        const ir::NameId name = m_function.graph.at(value).name;
        return name == ir::NameId{} ? m_model.context->name(formatted("value_{}", value.index)) : name;
    }

    /// Returns the model of a part. Attachments and diagnostics are left out: they are about the whole model.
    ir::Model modelOf(ir::Function part) const
    {
        ir::Model made;
        if (m_weights == PartWeights::Kept || m_readsTensors) {
            made = m_model;
            made.attachments.clear();
            made.diagnostics.clear();
        } else {
            made.context = m_model.context;
            made.format = m_model.format;
            made.formatVersion = m_model.formatVersion;
            made.producer = m_model.producer;
            made.opsets = m_model.opsets;
            made.symbols = m_model.symbols;
        }
        made.name = m_model.name;
        made.functions = {std::move(part)};
        return made;
    }

    const ir::Model &m_model;
    const ir::Function &m_function;
    KnownTypes m_types;
    PartWeights m_weights;
    ir::Graph m_graph; ///< the graph of the part
    std::unordered_map<ValueId, ValueId> m_values;
    std::vector<ir::FunctionInput> m_signature;
    std::vector<ValueId> m_inputs;
    bool m_readsTensors = false; ///< whether attributes read tensors, too
};

} // namespace

Result<PartModel> partOf(const ir::Model &model, ir::FunctionId function, std::span<const ir::NodeId> nodes,
                         std::span<const ValueId> results, const analysis::Shapes &shapes, PartWeights weights)
{
    PartMaker maker(model, function, shapes, weights);
    for (const ir::NodeId node : nodes)
        CUTAWAY_RETURN_IF_ERROR(maker.add({model.at(function).graph, node}));
    return maker.finish(results);
}

} // namespace cutaway::passes
