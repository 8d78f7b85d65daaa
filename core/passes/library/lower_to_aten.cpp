// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tensors/sparse_elements.h"
#include "core/passes/fusing.h"
#include "core/rewrite/layouts.h"
#include "core/rules/onnx_node.h"

#include <algorithm>

namespace cutaway::passes {

namespace {

class AtenLowering {
public:
    explicit AtenLowering(rewrite::Rewriter &rewriter) : m_rewriter(rewriter), m_layouts(rewriter) { }

    void run()
    {
        makeDense();
        for (const ir::NodeRef &node : m_rewriter.nodes()) {
            if (m_rewriter.task().stopRequested())
                return;
            if (!m_rewriter.isRemoved(node) && node.isOnnx())
                lower(node);
        }
    }

private:
    static bool isReadByOnnx(const ir::ValueRef &value)
    {
        return std::ranges::any_of(value->uses, [&](const ir::Use &use) {
            const auto *node = std::get_if<ir::NodeId>(&use);
            return node && ir::NodeRef(value.graph(), *node).isOnnx();
        });
    }

    /// Makes sparse weights dense that operators of ONNX read, since torch's layers take no sparse ones.
    void makeDense()
    {
        for (ir::ValueId id{0}; id.index < m_rewriter.graph().valueCount(); ++id.index) {
            const ir::ValueRef value(m_rewriter.graph(), id);
            const auto weight = isReadByOnnx(value) ? value.weight() : std::nullopt;
            if (!weight || m_rewriter.model().at(*weight).layout == ir::Layout::Strided)
                continue;
            const ir::Tensor sparse = m_rewriter.model().at(*weight);
            auto bytes = ir::denseBytes(m_rewriter.model(), sparse);
            if (!bytes)
                continue;
            const ir::ValueId dense =
                m_rewriter.addConstant(std::string(value.name()) + "_dense", sparse.dtype, sparse.shape,
                                       std::move(*bytes), ir::Tensor::Kind::Parameter);
            m_rewriter.learn(dense, id);
            m_rewriter.replaceUses(id, dense);
            m_rewriter.removeWeight(id);
        }
    }

    void lower(const ir::NodeRef &node)
    {
        rules::to_aten::OnnxNode lowered(m_rewriter, m_layouts, node);
        const rules::to_aten::Parts results = lowered.made();
        if (results.empty())
            return;
        for (std::size_t i = 0; i < results.size(); ++i)
            takePlace(lowered, node.output(i), results[i]);
        m_rewriter.remove(node);
    }

    void takePlace(const rules::to_aten::AtenMaker &made, const ir::ValueRef &before, const ir::Operand &result)
    {
        const auto *value = result.as<ir::ValueId>();
        if (value && made.hasMade(*value)) {
            if (before->type != ir::TypeId{})
                m_rewriter.setType(*value, before->type);
            m_rewriter.setName(*value, before.name());
            m_rewriter.learn(*value, before.id());
        }
        if (!before->uses.empty())
            m_rewriter.replaceUses(before, result);
    }

    rewrite::Rewriter &m_rewriter;
    rewrite::Layouts m_layouts;
};

} // namespace

extern const Pass lowerToAten;
const Pass lowerToAten{"lower-to-aten",
                       "Makes operators of ATen of ONNX's, so that torch can run them; results change within rounding.",
                       {},
                       runOf<AtenLowering>,
                       false,
                       {},
                       {"dead-code"}};

} // namespace cutaway::passes
