// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tensors/same_elements.h"
#include "core/passes/dependencies.h"
#include "core/passes/operand_hash.h"
#include "core/passes/pass.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <map>

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;

/// Walks the regions and knows, at each node, the nodes that have certainly run: those before it in its region and in
/// the regions around.
class Merging {
public:
    explicit Merging(rewrite::Rewriter &rewriter) : m_rewriter(rewriter) { }

    /// Replaces weights of ONNX that have the same elements by one of them. In torch, each module has its own weights
    /// under their names.
    void mergeWeights()
    {
        std::map<std::pair<ir::DType, std::vector<std::int64_t>>, std::vector<ir::ValueId>> different;
        for (ir::ValueId id{0}; id.index < m_rewriter.graph().valueCount(); ++id.index) {
            const auto *weight = std::get_if<ir::Weight>(&m_rewriter.graph().at(id).definition);
            if (!weight || weight->region != ir::Graph::body || m_rewriter.useCount(id) == 0
                || m_rewriter.isReturned(id) || !m_rewriter.constant(id))
                continue;
            const ir::Tensor &tensor = m_rewriter.model().at(weight->tensor);
            if (tensor.strides) // strided elements would have to be gathered for each comparison
                continue;
            auto &candidates = different[{tensor.dtype, tensor.shape}];
            const auto same = std::ranges::find_if(candidates, [&](ir::ValueId other) { return areSame(other, id); });
            if (same != candidates.end())
                m_rewriter.replaceUses(id, *same);
            else if (candidates.size() < maxCompared)
                candidates.push_back(id);
        }
    }

    void visit(ir::RegionId region)
    {
        std::vector<std::uint64_t> here;
        const std::vector<NodeId> nodes = m_rewriter.graph().at(region).nodes;
        for (const NodeId id : nodes) {
            const NodeRef node = m_rewriter.node(id);
            if (!node->outputs.empty() && node->regions.empty() && mayMove(m_rewriter, node)) {
                const std::uint64_t key = keyOf(node);
                if (const auto same = find(key, node)) {
                    replace(node, *same);
                    continue;
                }
                m_done[key].push_back(node);
                here.push_back(key);
            }
            for (const ir::RegionId inner : ir::RareList(node->regions))
                visit(inner);
        }
        for (const std::uint64_t key : here)
            m_done[key].pop_back();
    }

private:
    /// The number of different weights of one shape that a further weight is compared with at most. A comparison ends
    /// at the first difference.
    static constexpr std::size_t maxCompared = 256;

    bool areSame(ir::ValueId a, ir::ValueId b)
    {
        const ir::Model &model = m_rewriter.model();
        const auto idOf = [&](ir::ValueId id) {
            return std::get<ir::Weight>(m_rewriter.graph().at(id).definition).tensor;
        };
        return m_rewriter.graph().at(a).type == m_rewriter.graph().at(b).type
            && ir::haveSameElements(model, idOf(a), model, idOf(b)).value_or(false);
    }

    static std::uint64_t keyOf(const NodeRef &node)
    {
        std::uint64_t hash = hashOf(node->op);
        for (const ir::Argument &argument : node->arguments)
            hash = combined(combined(hash, hashOf(argument.name)), hashOf(argument.value));
        return hash;
    }

    std::optional<NodeRef> find(std::uint64_t key, const NodeRef &node) const
    {
        const auto done = m_done.find(key);
        if (done == m_done.end())
            return std::nullopt;
        const auto same = std::ranges::find_if(done->second, [&](const NodeRef &earlier) {
            const auto sameType = [](const ir::ValueRef &a, const ir::ValueRef &b) { return a->type == b->type; };
            return earlier->op == node->op && earlier->arguments == node->arguments
                && std::ranges::equal(earlier.outputs(), node.outputs(), sameType);
        });
        return same == done->second.end() ? std::nullopt : std::optional(*same);
    }

    /// Replaces a node by an equal one. Two results of a function stay two tensors, since its caller may write to one
    /// of them.
    void replace(const NodeRef &node, const NodeRef &same)
    {
        for (std::size_t i = 0; i < node.outputCount(); ++i)
            if (m_rewriter.isReturned(node.output(i)) && m_rewriter.isReturned(same.output(i)))
                return;
        for (std::size_t i = 0; i < node.outputCount(); ++i)
            m_rewriter.replaceUses(node.output(i), same.output(i));
        m_rewriter.remove(node);
    }

    rewrite::Rewriter &m_rewriter;
    std::unordered_map<std::uint64_t, std::vector<NodeRef>> m_done; ///< by hash: the nodes that have run
};

Result<void> runMergeSubexpressions(rewrite::Rewriter &rewriter, const Settings &)
{
    Merging merging(rewriter);
    if (std::ranges::any_of(rewriter.nodes(), &NodeRef::isOnnx))
        merging.mergeWeights();
    merging.visit(ir::Graph::body);
    return {};
}

} // namespace

extern const Pass mergeSubexpressions;
const Pass mergeSubexpressions{
    "common-subexpressions",
    "Merges operators that compute the same from the same arguments, and equal weights of ONNX.",
    {},
    runMergeSubexpressions};

} // namespace cutaway::passes
