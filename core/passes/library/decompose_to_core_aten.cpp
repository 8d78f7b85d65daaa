// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/schemas/core_aten.h"
#include "core/ops/tensor/view.h"
#include "core/passes/fusing.h"
#include "core/passes/left_over.h"
#include "core/rewrite/layouts.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <map>

// PyTorch's own list (core/ops/schemas) names the core ATen operators; rules (core/rules) decompose the others. If a
// node that a rule makes is not of a core operator, it is decomposed in turn. A node is only replaced by results with
// the dtypes and shapes that analysis found for the results of the node.

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::ValueId;

class CoreAtenPass {
public:
    explicit CoreAtenPass(rewrite::Rewriter &rewriter) : m_rewriter(rewriter), m_layouts(rewriter) { }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes()) {
            m_rewriter.from({node});
            decompose(node);
        }
        m_rewriter.remark(sentence("no rule", m_noRule));
        for (const auto &[reason, counts] : m_refused)
            m_rewriter.remark(sentence(reason, counts));
        m_rewriter.remark(sentence(writtenInPlace, m_written));
    }

private:
    using Counts = std::map<std::string, std::size_t>;

    /// Returns a remark with the counts of operators: "left: aten::cummax 3 ×, aten::item: no rule".
    static std::string sentence(std::string_view cause, const Counts &counts)
    {
        std::string text;
        for (const auto &[name, count] : counts)
            text += formatted("{}{}{}", text.empty() ? "left: " : ", ", name,
                              count > 1 ? formatted(" {} ×", count) : std::string());
        return text.empty() ? text : formatted("{}: {}", text, cause);
    }

    void decompose(const NodeRef &node)
    {
        if (m_rewriter.isRemoved(node))
            return;
        followLayouts(node);
        if (node.dialect() != "aten" || usePlainName(node))
            return;
        const rules::to_aten::MakeParts make = rules::decompositionOf(node.dialect(), node.opName());
        if (!make || touchesWritten(node)) {
            ++(make || m_rewriter.writes(node) ? m_written : m_noRule)[node.fullName()];
            return;
        }
        rules::to_aten::Decomposition parts(m_rewriter, m_layouts, node);
        const rules::to_aten::Parts results = parts.madeBy(make);
        if (results.empty()) {
            ++m_refused[parts.whyNot()][node.fullName()];
            return;
        }
        replace(parts, node, results);
        for (const ir::NodeId made : parts.nodes())
            decompose(m_rewriter.node(made));
    }

    /// Whether the node's operator is a core operator under any of its names. If so, the node gets the core operator's
    /// name.
    bool usePlainName(const NodeRef &node)
    {
        if (ops::isCoreAten("aten", node.opName(), node.overload()))
            return true;
        const std::string_view plain = ops::plainNameOf("aten", node.opName());
        if (plain == node.opName() || !ops::isCoreAten("aten", plain, node.overload()) || touchesWritten(node))
            return false;
        m_rewriter.setOperator(node, "aten", plain, node.overload());
        return true;
    }

    /// Notes that the results of the node may have another layout than before if a tensor that it reads may have one.
    /// If the node is a view that such a layout may rule out, it gets a contiguous copy of that tensor.
    void followLayouts(const NodeRef &node)
    {
        if (!readsRelaid(node))
            return;
        const ir::Operand *self = m_rewriter.argument(node, "self");
        const auto value = ir::valueOf(m_rewriter.graph(), self);
        const bool isView = ops::dependsOnLayout(node) && m_rewriter.kind(node) == ops::kind::reshape;
        if (isView && value && m_relaid.contains(*value) && !m_layouts.isRowMajor(*value)) {
            const ValueId copy =
                m_rewriter.makeBefore(node,
                                      {"aten",
                                       "clone",
                                       "",
                                       {{m_rewriter.text("self"), value->id()},
                                        {m_rewriter.text("memory_format"), ir::MemoryFormat::Contiguous}}},
                                      (*value)->type);
            m_layouts.setRowMajor(copy);
            m_rewriter.setArgument(node, "self", copy);
            return;
        }
        for (const ValueId output : node->outputs)
            if (!m_layouts.isRowMajor(output))
                m_relaid.insert(output);
    }

    bool readsRelaid(const NodeRef &node) const
    {
        bool reads = false;
        for (const ir::Argument &argument : node->arguments)
            ir::forEachValue(argument.value, [&](ValueId value) { reads = reads || m_relaid.contains(value); });
        return reads;
    }

    bool touchesWritten(const NodeRef &node)
    {
        const auto isWritten = [this](ValueId value) { return m_rewriter.written().contains(value); };
        bool touches = m_rewriter.writes(node) || std::ranges::any_of(node->outputs, isWritten);
        for (const ir::Argument &argument : node->arguments)
            ir::forEachValue(argument.value, [&](ValueId value) { touches = touches || isWritten(value); });
        return touches;
    }

    void replace(const rules::to_aten::Decomposition &parts, const NodeRef &node, const rules::to_aten::Parts &results)
    {
        const ops::Operator *row = m_rewriter.row(node);
        const bool liesAlike = parts.nodes().size() == 1
            || (row && (row->pattern == ops::Pattern::Pointwise || row->pattern == ops::Pattern::Moving));
        for (std::size_t i = 0; i < results.size(); ++i) {
            const ir::ValueRef before = node.output(i);
            const auto *value = results[i].as<ValueId>();
            if (value && parts.hasMade(*value))
                takeOver(*value, before, liesAlike);
            if (!before->uses.empty())
                m_rewriter.replaceUses(before, results[i]);
        }
        m_rewriter.remove(node);
    }

    void takeOver(ValueId made, const ir::ValueRef &before, bool liesAlike)
    {
        if (liesAlike)
            m_layouts.set(made, before);
        const bool isRowMajor = m_layouts.isRowMajor(made) && m_layouts.isRowMajor(before);
        if ((!liesAlike || m_relaid.contains(before)) && !isRowMajor)
            m_relaid.insert(made);
        if (before->type != ir::TypeId{})
            m_rewriter.setType(made, before->type);
        m_rewriter.setName(made, before.name());
    }

    rewrite::Rewriter &m_rewriter;
    rewrite::Layouts m_layouts;
    std::unordered_set<ValueId> m_relaid; ///< tensors whose layout may differ from before
    Counts m_noRule, m_written;
    std::map<std::string, Counts> m_refused; ///< by reason: the operators that are left
};

} // namespace

extern const Pass decomposeToCoreAten;
const Pass decomposeToCoreAten{"decompose-to-core-aten",
                               "Decomposes composite ATen operators into core ATen; results change within rounding.",
                               {},
                               runOf<CoreAtenPass>,
                               false};

} // namespace cutaway::passes
