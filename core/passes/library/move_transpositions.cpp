// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/compute/array.h"
#include "core/ops/tensor/expanding.h"
#include "core/ops/tensor/joining.h"
#include "core/passes/fusing.h"
#include "core/passes/matching.h"
#include "core/passes/permutations.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <unordered_map>
#include <unordered_set>

// This pass is for ONNX, where strides do not show. Operators that compute element by element, join or pad give the
// same elements in any order of dimensions. A cluster is a set of such nodes that read each other. It can compute in
// another order if each value that comes in is transposed, and each value that goes out is transposed back. New
// transpositions cancel out those that are there already: in files whose channels are last, with a transposition before
// and after each convolution, none is left between two convolutions. A cluster changes its order if fewer
// transpositions are left then, where two that merge-chains would merge count as one.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;
using PermutedAxes = std::vector<std::size_t>; ///< by dimension of the result: the dimension of the argument that it is

class TranspositionMoving {
public:
    explicit TranspositionMoving(rewrite::Rewriter &rewriter) : m_rewriter(rewriter), m_matching(rewriter) { }

    void run()
    {
        for (const std::vector<NodeRef> &cluster : clusters())
            if (const auto axes = bestOrder(cluster))
                permute(cluster, *axes);
    }

private:
    // ---- clusters

    /// How an operand is treated if its node computes in another order.
    enum class Part : std::uint8_t {
        Fixed,    ///< one element, or no tensor: it is the same in any order
        Constant, ///< a constant, which is permuted right away
        Value,    ///< another value, which has to be permuted
    };

    static std::size_t find(std::vector<std::size_t> &parents, std::size_t i)
    {
        while (parents[i] != i)
            i = parents[i] = parents[parents[i]];
        return i;
    }

    /// Returns the clusters of nodes that can change their order: nodes that read each other are in one cluster. Nodes
    /// are in the order of the graph.
    std::vector<std::vector<NodeRef>> clusters()
    {
        std::vector<NodeRef> nodes = m_rewriter.nodes();
        std::erase_if(nodes, [this](const NodeRef &node) { return !takesAnyOrder(node); });
        std::unordered_map<NodeId, std::size_t> places;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            places.emplace(nodes[i], i);
        std::vector<std::size_t> parents(nodes.size());
        std::iota(parents.begin(), parents.end(), 0);
        for (std::size_t i = 0; i < nodes.size(); ++i)
            for (const ValueId value : valuesOf(nodes[i])) {
                const auto maker = ir::ValueRef(m_rewriter.graph(), value).producer();
                const auto place = maker ? places.find(*maker) : places.end();
                if (place != places.end() && (*maker)->parent == nodes[i]->parent)
                    parents[find(parents, i)] = find(parents, place->second);
            }
        std::map<std::size_t, std::vector<NodeRef>> byParent;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            byParent[find(parents, i)].push_back(nodes[i]);
        const auto groups = byParent | std::views::values;
        return {groups.begin(), groups.end()};
    }

    bool takesAnyOrder(const NodeRef &node)
    {
        if (node.dialect() != "onnx" || !m_matching.isPlain(node) || m_matching.opset(node) < 7) // legacy broadcasting
            return false;
        if (rankOf(node) < 2 || !(computesByElement(node) || axisOf(node) || padsOf(node)))
            return false;
        for (std::size_t i = 0; i < node->arguments.size(); ++i)
            if (!partOf(node, i))
                return false;
        return !valuesOf(node).empty();
    }

    bool computesByElement(const NodeRef &node)
    {
        const ops::Operator *row = m_rewriter.row(node);
        return row && row->pattern == ops::Pattern::Pointwise && !node.argument("axis");
    }

    /// Returns the operands of the node that have to be permuted.
    std::vector<ValueId> valuesOf(const NodeRef &node)
    {
        std::vector<ValueId> values;
        for (std::size_t i = 0; i < node->arguments.size(); ++i)
            if (partOf(node, i) == Part::Value)
                values.push_back(*node->arguments[i].value.as<ValueId>());
        return values;
    }

    std::size_t rankOf(const NodeRef &node)
    {
        const auto type = m_matching.tensor(node.output(0));
        return type ? type->shape->size() : 0;
    }

    /// Returns how an operand is treated; nothing if it prevents another order.
    std::optional<Part> partOf(const NodeRef &node, std::size_t position)
    {
        const ir::Argument &argument = node->arguments[position];
        const bool joins = m_rewriter.kind(node) == ops::kind::cat, pads = m_rewriter.kind(node) == ops::kind::pad;
        if (argument.name != ir::NameId{} || argument.value.as<ir::None>() || (pads && position > 0))
            return Part::Fixed;
        const std::size_t rank = rankOf(node);
        const auto type = m_matching.tensor(argument.value);
        if (!argument.value.as<ValueId>() || !type || type->shape->size() > rank)
            return std::nullopt;
        if (!joins && std::ranges::all_of(*type->shape, [](const ir::Dim &size) { return ops::isOne(size); }))
            return Part::Fixed;
        if (const auto id = m_rewriter.constant(argument.value); id && isSeenAnyhow(m_rewriter.model().at(*id)))
            return Part::Constant;
        return type->shape->size() == rank ? std::optional(Part::Value) : std::nullopt;
    }

    /// Whether a weight can be viewed with any strides: its elements are whole bytes of one storage.
    static bool isSeenAnyhow(const ir::Tensor &tensor)
    {
        const auto bits = ir::bitWidth(tensor.dtype);
        return bits && *bits >= 8 && tensor.layout == ir::Layout::Strided && tensor.parts.empty();
    }

    /// Returns the axis of a concatenation; nothing for other nodes.
    std::optional<std::size_t> axisOf(const NodeRef &join)
    {
        const Operand *axis = m_rewriter.kind(join) == ops::kind::cat ? join.argument("axis") : nullptr;
        const auto *number = axis ? axis->as<std::int64_t>() : nullptr;
        return number ? ops::dimension(*number, rankOf(join)) : std::nullopt;
    }

    /// Returns the pads of a Pad, those before all dimensions and then those after them; nothing for other nodes.
    std::optional<std::vector<std::int64_t>> padsOf(const NodeRef &pad)
    {
        if (m_rewriter.kind(pad) != ops::kind::pad)
            return std::nullopt;
        auto pads = m_matching.wholes(m_matching.operand(pad, "pads", 1));
        return pads && pads->size() == 2 * rankOf(pad) && !m_matching.operand(pad, 3) ? pads : std::nullopt;
    }

    // ---- whether it is worth it

    static PermutedAxes inverse(const PermutedAxes &axes)
    {
        PermutedAxes inverse(axes.size());
        for (std::size_t i = 0; i < axes.size(); ++i)
            inverse[axes[i]] = i;
        return inverse;
    }

    static std::unordered_set<NodeId> idsOf(const std::vector<NodeRef> &cluster)
    {
        return {cluster.begin(), cluster.end()};
    }

    /// Returns the values that a cluster reads from outside, each with the first node that reads it.
    std::vector<std::pair<ValueId, NodeRef>> inputsOf(const std::vector<NodeRef> &cluster,
                                                      const std::unordered_set<NodeId> &ids)
    {
        std::vector<std::pair<ValueId, NodeRef>> inputs;
        std::unordered_set<ValueId> seen;
        for (const NodeRef &node : cluster)
            for (const ValueId value : valuesOf(node)) {
                const auto maker = ir::ValueRef(m_rewriter.graph(), value).producer();
                if (!(maker && ids.contains(*maker)) && seen.insert(value).second)
                    inputs.emplace_back(value, node);
            }
        return inputs;
    }

    /// Returns the axes of the transposition that makes a value; nothing if it is made by another node.
    std::optional<PermutedAxes> axesBefore(ValueId value, const NodeRef &reader)
    {
        const Operand operand = value;
        const auto maker = m_matching.maker(&operand, reader);
        return maker ? permutationOf(m_rewriter, *maker) : std::nullopt;
    }

    /// Returns the axes of the transposition that reads the value in `use`; nothing if the reader is no transposition,
    /// or is not in the node's region.
    std::optional<PermutedAxes> axesBehind(const ir::Use &use, const NodeRef &node)
    {
        const auto *id = std::get_if<NodeId>(&use);
        const bool isBeside = id && m_rewriter.node(*id)->parent == node->parent;
        return isBeside && m_matching.isPlain(m_rewriter.node(*id)) ? permutationOf(m_rewriter, m_rewriter.node(*id))
                                                                    : std::nullopt;
    }

    static bool isInside(const ir::Use &use, const std::unordered_set<NodeId> &ids)
    {
        const auto *id = std::get_if<NodeId>(&use);
        return id && ids.contains(*id);
    }

    /// Returns the order that most of the transpositions around the cluster ask for, if fewer transpositions are left
    /// with it.
    std::optional<PermutedAxes> bestOrder(const std::vector<NodeRef> &cluster)
    {
        const std::unordered_set<NodeId> ids = idsOf(cluster);
        std::map<PermutedAxes, std::size_t> votes;
        for (const auto &[value, reader] : inputsOf(cluster, ids))
            if (const auto axes = axesBefore(value, reader))
                ++votes[inverse(*axes)];
        for (const NodeRef &node : cluster)
            for (const ir::Use &use : node.output(0)->uses)
                if (const auto axes = isInside(use, ids) ? std::nullopt : axesBehind(use, node))
                    ++votes[*axes];
        const auto best = std::ranges::max_element(votes, {}, &std::pair<const PermutedAxes, std::size_t>::second);
        if (best == votes.end() || std::ranges::is_sorted(best->first) || gainOf(cluster, ids, best->first) <= 0)
            return std::nullopt;
        return best->first;
    }

    /// Returns how many transpositions are saved.
    std::int64_t gainOf(const std::vector<NodeRef> &cluster, const std::unordered_set<NodeId> &ids,
                        const PermutedAxes &axes)
    {
        std::int64_t gain = 0;
        for (const auto &[value, reader] : inputsOf(cluster, ids)) {
            const auto before = axesBefore(value, reader);
            const auto &uses = m_rewriter.graph().at(value).uses;
            const bool goes =
                before && std::ranges::all_of(uses, [&](const ir::Use &use) { return isInside(use, ids); });
            gain += before == inverse(axes) ? (goes ? 1 : 0) : (goes ? 0 : -1);
        }
        for (const NodeRef &node : cluster) {
            bool isReadAsBefore = false;
            for (const ir::Use &use : node.output(0)->uses)
                if (const auto behind = axesBehind(use, node); behind == axes)
                    ++gain;
                else
                    isReadAsBefore |= !behind && !isInside(use, ids);
            gain -= isReadAsBefore ? 1 : 0;
        }
        return gain;
    }

    // ---- the other order

    void permute(const std::vector<NodeRef> &cluster, const PermutedAxes &axes)
    {
        const std::unordered_set<NodeId> ids = idsOf(cluster);
        const auto inputs = inputsOf(cluster, ids);
        std::unordered_map<ValueId, ValueId> permuted;
        for (const auto &[value, reader] : inputs) {
            const Operand operand = value;
            const auto maker = m_matching.maker(&operand, reader);
            if (axesBefore(value, reader) == inverse(axes))
                permuted.emplace(value, *(*maker)->arguments.front().value.as<ValueId>());
            else
                permuted.emplace(value, transposed(reader, value, axes));
        }
        for (const NodeRef &node : cluster) {
            const ValueId made = copied(node, axes, permuted);
            m_rewriter.setName(made, node.output(0).name());
            permuted.emplace(node.output(0), made);
        }
        for (const NodeRef &node : cluster)
            giveBack(node, ids, axes, permuted.at(node.output(0)));
        for (const NodeRef &node : cluster | std::views::reverse)
            m_rewriter.remove(node);
        for (const auto &[value, reader] : inputs)
            if (m_rewriter.useCount(value) == 0)
                removeMaker(value);
    }

    /// Removes the node that makes `value`, which nothing reads any more, if the node is a transposition.
    void removeMaker(ValueId value)
    {
        const auto maker = ir::ValueRef(m_rewriter.graph(), value).producer();
        if (maker && permutationOf(m_rewriter, *maker))
            m_rewriter.remove(*maker);
    }

    ValueId transposed(const NodeRef &next, ValueId value, const PermutedAxes &axes)
    {
        ir::List order;
        for (const std::size_t axis : axes)
            order.items.push_back(static_cast<std::int64_t>(axis));
        m_rewriter.from({next});
        return m_rewriter.makeBefore(next,
                                     {.dialect = "onnx",
                                      .name = "Transpose",
                                      .arguments = {{{}, value}, {m_rewriter.text("perm"), std::move(order)}}},
                                     {});
    }

    /// Adds a copy of the node that computes in the other order.
    ValueId copied(const NodeRef &node, const PermutedAxes &axes, const std::unordered_map<ValueId, ValueId> &permuted)
    {
        std::vector<ir::Argument> arguments = node->arguments;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const auto part = partOf(node, i);
            if (part == Part::Value)
                arguments[i].value = permuted.at(*arguments[i].value.as<ValueId>());
            else if (part == Part::Constant)
                arguments[i].value = seen(*m_rewriter.constant(arguments[i].value), axes);
        }
        if (m_rewriter.kind(node) == ops::kind::cat)
            set(arguments, "axis", std::ranges::find(axes, *axisOf(node)) - axes.begin());
        else if (m_rewriter.kind(node) == ops::kind::pad)
            setPads(node, axes, arguments);
        m_rewriter.from({node});
        return m_rewriter.makeBefore(node,
                                     {.dialect = node.dialect(),
                                      .name = node.opName(),
                                      .overload = node.overload(),
                                      .arguments = std::move(arguments)},
                                     {});
    }

    void set(std::vector<ir::Argument> &arguments, std::string_view name, Operand value)
    {
        std::ranges::find(arguments, m_rewriter.text(name), &ir::Argument::name)->value = std::move(value);
    }

    void setPads(const NodeRef &pad, const PermutedAxes &axes, std::vector<ir::Argument> &arguments)
    {
        const std::vector<std::int64_t> before = *padsOf(pad);
        std::vector<std::int64_t> pads;
        for (const std::size_t side : {std::size_t{0}, axes.size()})
            for (const std::size_t axis : axes)
                pads.push_back(before[side + axis]);
        if (!pad.argument("pads")) {
            const auto count = static_cast<std::int64_t>(pads.size());
            arguments[1].value = m_rewriter.addConstant(
                "pads", ir::DType::Int64, {count}, ir::encodeNumbers(ir::DType::Int64, ir::Numbers(std::move(pads))));
            return;
        }
        ir::List list;
        for (const std::int64_t size : pads)
            list.items.push_back(size);
        set(arguments, "pads", std::move(list));
    }

    /// Returns a weight in the other order, with as many dimensions as the result.
    ValueId seen(ir::TensorId weight, const PermutedAxes &axes)
    {
        const ir::Tensor &tensor = m_rewriter.model().at(weight);
        const compute::Sizes strides = tensor.strides ? *tensor.strides : compute::stridesOf(tensor.shape);
        const std::size_t missing = axes.size() - tensor.shape.size();
        compute::Sizes shape, steps;
        for (const std::size_t axis : axes) {
            shape.push_back(axis < missing ? 1 : tensor.shape[axis - missing]);
            steps.push_back(axis < missing ? 1 : strides[axis - missing]);
        }
        return m_rewriter.addView(weight, std::move(shape), std::move(steps));
    }

    /// Whether a region returns the node's result. A region has to return different values; the pass remove-identities
    /// knows which nodes may be removed there.
    bool isResult(const NodeRef &node)
    {
        return std::ranges::any_of(node.output(0)->uses,
                                   [](const ir::Use &use) { return std::holds_alternative<ir::RegionId>(use); });
    }

    /// Makes the readers outside of the cluster read the result of `node` in its original order: `made`, transposed
    /// back.
    void giveBack(const NodeRef &node, const std::unordered_set<NodeId> &ids, const PermutedAxes &axes, ValueId made)
    {
        const auto uses = node.output(0)->uses; // a copy, since the loop changes the uses
        for (const ir::Use &use : uses)
            if (axesBehind(use, node) == axes && !isResult(m_rewriter.node(std::get<NodeId>(use)))) {
                const NodeRef behind = m_rewriter.node(std::get<NodeId>(use));
                m_rewriter.learn(made, behind.output(0));
                m_rewriter.setName(made, behind.output(0).name());
                m_rewriter.replaceUses(behind.output(0), made);
                m_rewriter.remove(behind);
            }
        if (std::ranges::all_of(node.output(0)->uses, [&](const ir::Use &use) { return isInside(use, ids); }))
            return;
        const ValueId back = transposed(node, made, inverse(axes));
        m_rewriter.learn(back, node.output(0));
        m_rewriter.setName(back, node.output(0).name());
        m_rewriter.setName(made, std::string(node.output(0).name()) + "_permuted");
        m_rewriter.replaceUses(node.output(0), back);
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
};

} // namespace

extern const Pass moveTranspositions;
const Pass moveTranspositions{"move-transpositions",
                              "Lets what computes element by element in ONNX do so in another order of dimensions, "
                              "where fewer transpositions are left by that.",
                              {},
                              runOf<TranspositionMoving>,
                              true,
                              {},
                              {"remove-identities", "merge-chains", "dead-code"}};

} // namespace cutaway::passes
