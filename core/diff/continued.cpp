// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/continued.h"

#include "core/base/overloaded.h"
#include "core/ir/graph_draft.h"
#include "core/ir/node_ref.h"
#include "core/ir/tensors/same_elements.h"

#include <algorithm>
#include <cassert>
#include <ranges>
#include <unordered_map>
#include <unordered_set>

// The graph of the state before is edited until it says what the next state says, so that whatever is equal in both is
// shared, as passes share it. The next state is walked in its order, so the operands of a node are known before the
// node. A kept node gets the operator, arguments, name and types of the other one. A new node is appended and gets the
// next id. The nodes that are left over are removed last, when nothing reads their results any more.

namespace cutaway::diff {

namespace {

using ir::Graph;
using ir::NodeId;
using ir::RegionId;
using ir::TensorId;
using ir::ValueId;

/// The tensors of the next state: one that equals one of the state before has its id, the others have further ids.
class Tensors {
public:
    Tensors(const ir::Model &before, const ir::Model &after) : m_before(before), m_after(after) { }

    /// Gives `result` the tensors of both states.
    void join(ir::Model &result)
    {
        result.tensors = m_before.tensors;
        result.storages = m_before.storages;
        result.files = m_before.files;
        const auto firstFile = static_cast<std::uint32_t>(m_before.files.size());
        std::ranges::copy(m_after.files, std::back_inserter(result.files));
        const std::uint32_t firstStorage = m_before.storages.size();
        for (ir::Storage storage : m_after.storages) {
            if (auto *range = std::get_if<ir::FileRange>(&storage.data))
                range->file.index += firstFile;
            result.storages.append(std::move(storage));
        }
        findKnown();
        for (std::uint32_t i = 0; i < m_after.tensors.size(); ++i)
            if (TensorId &id = m_ids[i]; id.index == result.tensors.size()) {
                ir::Tensor tensor = m_after.tensors[i];
                tensor.storage.index += firstStorage;
                for (TensorId &part : tensor.parts)
                    part = of(part);
                result.tensors.append(std::move(tensor));
            }
    }

    TensorId of(TensorId id) const { return m_ids[id.index]; }

private:
    void findKnown()
    {
        std::unordered_map<ir::NameId, TensorId> named;
        for (std::uint32_t i = 0; i < m_before.tensors.size(); ++i)
            named[m_before.tensors[i].name] = {i};
        std::uint32_t next = m_before.tensors.size();
        for (std::uint32_t i = 0; i < m_after.tensors.size(); ++i) {
            const auto known = named.find(m_after.tensors[i].name);
            const bool isSame = known != named.end() && areSame(known->second, {i});
            m_ids.push_back(isSame ? known->second : TensorId{next++});
        }
    }

    /// Whether two tensors are one weight. Graphs of one compilation name the same weights, and none has the elements.
    bool areSame(TensorId before, TensorId after) const
    {
        const ir::Tensor &a = m_before.at(before), &b = m_after.at(after);
        const auto isMissing = [](const ir::Model &model, const ir::Tensor &tensor) {
            return std::holds_alternative<ir::NoBytes>(model.at(tensor.storage).data);
        };
        if (isMissing(m_before, a) && isMissing(m_after, b))
            return a.dtype == b.dtype && a.shape == b.shape;
        return ir::haveSameElements(m_before, before, m_after, after).value_or(false);
    }

    const ir::Model &m_before;
    const ir::Model &m_after;
    std::vector<TensorId> m_ids; ///< by tensor of the next state
};

class Continuation {
public:
    Continuation(const ir::Model &before, const ir::Model &after, const Tensors &tensors,
                 std::span<const KeptNode> kept, std::span<const MadeNode> made)
        : m_after(after.functions.front().graph),
          m_graph(before.functions.front().graph),
          m_tensors(tensors),
          m_values(m_after.valueCount()),
          m_nodes(m_after.nodeCount())
    {
        for (const KeptNode &pair : kept)
            m_kept.emplace(pair.after, pair.before);
        for (const MadeNode &node : made)
            m_origins.emplace(node.after, node.before);
    }

    void run()
    {
        takeInputs();
        takeWeights();
        takeRegion(Graph::body, Graph::body);
        removeLeftOver();
        m_graph.reorder(std::move(m_orders));
    }

    Graph takeGraph() { return std::move(m_graph); }
    NodeId nodeOf(NodeId after) const { return m_nodes[after.index]; }
    ir::Operand taken(ir::Operand operand) const
    {
        ir::replaceIds(operand,
                       Overloaded{[this](ValueId value) { return m_values[value.index]; },
                                  [this](TensorId tensor) { return m_tensors.of(tensor); }});
        return operand;
    }

private:
    // ---- values from outside

    void takeInputs()
    {
        const std::vector<ValueId> before = m_graph.at(Graph::body).inputs;
        const std::vector<ValueId> after = m_after.at(Graph::body).inputs;
        std::unordered_map<ir::NameId, ValueId> named;
        for (const ValueId input : before)
            named.emplace(m_graph.at(input).name, input);
        // A compiler that renames all inputs keeps them in order.
        const bool areRenamed = before.size() == after.size()
            && std::ranges::none_of(after, [&](ValueId input) { return named.contains(m_after.at(input).name); });
        for (std::size_t i = 0; i < after.size(); ++i) {
            const ir::Value &value = m_after.at(after[i]);
            const auto known = areRenamed ? named.extract(m_graph.at(before[i]).name) : named.extract(value.name);
            const ValueId here = known ? known.mapped() : m_graph.addInput(Graph::body, value.name, value.type);
            m_takenInputs.insert(here);
            take(after[i], here);
        }
    }

    void takeWeights()
    {
        std::unordered_map<TensorId, ValueId> known;
        for (ValueId id{0}; id.index < m_graph.valueCount(); ++id.index)
            if (const auto *weight = std::get_if<ir::Weight>(&m_graph.at(id).definition);
                weight && weight->region == Graph::body)
                known.emplace(weight->tensor, id);
        for (ValueId id{0}; id.index < m_after.valueCount(); ++id.index) {
            const ir::Value &value = m_after.at(id);
            const auto *weight = std::get_if<ir::Weight>(&value.definition);
            if (!weight)
                continue;
            const TensorId tensor = m_tensors.of(weight->tensor);
            const auto found = known.find(tensor);
            const ValueId here =
                found != known.end() ? found->second : m_graph.addWeight(Graph::body, value.name, value.type, tensor);
            m_takenWeights.insert(here);
            take(id, here);
        }
    }

    /// Records that `here` is the value `after` of the next state, and gives it the name and type of `after`.
    void take(ValueId after, ValueId here)
    {
        m_values[after.index] = here;
        const ir::Value &value = m_after.at(after);
        if (m_graph.at(here).type != value.type)
            m_graph.setType(here, value.type);
        if (m_graph.at(here).name != value.name)
            m_graph.setName(here, value.name);
    }

    // ---- nodes

    void takeRegion(RegionId from, RegionId to)
    {
        std::vector<NodeId> order;
        for (const NodeId node : m_after.at(from).nodes) {
            const auto known = m_kept.find(node);
            const bool isKept = known != m_kept.end() && canBecome(known->second, node, to);
            m_nodes[node.index] = isKept ? takeKept(known->second, node) : takeNew(node, to);
            order.push_back(m_nodes[node.index]);
        }
        m_takenNodes.insert(order.begin(), order.end());
        m_orders.push_back({to, std::move(order)});
        std::vector<ir::Operand> outputs;
        for (const ir::Operand &output : m_after.at(from).outputs)
            outputs.push_back(taken(output));
        if (outputs != m_graph.at(to).outputs)
            m_graph.setOutputs(to, std::move(outputs));
    }

    /// Whether a node of the earlier state can become the node `after`: it was not used yet, lies in the region that
    /// corresponds, and has as many results, regions and inputs of regions.
    bool canBecome(NodeId here, NodeId after, RegionId region) const
    {
        const ir::Node &was = m_graph.at(here), &is = m_after.at(after);
        const auto inputs = [](const Graph &graph) {
            return [&graph](RegionId inner) { return graph.at(inner).inputs.size(); };
        };
        return !was.removed && was.parent == region && !m_takenNodes.contains(here)
            && was.outputs.size() == is.outputs.size()
            && std::ranges::equal(was.regions, is.regions, {}, inputs(m_graph), inputs(m_after));
    }

    NodeId takeKept(NodeId here, NodeId after)
    {
        m_takenNodes.insert(here);
        const ir::Node &is = m_after.at(after);
        if (m_graph.at(here).op != is.op)
            m_graph.setOperator(here, is.op);
        if (auto arguments = takenArguments(is); arguments != m_graph.at(here).arguments)
            m_graph.setArguments(here, std::move(arguments));
        if (m_graph.at(here).scope != is.scope)
            m_graph.setScope(here, is.scope);
        if (m_graph.at(here).name != is.name)
            m_graph.setName(here, is.name);
        if (m_graph.at(here).location != is.location)
            m_graph.setLocation(here, is.location);
        for (std::size_t i = 0; i < is.outputs.size(); ++i)
            take(is.outputs[i], m_graph.at(here).outputs[i]);
        for (std::size_t i = 0; i < is.regions.size(); ++i) {
            const RegionId to = m_graph.at(here).regions[i];
            for (std::size_t j = 0; j < m_after.at(is.regions[i]).inputs.size(); ++j)
                take(m_after.at(is.regions[i]).inputs[j], m_graph.at(to).inputs[j]);
            takeRegion(is.regions[i], to);
        }
        return here;
    }

    NodeId takeNew(NodeId after, RegionId to)
    {
        const ir::Node &is = m_after.at(after);
        const auto origins = m_origins.find(after);
        const NodeId here =
            m_graph.append(to,
                           {.op = is.op,
                            .name = is.name,
                            .scope = is.scope,
                            .location = is.location,
                            .arguments = takenArguments(is),
                            .origins = origins == m_origins.end() ? std::vector<NodeId>() : origins->second,
                            .metadata = {is.metadata.begin(), is.metadata.end()}});
        for (const ValueId output : is.outputs)
            m_values[output.index] = m_graph.addOutput(here, m_after.at(output).name, m_after.at(output).type);
        for (const RegionId region : is.regions) {
            const RegionId inner = m_graph.addRegion(here, m_after.at(region).name);
            for (const ValueId input : m_after.at(region).inputs)
                m_values[input.index] = m_graph.addInput(inner, m_after.at(input).name, m_after.at(input).type);
            takeRegion(region, inner);
        }
        return here;
    }

    std::vector<ir::Argument> takenArguments(const ir::Node &node) const
    {
        std::vector<ir::Argument> arguments;
        for (const ir::Argument &argument : node.arguments)
            arguments.push_back({argument.name, taken(argument.value)});
        return arguments;
    }

    // ---- what the next state does not have

    void removeLeftOver()
    {
        std::vector<NodeId> gone;
        for (const ir::RegionOrder &order : m_orders)
            std::ranges::copy_if(m_graph.at(order.region).nodes, std::back_inserter(gone),
                                 [this](NodeId node) { return !m_takenNodes.contains(node); });
        m_graph.remove(gone);
        auto inputs = m_graph.at(Graph::body).inputs;
        for (std::size_t i = inputs.size(); i-- > 0;)
            if (!m_takenInputs.contains(inputs[i]))
                m_graph.removeInput(Graph::body, static_cast<std::uint32_t>(i));
        for (ValueId id{0}; id.index < m_graph.valueCount(); ++id.index)
            if (std::holds_alternative<ir::Weight>(m_graph.at(id).definition) && !m_takenWeights.contains(id))
                m_graph.removeWeight(id);
    }

    const Graph &m_after;
    Graph m_graph; ///< the earlier graph, which is being changed into the next state's
    const Tensors &m_tensors;
    std::unordered_map<NodeId, NodeId> m_kept;                 ///< by node of the next state: the earlier node
    std::unordered_map<NodeId, std::vector<NodeId>> m_origins; ///< by new node: the nodes that it was made from
    std::vector<ValueId> m_values;                             ///< by value of the next state: the value in m_graph
    std::vector<NodeId> m_nodes;                               ///< by node of the next state: the node in m_graph
    std::unordered_set<NodeId> m_takenNodes;
    std::unordered_set<ValueId> m_takenInputs, m_takenWeights;
    std::vector<ir::RegionOrder> m_orders;
};

void takeSignature(ir::Function &function, const Continuation &continuation, const Tensors &tensors)
{
    for (ir::FunctionInput &input : function.inputs) {
        input.value = continuation.taken(input.value);
        if (input.tensor)
            input.tensor = tensors.of(*input.tensor);
        if (input.defaultValue)
            input.defaultValue = continuation.taken(*input.defaultValue);
    }
    for (ir::FunctionOutput &output : function.outputs)
        output.value = continuation.taken(output.value);
}

/// Renames the tensors in a function that is not continued to their new ids; the graph is kept otherwise.
void takeTensors(ir::Function &function, const Tensors &tensors)
{
    Graph &graph = function.graph;
    for (ValueId id{0}; id.index < graph.valueCount(); ++id.index)
        if (const auto *weight = std::get_if<ir::Weight>(&graph.at(id).definition))
            graph.setTensor(id, tensors.of(weight->tensor));
    const auto renumber = [&](TensorId tensor) { return tensors.of(tensor); };
    for (NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        auto arguments = graph.at(id).arguments;
        for (ir::Argument &argument : arguments)
            ir::replaceIds(argument.value, renumber);
        if (arguments != graph.at(id).arguments)
            graph.setArguments(id, std::move(arguments));
    }
    for (ir::FunctionInput &input : function.inputs)
        if (input.tensor)
            input.tensor = tensors.of(*input.tensor);
}

void takeTensors(ir::Module &module, const Tensors &tensors)
{
    for (TensorId &tensor : module.tensors)
        tensor = tensors.of(tensor);
    for (ir::ModuleAttribute &attribute : module.attributes)
        ir::replaceIds(attribute.value, [&](TensorId tensor) { return tensors.of(tensor); });
}

} // namespace

ir::Model continued(const ir::Model &before, const ir::Model &after, std::span<const KeptNode> kept,
                    std::span<const MadeNode> made)
{
    assert(before.context == after.context && !before.functions.empty() && !after.functions.empty());
    ir::Model result = after;
    Tensors tensors(before, after);
    tensors.join(result);
    Continuation continuation(before, after, tensors, kept, made);
    continuation.run();
    takeSignature(result.functions.front(), continuation, tensors);
    result.functions.front().graph = continuation.takeGraph();
    for (ir::Function &function : result.functions | std::views::drop(1))
        takeTensors(function, tensors);
    for (ir::Diagnostic &diagnostic : result.diagnostics)
        if (diagnostic.node && diagnostic.function == ir::FunctionId{0})
            diagnostic.node = continuation.nodeOf(*diagnostic.node);
    for (std::uint32_t i = 0; i < result.modules.size(); ++i)
        takeTensors(result.modules.edit(i), tensors);
    return result;
}

} // namespace cutaway::diff
