// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/ir/opsets.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/tensor/slicing.h"
#include "core/passes/fusing.h"
#include "core/passes/matching.h"

#include <algorithm>
#include <map>

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;

/// The range of one dimension that a node cuts out.
struct Cut {
    NodeId node;
    std::int64_t start, end;
    std::int64_t size; ///< the size of the dimension before the cut
};

class SliceSplitting {
public:
    explicit SliceSplitting(rewrite::Rewriter &rewriter) : m_rewriter(rewriter), m_matching(rewriter) { }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes())
            if (node.dialect() == "onnx" && m_matching.is(node, ops::kind::slice))
                note(node);
        for (auto &[key, cuts] : m_cuts)
            split(cuts, std::get<std::size_t>(key));
    }

private:
    using Key = std::tuple<ir::RegionId, ir::ValueId, std::size_t>; ///< region of the slices, sliced value, dimension

    /// Returns the integer of a list with one element.
    std::optional<std::int64_t> single(const Operand *operand)
    {
        const auto numbers = m_matching.wholes(operand);
        return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
    }

    /// Notes a slice of one dimension of known size with step 1.
    void note(const NodeRef &node)
    {
        const Operand *operand = m_matching.operand(node, 0);
        const auto *value = operand ? operand->as<ir::ValueId>() : nullptr;
        const auto type = value ? m_matching.tensor(*operand) : std::nullopt;
        const auto start = single(m_matching.operand(node, "starts", 1)),
                   end = single(m_matching.operand(node, "ends", 2));
        const Operand *axisGiven = m_matching.operand(node, "axes", 3), *step = m_matching.operand(node, 4);
        const auto number = axisGiven ? single(axisGiven) : 0;
        if (!type || !start || !end || !number || (step && single(step) != 1))
            return;
        const auto axis = ops::dimension(*number, type->shape->size());
        const auto size = axis ? ops::number((*type->shape)[*axis]) : std::nullopt;
        if (!size)
            return;
        const auto within = [&](std::int64_t at) {
            return std::clamp(at < 0 ? at + *size : at, std::int64_t{0}, *size);
        };
        m_cuts[{node->parent, *value, *axis}].push_back({node, within(*start), within(*end), *size});
    }

    /// Replaces slices by a split if they cover the dimension without gaps; they may be in any order in the graph.
    void split(std::vector<Cut> &cuts, std::size_t axis)
    {
        const NodeId first = cuts.front().node; // the first node in execution order
        std::ranges::stable_sort(cuts, {}, &Cut::start);
        std::int64_t at = 0;
        for (const Cut &cut : cuts) {
            if (cut.start != at || cut.end <= at)
                return;
            at = cut.end;
        }
        if (cuts.size() < 2 || at != cuts.front().size)
            return;
        // If the sliced value was a slice itself, it may be a result of a split by now.
        const auto value = *m_matching.operand(m_rewriter.node(first), 0)->as<ir::ValueId>();
        std::vector<NodeId> nodes;
        std::vector<std::int64_t> sizes;
        for (const Cut &cut : cuts) {
            nodes.push_back(cut.node);
            sizes.push_back(cut.end - cut.start);
        }
        m_rewriter.from(nodes);
        const NodeRef made = m_rewriter.insertBefore(
            first, {.dialect = "onnx", .name = "Split", .arguments = arguments(value, axis, std::move(sizes))});
        for (const NodeId node : nodes) {
            const ir::ValueRef result = m_rewriter.node(node).output(0);
            m_rewriter.replaceUses(result, m_rewriter.addOutput(made, result->type, result.name()));
            m_rewriter.remove(node);
        }
    }

    /// Returns the arguments of a Split. The sizes are an input since operator set 13, and were an attribute before.
    std::vector<ir::Argument> arguments(ir::ValueId value, std::size_t axis, std::vector<std::int64_t> sizes)
    {
        std::vector<ir::Argument> made{{{}, value}};
        if (ir::opsetIn(m_rewriter.model(), m_rewriter.graph(), "onnx") >= 13) {
            const auto length = std::ssize(sizes);
            made.push_back(
                {{},
                 m_rewriter.addConstant("sizes", ir::DType::Int64, {length},
                                        ir::encodeNumbers(ir::DType::Int64, ir::Numbers(std::move(sizes))))});
        } else {
            made.push_back({m_rewriter.text("split"), ir::List{.items = {sizes.begin(), sizes.end()}}});
        }
        made.push_back({m_rewriter.text("axis"), static_cast<std::int64_t>(axis)});
        return made;
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
    std::map<Key, std::vector<Cut>> m_cuts;
};

} // namespace

extern const Pass splitSlices;
const Pass splitSlices{"split-slices",
                       "Replaces slices of ONNX that take a whole tensor apart by one split.",
                       {},
                       runOf<SliceSplitting>,
                       false};

} // namespace cutaway::passes
