// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/writes/simple_views.h"

#include "core/base/checked.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/program/container.h"
#include "core/ops/row_names.h"
#include "core/passes/matching.h"
#include "core/rewrite/layouts.h"
#include "core/rules/rule_table.h"

#include <algorithm>
#include <optional>

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

/// A range of a tensor along a dimension.
struct ViewedPart {
    std::int64_t start, end;
    bool isSelected = false; ///< whether the part is only the element at `start`, without the dimension
};

class SimpleViews {
public:
    explicit SimpleViews(rewrite::Rewriter &rewriter)
        : m_rewriter(rewriter),
          m_matching(rewriter),
          m_layouts(rewriter),
          m_written(rewriter.written())
    {
    }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes()) {
            const Operand *self = node.dialect() == "aten" ? m_rewriter.argument(node, selfOf(node)) : nullptr;
            const auto *value = self ? self->as<ValueId>() : nullptr;
            const Rule *rule = value && m_written.contains(*value) ? ruleOf(node) : nullptr;
            if (rule)
                (this->*rule->make)(node, *value);
        }
    }

private:
    struct Rule {
        ops::RowNames names;
        void (SimpleViews::*make)(const NodeRef &node, ValueId whole);
    };

    static const Rule *ruleOf(const NodeRef &node)
    {
        static constexpr Rule rows[] = {
            {"aten::split", &SimpleViews::split},
            {"aten::split_with_sizes", &SimpleViews::splitBySizes},
            {"aten::chunk", &SimpleViews::chunk},
            {"aten::unbind", &SimpleViews::unbind},
            {"aten::narrow", &SimpleViews::narrow},
            {"aten::tensor_split", &SimpleViews::splitEvenly},
            {"aten::movedim aten::moveaxis", &SimpleViews::moveDims},
            {"aten::numpy_T", &SimpleViews::reverseDims},
            {"aten::mT", &SimpleViews::swapLast},
            {"aten::reshape aten::flatten aten::ravel", &SimpleViews::reshape},
        };
        static const rules::RuleTable<Rule> table{rows};
        return table.first(node.dialect(), node.opName());
    }

    // ---- reading

    std::string_view selfOf(const NodeRef &node) const
    {
        const ops::Signature *known = m_rewriter.signature(node->op);
        return known && !known->schema.arguments.empty() ? std::string_view(known->schema.arguments.front().name) : "";
    }

    const ops::TensorFact *tensor(ValueId value, ops::Fact &fact)
    {
        fact = m_rewriter.proven(value);
        const auto *tensor = ops::asTensor(fact);
        return tensor && tensor->shape ? tensor : nullptr;
    }

    std::optional<std::size_t> rankOf(ValueId value)
    {
        ops::Fact fact;
        const auto *known = tensor(value, fact);
        return known ? std::optional(known->shape->size()) : std::nullopt;
    }

    /// Returns the dimension along which the node splits, as its argument counts it; nothing if it is computed.
    std::optional<std::int64_t> dimOf(const NodeRef &node) { return m_rewriter.call(node).integer("dim"); }

    /// Returns the size of the dimension along which the node splits `value`; nothing if it is not known.
    std::optional<std::int64_t> sizeOf(ValueId value, const NodeRef &node)
    {
        ops::Fact fact;
        const auto dim = dimOf(node);
        const auto *known = tensor(value, fact);
        const auto place = known && dim ? ops::dimension(*dim, known->shape->size()) : std::nullopt;
        return place ? ops::number((*known->shape)[*place]) : std::nullopt;
    }

    std::optional<std::vector<std::int64_t>> wholes(const NodeRef &node, std::string_view parameter)
    {
        return m_matching.wholes(m_rewriter.argument(node, parameter));
    }

    // ---- the parts of a list

    void split(const NodeRef &node, ValueId whole)
    {
        if (m_rewriter.call(node).has("split_sizes") || !m_rewriter.call(node).integer("split_size"))
            return splitBySizes(node, whole);
        const std::int64_t size = *m_rewriter.call(node).integer("split_size");
        if (size > 0)
            takeApart(node, whole, [size](std::int64_t i) { return partOfSize(i, size); });
    }

    /// Returns the part at index `position` if all parts have this size; the last one may end beyond the tensor.
    static std::optional<ViewedPart> partOfSize(std::int64_t position, std::int64_t size)
    {
        const auto start = checkedMultiply(position, size);
        const auto end = start ? checkedAdd(*start, size) : std::nullopt;
        return end ? std::optional(ViewedPart{*start, *end}) : std::nullopt;
    }

    void splitBySizes(const NodeRef &node, ValueId whole)
    {
        const char *name = m_rewriter.call(node).has("split_sizes") ? "split_sizes" : "split_size";
        const auto sizes = wholes(node, name);
        if (!sizes)
            return;
        std::vector<ViewedPart> parts;
        std::int64_t start = 0;
        for (const std::int64_t size : *sizes) {
            const auto end = checkedAdd(start, size);
            if (!end)
                return;
            parts.push_back({start, *end});
            start = *end;
        }
        takeApart(node, whole, [&](std::int64_t i) {
            return i < std::ssize(parts) ? std::optional(parts[static_cast<std::size_t>(i)]) : std::nullopt;
        });
    }

    void chunk(const NodeRef &node, ValueId whole)
    {
        const auto size = sizeOf(whole, node), count = m_rewriter.call(node).integer("chunks");
        if (!size || !count || *count <= 0 || *size <= 0)
            return;
        const std::int64_t each = (*size - 1) / *count + 1;
        takeApart(node, whole, [each](std::int64_t i) { return partOfSize(i, each); });
    }

    void splitEvenly(const NodeRef &node, ValueId whole)
    {
        const auto size = sizeOf(whole, node), count = m_rewriter.call(node).integer("sections");
        if (!size || !count || *count <= 0)
            return;
        takeApart(node, whole, [&](std::int64_t i) -> std::optional<ViewedPart> {
            if (i >= *count)
                return std::nullopt;
            const auto start = [&](std::int64_t part) {
                return part * (*size / *count) + std::min(part, *size % *count);
            };
            return ViewedPart{start(i), start(i + 1)};
        });
    }

    void unbind(const NodeRef &node, ValueId whole)
    {
        takeApart(node, whole, [](std::int64_t i) -> std::optional<ViewedPart> { return ViewedPart{i, i, true}; });
    }

    /// Makes each part a separate view, if all readers of the list read parts whose index is known.
    template <class PartAt>
    void takeApart(const NodeRef &node, ValueId whole, const PartAt &partAt)
    {
        std::vector<std::pair<ValueId, ViewedPart>> parts;
        std::vector<ir::NodeId> gone;
        const auto add = [&](ValueId value, std::int64_t position) {
            const auto part = position < 0 ? std::nullopt : partAt(position);
            if (part)
                parts.emplace_back(value, *part);
            return part.has_value();
        };
        const auto addAll = [&](const NodeRef &of) {
            for (std::size_t i = 0; i < of.outputCount(); ++i)
                if (!add(of.output(i).id(), static_cast<std::int64_t>(i)))
                    return false;
            gone.push_back(of.id());
            return true;
        };
        const auto dim = dimOf(node);
        const bool isList = node.outputCount() == 1 && !node.output(0).tensorType();
        if (!dim || !(isList ? addReaders(node, add, addAll, gone) : addAll(node)))
            return;
        for (const auto &[value, part] : parts) {
            const ValueId made = part.isSelected
                ? view(node, "select", "int", {whole, *dim, part.start}, value)
                : view(node, "slice", "Tensor", {whole, *dim, part.start, part.end, std::int64_t{1}}, value);
            m_rewriter.replaceUses(value, made);
        }
        for (const ir::NodeId each : gone)
            m_rewriter.remove(each);
    }

    template <class Add, class AddAll>
    bool addReaders(const NodeRef &node, const Add &add, const AddAll &addAll, std::vector<ir::NodeId> &gone)
    {
        const std::vector<ir::Use> uses(node.output(0)->uses.begin(), node.output(0)->uses.end());
        for (const ir::Use &use : uses) {
            const auto *id = std::get_if<ir::NodeId>(&use);
            if (!id)
                return false;
            const NodeRef reader = m_rewriter.node(*id);
            const bool takesOne = m_rewriter.kind(reader) == ops::kind::getItem && reader->arguments.size() == 2;
            const auto *position = takesOne ? reader->arguments[1].value.as<std::int64_t>() : nullptr;
            if (position && !add(reader.output(0).id(), *position))
                return false;
            if (position)
                gone.push_back(*id);
            else if (!unpacks(reader) || !addAll(reader))
                return false;
        }
        gone.push_back(node.id());
        return true;
    }

    /// Whether the node returns the items of its only argument.
    bool unpacks(const NodeRef &node)
    {
        const ops::Operator *row = m_rewriter.row(node);
        bool areTensors = node.dialect() == "prim" && node->arguments.size() == 1;
        for (std::size_t i = 0; i < node.outputCount(); ++i)
            areTensors = areTensors && node.output(i).tensorType();
        return areTensors && row && row->pattern == ops::Pattern::Moving;
    }

    // ---- single views

    void narrow(const NodeRef &node, ValueId whole)
    {
        const auto dim = dimOf(node), start = m_rewriter.call(node).integer("start"),
                   length = m_rewriter.call(node).integer("length");
        const auto end = start && length ? checkedAdd(*start, *length) : std::nullopt;
        if (dim && end && *start >= 0)
            replace(node, "slice", "Tensor", {whole, *dim, *start, *end, std::int64_t{1}});
    }

    void moveDims(const NodeRef &node, ValueId whole)
    {
        const auto rank = rankOf(whole);
        const auto from = wholes(node, "source"), to = wholes(node, "destination");
        if (!rank || !from || !to || from->size() != to->size())
            return;
        std::vector<std::optional<std::int64_t>> order(*rank);
        std::vector<bool> isMoved(*rank);
        for (std::size_t i = 0; i < from->size(); ++i) {
            const auto source = ops::dimension((*from)[i], *rank), place = ops::dimension((*to)[i], *rank);
            if (!source || !place)
                return;
            order[*place] = static_cast<std::int64_t>(*source);
            isMoved[*source] = true;
        }
        std::int64_t next = 0;
        for (auto &dim : order) {
            while (!dim && static_cast<std::size_t>(next) < *rank && isMoved[static_cast<std::size_t>(next)])
                ++next;
            if (!dim)
                dim = next++;
        }
        ir::List dims;
        for (const auto &dim : order)
            dims.items.push_back(*dim);
        replace(node, "permute", "", {whole, std::move(dims)});
    }

    void reverseDims(const NodeRef &node, ValueId whole)
    {
        const auto rank = rankOf(whole);
        if (!rank)
            return;
        ir::List dims;
        for (std::size_t i = *rank; i > 0; --i)
            dims.items.push_back(static_cast<std::int64_t>(i - 1));
        replace(node, "permute", "", {whole, std::move(dims)});
    }

    void swapLast(const NodeRef &node, ValueId whole)
    {
        replace(node, "transpose", "int", {whole, std::int64_t{-2}, std::int64_t{-1}});
    }

    /// Replaces a reshape of a tensor that is certainly row-major by a view.
    void reshape(const NodeRef &node, ValueId whole)
    {
        ops::Fact fact;
        const auto *result = m_layouts.isRowMajor(whole) ? tensor(node.output(0).id(), fact) : nullptr;
        if (!result)
            return;
        ir::List sizes;
        for (const ir::Dim &size : *result->shape) {
            const auto number = ops::number(size);
            if (!number)
                return;
            sizes.items.push_back(*number);
        }
        replace(node, "view", "", {whole, std::move(sizes)});
    }

    // ---- making

    ValueId view(const NodeRef &node, std::string_view name, std::string_view overload, std::vector<Operand> operands,
                 ValueId like)
    {
        const ops::Signature *known = m_rewriter.signature(m_rewriter.context().op("aten", name, overload));
        std::vector<ir::Argument> arguments;
        for (Operand &operand : operands)
            arguments.push_back({m_rewriter.text(known->schema.arguments[arguments.size()].name), std::move(operand)});
        m_rewriter.from({node.id()});
        const ir::ValueRef before(m_rewriter.graph(), like);
        const NodeRef made = m_rewriter.insertBefore(node.id(), {"aten", name, overload, std::move(arguments)});
        const ValueId value = m_rewriter.addOutput(made.id(), before->type, before.name());
        m_rewriter.learn(value, like);
        m_written.insert(value);
        return value;
    }

    void replace(const NodeRef &node, std::string_view name, std::string_view overload, std::vector<Operand> operands)
    {
        m_rewriter.replaceUses(node.output(0).id(),
                               view(node, name, overload, std::move(operands), node.output(0).id()));
        m_rewriter.remove(node.id());
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
    rewrite::Layouts m_layouts;
    std::unordered_set<ValueId> m_written; ///< values that are written to, including new ones
};

} // namespace

void simplifyWrittenViews(rewrite::Rewriter &rewriter)
{
    if (!rewriter.written().empty())
        SimpleViews(rewriter).run();
}

} // namespace cutaway::passes
