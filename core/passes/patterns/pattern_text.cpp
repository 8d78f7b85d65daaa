// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/patterns/pattern_text.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ir/text/text.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

/// Copies nodes into a function of their own.
class Excerpt {
public:
    Excerpt(const ir::Graph &source, std::vector<NodeId> nodes)
        : m_source(source),
          m_nodes(std::move(nodes)),
          m_graph(std::make_shared<ir::Context>())
    {
    }

    /// Returns the function; nothing if an operand cannot be copied.
    std::optional<ir::Function> take()
    {
        for (const NodeId node : m_nodes)
            copy({m_source, node});
        std::vector<Operand> results;
        for (const NodeId node : m_nodes)
            for (const ValueId output : m_source.at(node).outputs)
                if (isReadOutside(output))
                    results.emplace_back(m_values.at(output));
        if (results.empty())
            results.emplace_back(m_values.at(m_source.at(m_nodes.back()).outputs.front()));
        for (const Operand &result : results)
            m_function.outputs.push_back({m_graph.at(*result.as<ValueId>()).name, {}, result, {}});
        m_graph.setOutputs(ir::Graph::body, std::move(results));
        if (!m_isWhole)
            return std::nullopt;
        return ir::Function{.name = {},
                            .kind = ir::Function::Kind::Main,
                            .graph = std::move(m_graph),
                            .inputs = std::move(m_function.inputs),
                            .outputs = std::move(m_function.outputs),
                            .attributes = {},
                            .documentation = {}};
    }

private:
    void copy(const NodeRef &node)
    {
        std::vector<ir::Argument> arguments;
        for (const ir::Argument &argument : node->arguments)
            arguments.push_back({here(argument.name), read(argument.value)});
        std::vector<ir::NameId> names;
        for (std::size_t i = 0; i < node.outputCount(); ++i)
            names.push_back(fresh("t", m_results));
        const NodeId made = m_graph.append(ir::Graph::body,
                                           {.op = m_graph.context().op(node.dialect(), node.opName(), node.overload()),
                                            .name = names.front(),
                                            .scope = {},
                                            .location = {},
                                            .arguments = std::move(arguments),
                                            .origins = {},
                                            .metadata = {}});
        for (std::size_t i = 0; i < names.size(); ++i)
            m_values.emplace(node->outputs[i], m_graph.addOutput(made, names[i], {}));
    }

    /// Returns the operand in the excerpt; values from outside become inputs.
    Operand read(const Operand &operand)
    {
        if (operand.as<ir::TensorId>())
            return input(true);
        if (const auto *value = operand.as<ValueId>())
            return read(*value);
        if (const auto *text = operand.as<ir::String>())
            return ir::String{here(text->text)};
        if (const auto *device = operand.as<ir::Device>())
            return ir::Device{here(device->kind), device->index};
        m_isWhole = m_isWhole && !operand.as<ir::TypeId>() && !operand.as<ir::OpId>() && !operand.as<ir::FunctionId>()
            && !operand.as<ir::ObjectId>() && !operand.as<ir::Dict>();
        Operand copy = operand;
        if (auto *list = std::get_if<ir::List>(&copy.v))
            for (Operand &item : list->items)
                item = read(item);
        return copy;
    }

    ValueId read(ValueId value)
    {
        const auto [known, isNew] = m_values.try_emplace(value);
        if (isNew)
            known->second = input(ir::ValueRef(m_source, value).weight().has_value());
        return known->second;
    }

    ir::NameId here(ir::NameId name) { return m_graph.context().name(m_source.context().text(name)); }

    ValueId input(bool isConstant)
    {
        using Kind = ir::FunctionInput::Kind;
        const ir::NameId name = isConstant ? fresh("w", m_constants) : fresh("x", m_inputs);
        const ValueId value = m_graph.addInput(ir::Graph::body, name, {});
        m_function.inputs.push_back({name, isConstant ? Kind::Constant : Kind::User, value, {}, {}, {}});
        return value;
    }

    ir::NameId fresh(std::string_view letter, std::size_t &count)
    {
        return m_graph.context().name(formatted("{}{}", letter, ++count));
    }

    bool isReadOutside(ValueId value) const
    {
        return std::ranges::any_of(m_source.at(value).uses, [&](const ir::Use &use) {
            const auto *reader = std::get_if<NodeId>(&use);
            return !reader || !std::ranges::contains(m_nodes, *reader);
        });
    }

    struct Signature {
        std::vector<ir::FunctionInput> inputs;
        std::vector<ir::FunctionOutput> outputs;
    };

    const ir::Graph &m_source;
    std::vector<NodeId> m_nodes; ///< in execution order
    ir::Graph m_graph;
    Signature m_function;
    std::unordered_map<ValueId, ValueId> m_values; ///< by value of the source: its value in the excerpt
    std::size_t m_inputs = 0, m_constants = 0, m_results = 0;
    bool m_isWhole = true;
};

std::string printed(ir::Function function, std::string_view name)
{
    ir::Model model;
    model.context = function.graph.sharedContext();
    function.name = model.context->name(name);
    model.functions.push_back(std::move(function));
    return ir::printText(model, ir::FunctionId{0}, ir::TextForm::Reading);
}

} // namespace

Result<PatternTexts> patternOf(const ir::Model &model, ir::FunctionId function, std::span<const NodeId> nodes)
{
    const ir::Graph &graph = model.at(function).graph;
    std::vector<NodeId> ordered;
    if (!nodes.empty())
        std::ranges::copy_if(graph.at(graph.at(nodes.front()).parent).nodes, std::back_inserter(ordered),
                             [&](NodeId node) { return std::ranges::contains(nodes, node); });
    if (ordered.empty() || ordered.size() != nodes.size())
        return usageError("a pattern is of nodes that lie in one region");
    for (const NodeId id : ordered)
        if (const NodeRef node(graph, id); !node->regions.empty() || node->outputs.empty())
            return usageError(formatted("a pattern has no {}, which has regions or no result", node.fullName()));
    const auto excerpt = Excerpt(graph, std::move(ordered)).take();
    if (!excerpt)
        return usageError("a pattern's nodes are given no types, functions, objects or dictionaries");
    PatternTexts texts{printed(*excerpt, "before"), printed(*excerpt, "after")};
    CUTAWAY_RETURN_IF_ERROR(parsePatterns(texts, std::make_shared<ir::Context>()));
    return texts;
}

} // namespace cutaway::passes
