// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/convolution.h"
#include "core/ops/network/pooling.h"
#include "core/ops/tensor/expanding.h"
#include "core/passes/fusing.h"
#include "core/passes/matching.h"

#include <algorithm>

// This pass is for ONNX. A convolution pads spatial dimensions with zeros itself, and so does an average pool that
// counts its padding. A maximum pool pads with a value below all others, so its Pad stays.

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::Operand;
using Pads = std::vector<std::int64_t>;

class PadFusion {
public:
    explicit PadFusion(rewrite::Rewriter &rewriter) : m_rewriter(rewriter), m_matching(rewriter) { }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes()) {
            if (node.dialect() != "onnx" || !m_matching.isPlain(node) || !padsWithZeros(node))
                continue;
            const auto pad = m_matching.ownMaker(m_matching.operand(node, 0), node);
            const auto pads = pad && m_rewriter.kind(*pad) == ops::kind::pad ? padsOf(*pad) : std::nullopt;
            if (pads)
                take(node, *pad, *pads);
        }
    }

private:
    static bool isNumber(const Operand *attribute, std::int64_t number)
    {
        return attribute && *attribute == Operand(number);
    }

    /// Whether the node pads with zeros, by explicit pads.
    bool padsWithZeros(const NodeRef &node)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        const Operand *automatic = node.argument("auto_pad");
        const auto *word = automatic ? automatic->as<ir::String>() : nullptr;
        if (automatic && (!word || m_rewriter.context().text(word->text) != "NOTSET"))
            return false;
        if (kind != ops::kind::avgPool)
            return kind == ops::kind::conv;
        const Operand *ceil = node.argument("ceil_mode");
        // Before opset 7, averages never counted padding.
        if ((ceil && !isNumber(ceil, 0)) || m_matching.opset(node) < 7)
            return false;
        const auto own = m_matching.wholes(node.argument("pads"));
        const bool isUnpadded = !node.argument("pads") || (own && std::ranges::count(*own, 0) == std::ssize(*own));
        return node.argument("kernel_shape") && (isUnpadded || isNumber(node.argument("count_include_pad"), 1));
    }

    /// Returns the pads of a Pad, those before all dimensions and then those after them; nothing unless they are
    /// constant and pad with zeros.
    std::optional<Pads> padsOf(const NodeRef &pad)
    {
        const Operand *mode = pad.argument("mode"), *value = m_matching.operand(pad, "value", 2);
        const auto *word = mode ? mode->as<ir::String>() : nullptr;
        if (mode && (!word || m_rewriter.context().text(word->text) != "constant"))
            return std::nullopt;
        if ((value && m_matching.number(value) != 0.0) || m_matching.operand(pad, 3))
            return std::nullopt;
        return m_matching.wholes(m_matching.operand(pad, "pads", 1));
    }

    void take(const NodeRef &node, const NodeRef &pad, const Pads &pads)
    {
        const auto type = m_matching.tensor(*m_matching.operand(pad, 0));
        const std::size_t rank = type ? type->shape->size() : 0;
        if (rank < 3)
            return;
        const std::size_t spatial = rank - 2;
        const auto given = node.argument("pads") ? m_matching.wholes(node.argument("pads")) : Pads(2 * spatial, 0);
        if (pads.size() != 2 * rank || !given || given->size() != 2 * spatial
            || std::ranges::any_of(pads, [](std::int64_t size) { return size < 0; }) || pads[0] != 0 || pads[1] != 0
            || pads[rank] != 0 || pads[rank + 1] != 0)
            return;
        ir::List sums;
        for (std::size_t i = 0; i < 2 * spatial; ++i)
            sums.items.push_back((*given)[i] + pads[i < spatial ? 2 + i : rank + 2 + i - spatial]);
        const Operand source = *m_matching.operand(pad, 0);
        m_rewriter.setArgument(node, std::size_t{0}, source);
        m_rewriter.setArgument(node, "pads", std::move(sums));
        if (m_rewriter.kind(node) == ops::kind::avgPool)
            m_rewriter.setArgument(node, "count_include_pad", std::int64_t{1});
        m_rewriter.remove(pad);
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
};

} // namespace

extern const Pass fusePad;
const Pass fusePad{
    "fuse-pad",
    "Lets convolutions and average pools of ONNX pad with the zeros that a node before them adds; results "
    "change within rounding.",
    {},
    runOf<PadFusion>,
    false};

} // namespace cutaway::passes
