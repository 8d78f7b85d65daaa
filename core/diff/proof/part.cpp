// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/proof/part.h"

#include "core/base/checked.h"
#include "core/ops/compute/value.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/torch/signatures.h"

#include <algorithm>
#include <set>

namespace cutaway::diff {

namespace {

/// The limit of nodes in one part: parts with more nodes are not computed.
constexpr std::size_t maxPartNodes = 4096;

bool computes(Role role) { return role == Role::Compute || role == Role::Data; }

/// Hashes a fact with the elements that are known of it.
Hash hashOfFact(const ops::Fact &fact)
{
    Hash hash = hashOf(ops::print(fact));
    ops::forEachTensor(fact, [&](const ops::TensorFact &tensor) {
        for (const ir::Dim &element : tensor.elements ? std::span(*tensor.elements) : std::span<const ir::Dim>())
            hash = mixed(hash, hashOf(ir::print(element)));
    });
    return hash;
}

/// Whether WeightPrints::content() reads every element.
bool isSampledWholly(const ir::Tensor &tensor)
{
    constexpr std::int64_t fewEnough = 48;
    return tensor.shape.size() <= 1 && elementCount(tensor).value_or(fewEnough + 1) <= fewEnough;
}

} // namespace

class PartBuilder {
public:
    PartBuilder(Parts &parts, std::uint32_t reader, BorderNumbers &numbers, std::optional<std::uint32_t> within)
        : m_parts(parts),
          m_reader(reader),
          m_graph(parts.m_subject.side.graph()),
          m_numbers(numbers),
          m_within(within),
          m_part(m_graph.sharedContext())
    {
    }

    Part build(const ir::Operand &operand)
    {
        read(operand);
        while (!m_open.empty() && m_nodes.size() <= maxPartNodes) {
            const ir::ValueId value = m_open.back();
            m_open.pop_back();
            visit(value);
        }
        if (m_nodes.size() > maxPartNodes)
            m_part.problem = "the way to it is too long";
        const ir::Operand whole = resolved(operand);
        const auto *value = whole.as<ir::ValueId>();
        m_part.isOneBorder = value && m_nodes.empty() && m_parts.borderAt(*value, m_within);
        if (m_part.problem.empty())
            copyAll(operand);
        return std::move(m_part);
    }

private:
    void read(const ir::Operand &operand)
    {
        ir::forEachValue(operand, [&](ir::ValueId value) {
            if (m_seen.insert(value.index).second)
                m_open.push_back(value);
        });
    }

    void visit(ir::ValueId value)
    {
        const ir::ValueRef ref(m_graph, value);
        const ops::Fact &fact = m_parts.m_shapes.of(value);
        if (const auto weight = boundWeight(value)) {
            m_weights.emplace_back(value, *weight);
        } else if (compute::valueOf(fact) || ops::isObject(fact)) {
            m_given.emplace_back(value, Part::Input{{}, fact});
        } else if (const auto border = m_parts.borderAt(value, m_within)) {
            const auto number = static_cast<std::uint32_t>(m_numbers.size());
            m_given.emplace_back(value, Part::Input{m_numbers.try_emplace(*border, number).first->second, fact});
            m_part.hasBorder = true;
            if (!ops::asTensor(fact))
                m_part.problem = "what it starts from is not known to be a tensor";
        } else if (const auto *passed = passedBy(ref)) {
            m_passed.emplace(value.index, *passed);
            read(*passed);
        } else if (const auto producer = ref.producer()) {
            add(*producer);
        } else {
            m_part.problem = "it reads what a loop changes";
        }
        addWriters(ref, fact);
    }

    /// Adds the nodes that write in place to the memory of the value, after it was made and before the reader, in the
    /// order of the graph.
    void addWriters(const ir::ValueRef &value, const ops::Fact &fact)
    {
        const auto *tensor = ops::asTensor(fact);
        const auto found = tensor ? m_parts.m_writers.find(tensor->storage) : m_parts.m_writers.end();
        if (found == m_parts.m_writers.end())
            return;
        const auto producer = value.producer();
        const auto from = producer ? m_parts.m_subject.outline.byNode[producer->id().index] : std::nullopt;
        for (const std::uint32_t writer : found->second)
            if (writer < m_reader && (!from || writer > *from))
                addWriter(*m_parts.m_subject.outline.items[writer].node);
    }

    void addWriter(const ir::NodeRef &node)
    {
        const auto &taken = m_parts.m_subject.outline.taken;
        for (ir::RegionId region = node->parent; m_graph.at(region).owner;) {
            const ir::NodeRef owner(m_graph, *m_graph.at(region).owner);
            const auto branch = taken.find(owner.id());
            if (branch == taken.end()) {
                m_part.problem = "a branch or a loop writes to what it reads";
                return;
            }
            if (owner->regions[branch->second] != region)
                return; // the branch does not run
            region = owner->parent;
        }
        add(node);
    }

    /// Returns the operand that the known branch of an If returns as `value`; nullptr if `value` is no result of such
    /// an If.
    const ir::Operand *passedBy(const ir::ValueRef &value) const
    {
        const auto *result = std::get_if<ir::NodeResult>(&value->definition);
        const auto &taken = m_parts.m_subject.outline.taken;
        const auto found = result ? taken.find(result->node) : taken.end();
        if (found == taken.end())
            return nullptr;
        const ir::Region &region = ir::NodeRef(m_graph, result->node).region(found->second);
        return result->index < region.outputs.size() ? &region.outputs[result->index] : nullptr;
    }

    ir::Operand resolved(ir::Operand operand) const
    {
        for (const auto *value = operand.as<ir::ValueId>(); value; value = operand.as<ir::ValueId>()) {
            const auto passed = m_passed.find(value->index);
            if (passed == m_passed.end())
                break;
            operand = passed->second;
        }
        return operand;
    }

    std::optional<ir::TensorId> boundWeight(ir::ValueId value) const
    {
        if (const auto weight = ir::ValueRef(m_graph, value).weight())
            return weight;
        return m_parts.m_boundWeights[value.index];
    }

    /// Adds a node with everything in its regions.
    void add(const ir::NodeRef &node)
    {
        const auto item = m_parts.m_subject.outline.byNode[node.id().index];
        if (!item) {
            m_part.problem = "it is computed in code that does not run";
            return;
        }
        if (m_nodes.insert(*item).second)
            addInside(node, *item);
    }

    void addInside(const ir::NodeRef &node, std::uint32_t item)
    {
        const Role role = m_parts.m_subject.outline.items[item].role;
        if (computes(role) && !m_parts.m_matching.isMatched(m_parts.m_subject, item)
            && !m_parts.m_matching.absorbedOf(m_parts.m_subject)[item])
            m_part.items.push_back(item);
        addWork(node);
        for (const ir::ValueId output : node->outputs)
            m_seen.insert(output.index);
        for (const ir::RegionId id : node->regions) {
            const ir::Region &region = m_graph.at(id);
            for (const ir::ValueId input : region.inputs)
                m_seen.insert(input.index);
            for (const ir::NodeRef inner : ir::nodesOf(m_graph, id))
                if (const auto itemInside = m_parts.m_subject.outline.byNode[inner.id().index])
                    addInside(inner, *itemInside);
            for (const ir::Operand &output : region.outputs)
                read(output);
        }
        for (const ir::Argument &argument : node->arguments)
            read(argument.value);
    }

    void addWork(const ir::NodeRef &node)
    {
        const auto count = [&](const ir::Dim &dim) {
            m_part.work = checkedAdd(m_part.work, ops::number(dim).value_or(0)).value_or(m_part.work);
        };
        const ops::Cost &cost = m_parts.m_shapes.costs[node.id().index];
        count(cost.flops);
        count(cost.otherFlops);
        for (const ir::ValueId output : node->outputs)
            if (const auto *tensor = ops::asTensor(m_parts.m_shapes.of(output)); tensor && tensor->shape)
                count(ops::elementsOf(*tensor->shape));
    }

    void copyAll(const ir::Operand &operand)
    {
        std::ranges::sort(m_part.items);
        for (const auto &[value, weight] : m_weights)
            define(value, m_part.graph.addWeight(ir::Graph::body, {}, m_graph.at(value).type, weight),
                   hashOfWeight(weight));
        for (const auto &[value, input] : m_given) {
            const Hash hash = mixed(input.border ? *input.border + 1 : 0, hashOfFact(input.fact));
            define(value, m_part.graph.addInput(ir::Graph::body, {}, m_graph.at(value).type), hash);
            m_part.inputs.push_back(input);
        }
        for (const std::uint32_t item : m_nodes)
            copy(*m_parts.m_subject.outline.items[item].node, ir::Graph::body);
        m_part.graph.setOutputs(ir::Graph::body, {copied(operand)});
    }

    void define(ir::ValueId old, ir::ValueId made, Hash hash)
    {
        m_copies.emplace(old.index, made);
        m_part.hash = mixed(m_part.hash, hash);
    }

    Hash hashOfWeight(ir::TensorId weight)
    {
        WeightPrints &prints = m_parts.m_subject.labeller.weights();
        const auto content =
            isSampledWholly(m_parts.m_subject.side.model.at(weight)) ? prints.content(weight) : std::nullopt;
        return content ? *content : mixed(0x3E1D, weight.index);
    }

    ir::Operand copied(const ir::Operand &operand)
    {
        m_part.hash = mixed(m_part.hash, m_parts.m_subject.labeller.operand(operand));
        addTensors(operand);
        return ir::withValues(operand, [&](ir::ValueId read) -> ir::Operand {
            const ir::Operand given = resolved(read);
            const auto *value = given.as<ir::ValueId>();
            if (!value)
                return copied(given);
            const auto found = m_copies.find(value->index);
            if (found == m_copies.end()) {
                m_part.problem = "a value is read before it is computed";
                return {};
            }
            m_part.hash = mixed(m_part.hash, found->second.index);
            return found->second;
        });
    }

    void addTensors(const ir::Operand &operand)
    {
        if (const auto *tensor = operand.as<ir::TensorId>())
            m_part.hash = mixed(m_part.hash, hashOfWeight(*tensor));
        else if (const auto *list = operand.as<ir::List>())
            for (const ir::Operand &item : list->items)
                addTensors(item);
    }

    void copy(const ir::NodeRef &node, ir::RegionId into)
    {
        m_part.hash = mixed(m_part.hash, hashOf(node.fullName()));
        ir::NodeDraft draft{.op = node->op,
                            .name = {},
                            .scope = node->scope,
                            .location = {},
                            .arguments = {},
                            .origins = {},
                            .metadata = {}};
        for (const ir::Argument &argument : node->arguments) {
            m_part.hash = mixed(m_part.hash, hashOf(m_graph.context().text(argument.name)));
            draft.arguments.push_back({argument.name, copied(argument.value)});
        }
        const ir::NodeId made = m_part.graph.append(into, std::move(draft));
        for (const ir::RegionId id : node->regions) {
            const ir::Region &region = m_graph.at(id);
            const ir::RegionId inside = m_part.graph.addRegion(made, region.name);
            for (const ir::ValueId input : region.inputs)
                define(input, m_part.graph.addInput(inside, {}, m_graph.at(input).type), 1);
            for (const ir::NodeRef inner : ir::nodesOf(m_graph, id))
                copy(inner, inside);
            std::vector<ir::Operand> outputs;
            for (const ir::Operand &output : region.outputs)
                outputs.push_back(copied(output));
            m_part.graph.setOutputs(inside, std::move(outputs));
        }
        for (const ir::ValueId output : node->outputs)
            define(output, m_part.graph.addOutput(made, {}, m_graph.at(output).type), 2);
    }

    Parts &m_parts;
    std::uint32_t m_reader;
    const ir::Graph &m_graph;
    BorderNumbers &m_numbers;
    std::optional<std::uint32_t> m_within;
    Part m_part;
    std::vector<ir::ValueId> m_open;
    std::set<std::uint32_t> m_seen;  ///< indices of the values that were visited
    std::set<std::uint32_t> m_nodes; ///< items of the nodes that were added
    std::vector<std::pair<ir::ValueId, ir::TensorId>> m_weights;
    std::vector<std::pair<ir::ValueId, Part::Input>> m_given;
    std::map<std::uint32_t, ir::Operand> m_passed; ///< by value: its operand in the branch that runs
    std::map<std::uint32_t, ir::ValueId> m_copies; ///< by index of the value in the side's graph
};

Parts::Parts(const Matching &matching, Subject &subject, const analysis::Shapes &shapes, bool stopsAtAll)
    : m_matching(matching),
      m_subject(subject),
      m_shapes(shapes),
      m_stopsAtAll(stopsAtAll),
      m_inputItems(subject.side.graph().valueCount()),
      m_boundWeights(subject.side.graph().valueCount())
{
    for (const ir::FunctionInput &input : subject.side.function().inputs)
        if (const auto *value = input.value.as<ir::ValueId>();
            value && input.kind != ir::FunctionInput::Kind::User && input.tensor)
            m_boundWeights[value->index] = input.tensor;
    const std::vector<bool> isBound = boundInputs(subject.side.function());
    std::uint32_t item = 0;
    for (const ir::ValueId value : subject.side.graph().at(ir::Graph::body).inputs)
        if (!isBound[value.index])
            m_inputItems[value.index] = item++;
    findWriters();
}

void Parts::findWriters()
{
    ops::Signatures signatures(m_subject.side.graph().context());
    const auto add = [&](const ir::Operand *written, std::uint32_t item) {
        const auto *value = written ? written->as<ir::ValueId>() : nullptr;
        const auto *tensor = value ? ops::asTensor(m_shapes.of(*value)) : nullptr;
        const bool isPlaced = tensor && tensor->storage != ops::StorageNumber::None
            && tensor->storage != ops::StorageNumber::Weights; // tensors of weights all have this number
        if (isPlaced)
            m_writers[tensor->storage].push_back(item);
    };
    for (std::uint32_t i = 0; i < m_subject.outline.items.size(); ++i) {
        const auto &node = m_subject.outline.items[i].node;
        const ops::Signature *signature = node ? signatures.of((*node)->op) : nullptr;
        if (!signature)
            continue;
        for (const ops::SchemaArgument &argument : signature->schema.arguments)
            if (argument.type.isWritten())
                add(node->argument(argument.name), i);
    }
}

std::optional<Border> Parts::borderAt(ir::ValueId value, std::optional<std::uint32_t> within) const
{
    const auto inA = [&](std::uint32_t item) {
        return &m_subject == &m_matching.a() ? item : m_matching.partnerOfB(item)->item;
    };
    if (const auto item = m_inputItems[value.index]) {
        const std::size_t onThisSideAlone = &m_subject == &m_matching.a() ? 1u << 20 : 1u << 21;
        return m_matching.isMatched(m_subject, *item) ? Border{inA(*item), 0} : Border{*item, onThisSideAlone};
    }
    const auto *result = std::get_if<ir::NodeResult>(&m_subject.side.graph().at(value).definition);
    auto item = result ? m_subject.outline.byNode[result->node.index] : std::nullopt;
    if (!item)
        return {};
    const auto host = m_matching.absorbedOf(m_subject)[*item];
    if ((host ? *host : *item) == within)
        return {};
    item = host ? host : item;
    const Item &at = m_subject.outline.items[*item];
    if (!m_matching.isMatched(m_subject, *item) || !(m_stopsAtAll || computes(at.role)) || !at.node
        || !(*at.node)->regions.empty())
        return {};
    return Border{inA(*item), result->index};
}

Part Parts::of(const ir::Operand &operand, std::uint32_t reader, BorderNumbers &numbers,
               std::optional<std::uint32_t> within)
{
    return PartBuilder(*this, reader, numbers, within).build(operand);
}

} // namespace cutaway::diff
