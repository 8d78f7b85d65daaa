// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/adoption.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/ir/graph_draft.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

// JSON renumbers the values. If a returned graph were taken as it is, every node would look changed, selections would
// be lost and nothing would be shared with the step before. So the changed graph is walked in its order, and nodes are
// matched by their ids:
//
//   stays    a node here has its id. Its results are the same values, in order. It may have moved into another
//            region, as the nodes of an inlined branch do.
//   is new   no live node here has its id. The graph chooses its new id.
//   is gone  no node has its id. It is removed last, when its results have no uses left.
//
// All differences are checked before the first change, so that a refused model leaves everything as it was.

namespace cutaway::plugin {

namespace {

using ir::Graph;
using ir::NodeId;
using ir::RegionId;
using ir::TensorId;
using ir::ValueId;

bool isThere(const Graph &graph, NodeId id) { return id.index < graph.nodeCount() && !graph.at(id).removed; }

/// Checks whether a changed model can be adopted, and why not.
class Check {
public:
    Check(const ir::Model &model, ir::FunctionId function, const ir::Model &changed)
        : m_model(model),
          m_changedModel(changed),
          m_function(function)
    {
    }

    std::optional<std::string> fault() const
    {
        if (m_changedModel.functions.size() != m_model.functions.size()
            || m_changedModel.at(m_function).name != m_model.at(m_function).name)
            return "the functions are others than before";
        if (auto fault = tensorFault())
            return fault;
        if (auto fault = bodyFault())
            return fault;
        const Graph &changed = m_changedModel.at(m_function).graph;
        for (NodeId id{0}; id.index < changed.nodeCount(); ++id.index)
            if (isThere(changed, id) && isThere(m_model.at(m_function).graph, id))
                if (auto fault = nodeFault(id))
                    return formatted("the node #{} {}", id.index, *fault);
        return std::nullopt;
    }

private:
    std::optional<std::string> tensorFault() const
    {
        const auto &before = m_model.tensors, &after = m_changedModel.tensors;
        if (after.size() < before.size())
            return "there are fewer tensors than before";
        for (std::uint32_t i = 0; i < after.size(); ++i) {
            const ir::Tensor &tensor = after[i];
            if (i < before.size() && (tensor.dtype != before[i].dtype || tensor.shape != before[i].shape))
                return formatted("the tensor {} is another than before; add a new one", i);
            const auto *bytes = std::get_if<ir::InlineBytes>(&m_changedModel.at(tensor.storage).data);
            const auto size = ir::byteSize(tensor);
            const bool isPlain = bytes && size && *size == static_cast<std::int64_t>(bytes->bytes->size())
                && tensor.offset == 0 && !tensor.strides && tensor.layout == ir::Layout::Strided;
            if (i >= before.size() && !isPlain)
                return formatted("the new tensor {} has no storage of its own with its bytes as 'hex', row by row", i);
        }
        return std::nullopt;
    }

    std::optional<std::string> bodyFault() const
    {
        const ir::Function &before = m_model.at(m_function), &after = m_changedModel.at(m_function);
        const ir::Region &was = before.graph.at(Graph::body), &is = after.graph.at(Graph::body);
        if (was.inputs.size() != is.inputs.size() || before.inputs.size() != after.inputs.size())
            return "the function has other inputs than before";
        if (was.outputs.size() != is.outputs.size() || before.outputs.size() != after.outputs.size())
            return "the function has another number of outputs than before";
        return std::nullopt;
    }

    std::optional<std::string> nodeFault(NodeId id) const
    {
        const Graph &before = m_model.at(m_function).graph, &after = m_changedModel.at(m_function).graph;
        const ir::Node &was = before.at(id), &is = after.at(id);
        if (is.outputs.size() < was.outputs.size())
            return "has fewer outputs than before";
        const auto inputs = [](const Graph &graph) {
            return [&graph](RegionId region) { return graph.at(region).inputs.size(); };
        };
        if (!std::ranges::equal(was.regions, is.regions, {}, inputs(before), inputs(after)))
            return "has other regions than before, or regions with other inputs";
        return std::nullopt;
    }

    const ir::Model &m_model;
    const ir::Model &m_changedModel;
    ir::FunctionId m_function;
};

class Adoption {
public:
    Adoption(rewrite::Rewriter &rewriter, const ir::Model &changed)
        : m_rewriter(rewriter),
          m_changedModel(changed),
          m_changed(changed.at(rewriter.functionId()).graph),
          m_knownNodes(rewriter.graph().nodeCount()),
          m_knownTensors(rewriter.model().tensors.size()),
          m_values(m_changed.valueCount())
    {
    }

    void run()
    {
        findWeights();
        takeRegion(Graph::body, Graph::body);
        for (const NodeId node : m_missing)
            if (!m_kept.contains(node) && !m_rewriter.isRemoved(node))
                m_rewriter.remove(node);
    }

private:
    const Graph &graph() const { return m_rewriter.graph(); }

    bool stays(NodeId id) const { return id.index < m_knownNodes && isThere(graph(), id); }

    void findWeights()
    {
        for (ValueId id{0}; id.index < graph().valueCount(); ++id.index)
            if (const auto *weight = std::get_if<ir::Weight>(&graph().at(id).definition))
                m_weights.emplace(std::pair(weight->region, weight->tensor), id);
        for (ValueId id{0}; id.index < m_changed.valueCount(); ++id.index)
            if (const auto *weight = std::get_if<ir::Weight>(&m_changed.at(id).definition))
                m_changedWeights[weight->region].push_back(id);
    }

    /// Returns the value in the body for a tensor that only the changed model has.
    ValueId newConstant(TensorId id)
    {
        const auto [known, isNew] = m_newConstants.try_emplace(id);
        if (isNew) {
            const ir::Tensor &tensor = m_changedModel.at(id);
            const auto &bytes = *std::get<ir::InlineBytes>(m_changedModel.at(tensor.storage).data).bytes;
            known->second = m_rewriter.addConstant(m_rewriter.context().text(tensor.name), tensor.dtype, tensor.shape,
                                                   bytes, tensor.kind);
        }
        return known->second;
    }

    ValueId takeWeight(ValueId id, RegionId to)
    {
        const ir::Value &value = m_changed.at(id);
        const TensorId tensor = std::get<ir::Weight>(value.definition).tensor;
        if (tensor.index >= m_knownTensors)
            return newConstant(tensor);
        const auto known = m_weights.find({to, tensor});
        return known != m_weights.end() ? known->second : m_rewriter.weight(tensor, value.name, value.type);
    }

    ir::Operand taken(ir::Operand operand)
    {
        ir::replaceIds(operand,
                       Overloaded{[this](ValueId value) { return m_values[value.index]; },
                                  [this](TensorId tensor) {
                                      if (tensor.index < m_knownTensors)
                                          return tensor;
                                      const ir::Value &value = graph().at(newConstant(tensor));
                                      return std::get<ir::Weight>(value.definition).tensor;
                                  }});
        return operand;
    }

    std::vector<ir::Argument> takenArguments(const ir::NodeRef &node)
    {
        std::vector<ir::Argument> arguments;
        for (const ir::Argument &argument : node->arguments)
            arguments.push_back({argument.name, taken(argument.value)});
        return arguments;
    }

    void takeRegion(RegionId from, RegionId to)
    {
        const ir::Region &region = m_changed.at(from);
        for (std::size_t i = 0; i < region.inputs.size(); ++i) {
            const ir::Value &input = m_changed.at(region.inputs[i]);
            m_values[region.inputs[i].index] = i < graph().at(to).inputs.size()
                ? graph().at(to).inputs[i]
                : m_rewriter.addRegionInput(to, input.name, input.type);
        }
        for (const ValueId weight : m_changedWeights[from])
            m_values[weight.index] = takeWeight(weight, to);
        takeNodes(region, to);
        std::vector<ir::Operand> outputs;
        for (const ir::Operand &output : region.outputs)
            outputs.push_back(taken(output));
        if (outputs != graph().at(to).outputs)
            m_rewriter.setOutputs(to, std::move(outputs));
    }

    void takeNodes(const ir::Region &region, RegionId to)
    {
        const std::vector<NodeId> before = graph().at(to).nodes;
        std::vector<NodeId> order;
        for (const NodeId node : region.nodes)
            order.push_back(stays(node) ? takeKept(node) : takeNew(node, to));
        const std::unordered_set<NodeId> taken(order.begin(), order.end());
        for (const NodeId node : before)
            if (!taken.contains(node) && graph().at(node).parent == to) {
                order.push_back(node); // the node stays until its new region takes it or it is removed
                if (!m_kept.contains(node))
                    m_missing.push_back(node);
            }
        if (order != graph().at(to).nodes)
            m_rewriter.reorder(to, std::move(order));
    }

    NodeId takeKept(NodeId id)
    {
        m_kept.insert(id);
        const ir::NodeRef node(m_changed, id);
        if (node->op != graph().at(id).op)
            m_rewriter.setOperator(id, node.dialect(), node.opName(), node.overload());
        auto arguments = takenArguments(node);
        if (arguments != graph().at(id).arguments)
            m_rewriter.setArguments(id, std::move(arguments));
        takeResults(node, id);
        for (std::size_t i = 0; i < node->regions.size(); ++i)
            takeRegion(node->regions[i], graph().at(id).regions[i]);
        return id;
    }

    NodeId takeNew(NodeId from, RegionId to)
    {
        const ir::NodeRef node(m_changed, from);
        std::vector<NodeId> origins;
        std::ranges::copy_if(node->origins, std::back_inserter(origins),
                             [this](NodeId origin) { return origin.index < m_knownNodes; });
        m_rewriter.from(std::move(origins));
        const NodeId id = m_rewriter.append(to,
                                            {.op = node->op,
                                             .name = node->name,
                                             .scope = node->scope,
                                             .location = node->location,
                                             .arguments = takenArguments(node),
                                             .origins = {},
                                             .metadata = node->metadata});
        takeResults(node, id);
        for (const RegionId region : node->regions)
            takeRegion(region, m_rewriter.addRegion(id, m_changed.at(region).name));
        return id;
    }

    void takeResults(const ir::NodeRef &node, NodeId id)
    {
        for (std::size_t i = 0; i < node.outputCount(); ++i) {
            const ir::ValueRef result = node.output(i);
            const bool isKnown = i < graph().at(id).outputs.size();
            const ValueId value =
                isKnown ? graph().at(id).outputs[i] : m_rewriter.addOutput(id, result->type, result.name());
            if (graph().at(value).type != result->type)
                m_rewriter.setType(value, result->type);
            m_values[result.id().index] = value;
        }
    }

    rewrite::Rewriter &m_rewriter;
    const ir::Model &m_changedModel;
    const Graph &m_changed;
    std::uint32_t m_knownNodes;    ///< nodes with lower ids are those of this graph
    std::uint32_t m_knownTensors;  ///< tensors with lower ids are those of this model
    std::vector<ValueId> m_values; ///< by value of the changed graph: the value in this one
    std::map<std::pair<RegionId, TensorId>, ValueId> m_weights;
    std::unordered_map<RegionId, std::vector<ValueId>> m_changedWeights;
    std::unordered_map<TensorId, ValueId> m_newConstants;
    std::unordered_set<NodeId> m_kept;
    std::vector<NodeId> m_missing; ///< nodes that are missing in their region; some of them have moved to another one
};

} // namespace

Result<void> adopt(rewrite::Rewriter &rewriter, const ir::Model &changed)
{
    if (const auto fault = Check(rewriter.model(), rewriter.functionId(), changed).fault())
        return std::unexpected(Error{ErrorKind::Backend, *fault, {}});
    Adoption(rewriter, changed).run();
    return {};
}

} // namespace cutaway::plugin
