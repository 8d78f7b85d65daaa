// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/cutting/cut.h"

#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/passes/signature_readers.h"

#include <algorithm>
#include <ranges>

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::Operand;
using ir::ValueId;

void addReads(const ir::NodeRef &node, std::vector<ValueId> &reads)
{
    const auto add = [&](const Operand &operand) {
        ir::forEachValue(operand, [&](ValueId value) { reads.push_back(value); });
    };
    for (const ir::Argument &argument : node->arguments)
        add(argument.value);
    for (const ir::RegionId region : node->regions) {
        for (const ir::NodeRef inner : ir::nodesOf(node.graph(), region))
            addReads(inner, reads);
        std::ranges::for_each(node.graph().at(region).outputs, add);
    }
}

/// Returns the dimensions as numbers; nothing if one of them is symbolic or not known.
std::optional<std::vector<std::int64_t>> numbersOf(const std::vector<ir::Dim> &dims)
{
    std::vector<std::int64_t> numbers;
    for (const ir::Dim &dim : dims) {
        const auto number = ops::number(dim);
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

/// A cut of a model.
class Cutting {
public:
    /// `isCutInside`: nodes in regions are removed, too, if nothing reads them.
    Cutting(ir::Model &model, ir::FunctionId function, const KnownTypes &types, bool isCutInside)
        : m_model(model),
          m_function(model.functions[function.index]),
          m_graph(m_function.graph),
          m_types(types),
          m_isCutInside(isCutInside)
    {
    }

    void run(const Cut &cut)
    {
        const std::vector<OwnResult> own = ownResults();
        for (const auto &[value, other] : cut.replaced)
            m_graph.replaceUses(value, other);
        for (const auto &[value, tensor] : cut.constant)
            replace(value, m_graph.addWeight(ir::Graph::body, nameOf(value), m_types.of({m_graph, value}), tensor));
        for (const ValueId value : cut.opened)
            open(value);
        m_graph.remove(cut.removed);
        setResults(cut.results);
        sweep();
        copyResults(own);
    }

private:
    /// A result of a region other than the body that a node of this region makes.
    struct OwnResult {
        ir::RegionId region;
        std::size_t position;
    };

    bool isOwn(ir::RegionId region, std::size_t position) const
    {
        const auto value = ir::valueOf(m_graph, &m_graph.at(region).outputs[position]);
        const auto maker = value.and_then(&ir::ValueRef::producer);
        return maker && (*maker)->parent == region;
    }

    bool isThere(ir::RegionId region) const { return !m_graph.at(*m_graph.at(region).owner).removed; }

    std::vector<OwnResult> ownResults() const
    {
        std::vector<OwnResult> own;
        for (ir::RegionId id{1}; id.index < m_graph.regionCount(); ++id.index)
            for (std::size_t i = 0; isThere(id) && i < m_graph.at(id).outputs.size(); ++i)
                if (isOwn(id, i))
                    own.push_back({id, i});
        return own;
    }

    void copyResults(const std::vector<OwnResult> &own)
    {
        for (const auto &[region, position] : own) {
            const auto *value = isThere(region) ? m_graph.at(region).outputs[position].as<ValueId>() : nullptr;
            if (!value || isOwn(region, position))
                continue;
            const bool isOnnx = ir::NodeRef(m_graph, *m_graph.at(region).owner).isOnnx();
            ir::NodeDraft draft;
            draft.op = isOnnx ? m_model.context->op("onnx", "Identity") : m_model.context->op("aten", "clone");
            draft.arguments.push_back({isOnnx ? ir::NameId{} : m_model.context->name("self"), *value});
            const ir::NameId name = m_model.context->name(std::string(ir::ValueRef(m_graph, *value).name()) + "_copy");
            const ir::TypeId type = m_graph.at(*value).type;
            std::vector<Operand> outputs = m_graph.at(region).outputs;
            outputs[position] = m_graph.addOutput(m_graph.append(region, std::move(draft)), name, type);
            m_graph.setOutputs(region, std::move(outputs));
        }
    }

    ir::NameId nameOf(ValueId value) const
    {
        const ir::NameId name = m_graph.at(value).name;
        return name == ir::NameId{} ? m_model.context->name("value_" + std::to_string(value.index)) : name;
    }

    /// Replaces a value by another one. The value may remain as an unread result of its node.
    void replace(ValueId old, ValueId made)
    {
        m_graph.replaceUses(old, made);
        if (m_graph.at(old).name != ir::NameId{})
            m_graph.setName(old, m_model.context->name(std::string(ir::ValueRef(m_graph, old).name()) + "_uncut"));
    }

    void open(ValueId value)
    {
        const ir::NameId name = nameOf(value);
        const ValueId made = m_graph.addInput(ir::Graph::body, name, m_types.of({m_graph, value}));
        replace(value, made);
        m_function.inputs.push_back({name, ir::FunctionInput::Kind::User, made, {}, {}});
    }

    void setResults(const std::vector<ValueId> &results)
    {
        m_function.outputs.clear();
        for (const ValueId result : results)
            m_function.outputs.push_back({nameOf(result), ir::FunctionOutput::Kind::User, result, {}});
        m_graph.setOutputs(ir::Graph::body, {results.begin(), results.end()});
    }

    /// Removes the nodes of a region whose results nothing reads, also within nodes that stay.
    void sweep(ir::RegionId region)
    {
        const std::vector<NodeId> nodes = m_graph.at(region).nodes;
        for (const NodeId node : nodes | std::views::reverse) {
            const auto isUnused = [&](ValueId output) { return m_graph.at(output).uses.empty(); };
            const std::vector<ir::RegionId> inner = m_graph.at(node).regions;
            if (!m_graph.at(node).outputs.empty() && std::ranges::all_of(m_graph.at(node).outputs, isUnused))
                m_graph.remove(node);
            else
                std::ranges::for_each(inner, [&](ir::RegionId each) { sweep(each); });
        }
    }

    void sweep()
    {
        std::vector<ValueId> results;
        for (const ir::FunctionOutput &output : m_function.outputs)
            results.push_back(*output.value.as<ValueId>());
        const Needed needed = neededBy(m_graph, results, {});
        std::vector<NodeId> unneeded = m_graph.at(ir::Graph::body).nodes;
        std::erase_if(unneeded, [&](NodeId node) { return needed.nodes.contains(node); });
        m_graph.remove(unneeded);
        if (m_isCutInside)
            sweep(ir::Graph::body);
        for (std::size_t i = m_function.inputs.size(); i-- > 0;)
            if (isUnread(m_function.inputs[i]))
                removeInput(i);
        removeWeights();
    }

    bool isUnread(const ir::FunctionInput &input) const
    {
        const auto *value = input.value.as<ValueId>();
        return !value || (m_graph.at(*value).uses.empty() && !isModule(*value));
    }

    /// Whether a value is the first input of a method: the module that has the file's tensors.
    bool isModule(ValueId value) const
    {
        const auto *type = std::get_if<ir::ClassType>(&ir::ValueRef(m_graph, value).type());
        return type && type->kind == ir::ClassType::Kind::Module;
    }

    void removeInput(std::size_t position)
    {
        if (const auto *value = m_function.inputs[position].value.as<ValueId>())
            if (const auto *input = std::get_if<ir::RegionInput>(&m_graph.at(*value).definition))
                m_graph.removeInput(ir::Graph::body, input->index);
        m_function.inputs.erase(m_function.inputs.begin() + static_cast<std::ptrdiff_t>(position));
    }

    void removeWeights()
    {
        std::unordered_set<ValueId> listed;
        for (const ir::FunctionInput &input : m_function.inputs)
            ir::forEachValue(input.value, [&](ValueId value) { listed.insert(value); });
        for (ValueId id{0}; id.index < m_graph.valueCount(); ++id.index)
            if (ir::ValueRef(m_graph, id).weight() && m_graph.at(id).uses.empty() && !listed.contains(id))
                m_graph.removeWeight(id);
    }

    ir::Model &m_model;
    ir::Function &m_function;
    ir::Graph &m_graph;
    const KnownTypes &m_types;
    bool m_isCutInside;
};

} // namespace

bool isCopy(const ir::NodeRef &node)
{
    const std::string name = node.fullName();
    return name == "onnx::Identity" || name == "aten::clone";
}

std::vector<ValueId> valuesReadBy(const ir::NodeRef &node)
{
    std::vector<ValueId> reads;
    addReads(node, reads);
    return reads;
}

std::optional<NodeId> bodyNodeOf(const ir::Graph &graph, ValueId value)
{
    const ir::Definition &definition = graph.at(value).definition;
    ir::RegionId region = ir::Graph::body;
    std::optional<NodeId> node;
    if (const auto *result = std::get_if<ir::NodeResult>(&definition)) {
        node = result->node;
        region = graph.at(result->node).parent;
    } else if (const auto *input = std::get_if<ir::RegionInput>(&definition)) {
        region = input->region;
    }
    while (region != ir::Graph::body) {
        node = graph.at(region).owner;
        region = graph.at(*node).parent;
    }
    return node;
}

Needed neededBy(const ir::Graph &graph, const std::vector<ValueId> &results, const std::unordered_set<ValueId> &known)
{
    Needed needed;
    std::vector<ValueId> open = results;
    while (!open.empty()) {
        const ValueId value = open.back();
        open.pop_back();
        if (known.contains(value))
            continue;
        const auto node = bodyNodeOf(graph, value);
        if (!node)
            needed.sources.insert(value);
        else if (needed.nodes.insert(*node).second)
            std::ranges::copy(valuesReadBy({graph, *node}), std::back_inserter(open));
    }
    return needed;
}

ir::Model withCut(ir::Model model, ir::FunctionId function, const Cut &cut, const KnownTypes &types)
{
    model.diagnostics.clear();
    Cutting(model, function, types, !cut.removed.empty()).run(cut);
    return model;
}

ir::TensorId addTensor(ir::Model &model, ir::NameId name, ir::DType dtype, std::vector<std::int64_t> shape,
                       const ir::Numbers &elements)
{
    const auto bytes = std::make_shared<const std::vector<std::byte>>(ir::encodeNumbers(dtype, elements));
    ir::Tensor tensor;
    tensor.name = name;
    tensor.dtype = dtype;
    tensor.shape = std::move(shape);
    tensor.storage = ir::StorageId{model.storages.append({ir::InlineBytes{bytes}, bytes->size()})};
    return ir::TensorId{model.tensors.append(std::move(tensor))};
}

std::optional<ir::TensorId> addDerived(ir::Model &model, ir::ValueRef value, const analysis::Shapes &shapes)
{
    const ops::TensorFact *fact =
        value.id().index < shapes.facts.size() ? std::get_if<ops::TensorFact>(&shapes.of(value).v) : nullptr;
    if (!fact || !fact->elements || !fact->shape || !fact->dtype
        || (!ir::isInteger(*fact->dtype) && *fact->dtype != ir::DType::Bool))
        return std::nullopt;
    const auto elements = numbersOf(*fact->elements), shape = numbersOf(*fact->shape);
    return elements && shape ? std::optional(addTensor(model, value->name, *fact->dtype, *shape, *elements))
                             : std::nullopt;
}

} // namespace cutaway::passes
