// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/activation.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/ops/tensor/joining.h"
#include "core/ops/tensor/view.h"
#include "core/passes/layouts.h"
#include "core/passes/pass.h"
#include "core/passes/rewriter.h"

#include <algorithm>
#include <array>
#include <numeric>

// A node is an identity if its result has the elements of its first argument, in the same order and of the same dtype,
// whatever its purpose. It can be removed if neither value is ever written to.

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;
using Axes = std::vector<std::int64_t>;

class Identities {
public:
    explicit Identities(Rewriter &rewriter) : m_rewriter(rewriter), m_layouts(rewriter) { }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes())
            if (!m_rewriter.isRemoved(node) && mayGo(node))
                if (const auto same = source(node); same && !isNeededAsResult(node, *same)) {
                    m_rewriter.replaceUses(node.output(0), *same);
                    m_rewriter.remove(node);
                }
    }

private:
    /// Whether the node has only one used result, which is never written to.
    bool mayGo(const NodeRef &node)
    {
        const auto isRead = [&](ValueId value) { return m_rewriter.useCount(value) > 0; };
        return !node->outputs.empty() && node->regions.empty() && isRead(node.output(0))
            && std::none_of(node->outputs.begin() + 1, node->outputs.end(), isRead)
            && !m_rewriter.written().contains(node.output(0)) && m_rewriter.isPure(node);
    }

    /// ONNX requires distinct graph outputs; identities at the end provide them.
    bool isNeededAsResult(const NodeRef &node, const Operand &same)
    {
        const ir::Region &region = m_rewriter.graph().at(node->parent);
        const Operand result = node.output(0);
        if (!node.isOnnx() || !std::ranges::contains(region.outputs, result))
            return false;
        const auto maker = ir::valueOf(m_rewriter.graph(), &same).and_then(&ir::ValueRef::producer);
        return !maker || (*maker)->parent != node->parent || std::ranges::contains(region.outputs, same);
    }

    /// The operand that could replace the result.
    std::optional<Operand> source(const NodeRef &node)
    {
        const Operand *first = firstArgument(node);
        const auto value = ir::valueOf(m_rewriter.graph(), first);
        if (!value || m_rewriter.written().contains(*value))
            return std::nullopt;
        if (const auto axes = permutation(node))
            return throughPermutations(*value, *axes);
        return isIdentity(node, *value) ? std::optional(*first) : std::nullopt;
    }

    const Operand *firstArgument(const NodeRef &node)
    {
        const auto &arguments = node->arguments;
        if (arguments.empty())
            return nullptr;
        const Operand &first = arguments.front().value;
        const auto *list = first.as<ir::List>();
        return isConcatenation(node) && list && list->items.size() == 1 ? &list->items.front() : &first;
    }

    bool isConcatenation(const NodeRef &node) { return m_rewriter.kind(node) == ops::kind::cat; }

    bool isIdentity(const NodeRef &node, ValueId value)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        if (!hasTypeOf(node, value))
            return false;
        if (const ops::Operator *row = m_rewriter.row(node);
            kind == ops::kind::dropout || (row && row->traits.keepsElements))
            return keepsPlace(node, value);
        if (kind == ops::kind::cat)
            return node.isOnnx() ? node->arguments.size() == 2 // the input and the axis
                                 : !node->arguments.front().value.as<ValueId>() && keepsPlace(node, value);
        return (kind == ops::kind::mul || kind == ops::kind::div) && isOne(m_rewriter.argument(node, "other", 1))
            && keepsPlace(node, value);
    }

    /// Whether dtype and sizes are equal.
    bool hasTypeOf(const NodeRef &node, ValueId value)
    {
        const ops::Fact before = m_rewriter.fact(value);
        const ops::Fact after = m_rewriter.fact(node.output(0));
        const ops::TensorFact *a = ops::asTensor(before);
        const ops::TensorFact *b = ops::asTensor(after);
        const auto isKnown = [](const ir::Dim &dim) { return !std::holds_alternative<ir::UnknownDim>(dim); };
        return a && b && a->dtype && a->dtype == b->dtype && a->shape && a->shape == b->shape
            && std::ranges::all_of(*a->shape, isKnown);
    }

    /// Whether the result certainly has the device and the strides of the argument, which types do not show: a later
    /// view may depend on them.
    bool keepsPlace(const NodeRef &node, ValueId value)
    {
        if (node.isOnnx())
            return true;
        if (const Operand *device = m_rewriter.argument(node, "device"); device && !device->as<ir::None>())
            return false;
        return returnsItself(node, value) || (m_layouts.isRowMajor(value) && m_layouts.isRowMajor(node.output(0)));
    }

    /// Whether the operator returns the argument, or a view of it, in every layout: a view of the same sizes has the
    /// same strides.
    bool returnsItself(const NodeRef &node, ValueId value)
    {
        const ops::Fact before = m_rewriter.fact(value), after = m_rewriter.fact(node.output(0));
        const ops::StorageNumber storage = ops::asTensor(before)->storage;
        if (storage == ops::StorageNumber::None || storage != ops::asTensor(after)->storage
            || m_rewriter.row(node)->traits.place == ops::placeOfContiguous)
            return false;
        const ops::Fact format = m_rewriter.call(node)["memory_format"];
        return format.as<ops::NoneFact>() || format == ops::Fact(ir::MemoryFormat::Preserve);
    }

    bool isOne(const Operand *operand)
    {
        if (!operand || operand->as<ValueId>())
            return false;
        const auto *whole = operand->as<std::int64_t>();
        const auto *real = operand->as<double>();
        return (whole && *whole == 1) || (real && *real == 1);
    }

    // ---- permutations

    std::optional<std::size_t> rank(ValueId value)
    {
        const ops::Fact fact = m_rewriter.fact(value);
        const ops::TensorFact *tensor = ops::asTensor(fact);
        return tensor && tensor->shape ? std::optional(tensor->shape->size()) : std::nullopt;
    }

    /// For each dimension of the result, that of the argument, if the node only permutes dimensions.
    std::optional<Axes> permutation(const NodeRef &node)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        const auto &arguments = node->arguments;
        const auto *value = arguments.empty() ? nullptr : arguments.front().value.as<ValueId>();
        const auto dims = value ? rank(*value) : std::nullopt;
        if (!dims)
            return std::nullopt;
        Axes axes(*dims);
        std::iota(axes.begin(), axes.end(), 0);
        if (kind == ops::kind::permute)
            return listed(node, axes.size());
        if (kind == ops::kind::t && axes.size() == 2)
            return Axes{1, 0};
        if (kind != ops::kind::transpose || node.isOnnx())
            return std::nullopt;
        const auto a = axis(node, "dim0", axes.size());
        const auto b = axis(node, "dim1", axes.size());
        if (!a || !b)
            return std::nullopt;
        std::swap(axes[*a], axes[*b]);
        return axes;
    }

    std::optional<std::size_t> axis(const NodeRef &node, std::string_view name, std::size_t rank)
    {
        const Operand *operand = m_rewriter.argument(node, name);
        const auto *number = operand ? operand->as<std::int64_t>() : nullptr;
        return number ? wrapped(*number, rank) : std::nullopt;
    }

    static std::optional<std::size_t> wrapped(std::int64_t axis, std::size_t rank)
    {
        const std::int64_t positive = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
        return positive >= 0 && positive < static_cast<std::int64_t>(rank)
            ? std::optional(static_cast<std::size_t>(positive))
            : std::nullopt;
    }

    /// The axes that aten::permute and onnx::Transpose list; without a list the latter reverses all.
    std::optional<Axes> listed(const NodeRef &node, std::size_t rank)
    {
        Axes axes(rank);
        std::iota(axes.rbegin(), axes.rend(), 0);
        const Operand *operand = node.isOnnx() ? node.argument("perm") : m_rewriter.argument(node, "dims");
        if (!operand)
            return node.isOnnx() ? std::optional(axes) : std::nullopt;
        const auto *list = operand->as<ir::List>();
        if (!list || list->items.size() != rank)
            return std::nullopt;
        for (std::size_t i = 0; i < rank; ++i) {
            const auto *number = list->items[i].as<std::int64_t>();
            const auto place = number ? wrapped(*number, rank) : std::nullopt;
            if (!place)
                return std::nullopt;
            axes[i] = static_cast<std::int64_t>(*place);
        }
        return axes;
    }

    /// Follows permutations to the producer at which they cancel out.
    std::optional<Operand> throughPermutations(ir::ValueRef value, Axes axes)
    {
        while (!std::ranges::is_sorted(axes)) {
            const auto before = value.producer();
            const auto inner = before ? permutation(*before) : std::nullopt;
            if (!inner || inner->size() != axes.size())
                return std::nullopt;
            for (std::int64_t &axis : axes)
                axis = (*inner)[static_cast<std::size_t>(axis)];
            value = *ir::valueOf(m_rewriter.graph(), &(*before)->arguments.front().value);
            if (m_rewriter.written().contains(value))
                return std::nullopt;
        }
        return value;
    }

    Rewriter &m_rewriter;
    Layouts m_layouts;
};

Result<void> runRemoveIdentities(Rewriter &rewriter, const Settings &)
{
    Identities(rewriter).run();
    return {};
}

} // namespace

extern const Pass removeIdentities;
const Pass removeIdentities{"remove-identities",
                            "Removes operators that return their argument: inactive dropout, conversions and views "
                            "that change nothing, transpositions that undo each other.",
                            {},
                            runRemoveIdentities};

} // namespace cutaway::passes
