// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tensors/tensor_bytes.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/network/activation.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/ops/tensor/cast.h"
#include "core/ops/tensor/expanding.h"
#include "core/ops/tensor/joining.h"
#include "core/ops/tensor/slicing.h"
#include "core/ops/tensor/view.h"
#include "core/passes/fusing.h"
#include "core/passes/matching.h"
#include "core/passes/permutations.h"
#include "core/rewrite/layouts.h"

#include <algorithm>
#include <array>
#include <cmath>

// A node is an identity if its result has the elements of its first argument, in the same order and of the same dtype,
// whatever the purpose of the node. It can be removed if neither value is ever written to.

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

class Identities {
public:
    explicit Identities(rewrite::Rewriter &rewriter) : m_rewriter(rewriter), m_matching(rewriter), m_layouts(rewriter)
    {
    }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes())
            if (!m_rewriter.isRemoved(node) && mayGo(node))
                if (const auto same = source(node))
                    if (const auto result = asResult(node, *same)) {
                        m_rewriter.replaceUses(node.output(0), *result);
                        m_rewriter.remove(node);
                    }
    }

private:
    /// Whether the node is pure and has no regions, and only its first result is read, to which nothing writes.
    bool mayGo(const NodeRef &node)
    {
        const auto isRead = [&](ValueId value) { return m_rewriter.useCount(value) > 0; };
        return !node->outputs.empty() && node->regions.empty() && isRead(node.output(0))
            && std::none_of(node->outputs.begin() + 1, node->outputs.end(), isRead)
            && !m_rewriter.written().contains(node.output(0)) && m_rewriter.isPure(node);
    }

    /// Returns the operand that may replace the node's result. ONNX requires distinct outputs of a graph, made in it.
    /// Identities at the end make such outputs, and a small constant can be copied for an output.
    std::optional<Operand> asResult(const NodeRef &node, const Operand &same)
    {
        const ir::Region &region = m_rewriter.graph().at(node->parent);
        const Operand result = node.output(0);
        if (!node.isOnnx() || !std::ranges::contains(region.outputs, result))
            return same;
        const auto value = ir::valueOf(m_rewriter.graph(), &same);
        const auto maker = value.and_then(&ir::ValueRef::producer);
        const bool isTaken = std::ranges::contains(region.outputs, same);
        if (maker)
            return !isTaken && (*maker)->parent == node->parent ? std::optional(same) : std::nullopt;
        const auto tensor = value ? m_rewriter.constant(same) : std::nullopt;
        if (!tensor || ir::elementCount(m_rewriter.model().at(*tensor)).value_or(maxCopied + 1) > maxCopied)
            return std::nullopt;
        const bool isConstant = m_rewriter.model().at(*tensor).kind == ir::Tensor::Kind::Constant;
        if (node->parent == ir::Graph::body)
            return isConstant && !isTaken ? std::optional(same) : copied(*tensor, node.output(0).name());
        return isConstant ? std::optional<Operand>(m_rewriter.addRegionWeight(node->parent, *tensor,
                                                                              node.output(0).name(), (*value)->type))
                          : std::nullopt;
    }

    /// Returns a new constant with the elements of a weight.
    std::optional<Operand> copied(ir::TensorId id, std::string_view name)
    {
        const ir::Tensor &tensor = m_rewriter.model().at(id);
        std::vector<std::byte> bytes;
        const auto visited = ir::visitElements(m_rewriter.model(), id, [&](std::span<const std::byte> piece) {
            bytes.insert(bytes.end(), piece.begin(), piece.end());
        });
        if (!visited || tensor.layout != ir::Layout::Strided || !tensor.parts.empty())
            return std::nullopt;
        return m_rewriter.addConstant(name, tensor.dtype, tensor.shape, std::move(bytes));
    }

    static constexpr std::int64_t maxCopied = 1024; ///< limit of the elements of a constant that is copied

    /// Returns the operand that has the same elements as the result; nothing if the node is no identity.
    std::optional<Operand> source(const NodeRef &node)
    {
        if (const Operand *operand = besideNeutral(node))
            return *operand;
        const Operand *first = firstArgument(node);
        const auto value = ir::valueOf(m_rewriter.graph(), first);
        if (!value || m_rewriter.written().contains(*value))
            return std::nullopt;
        if (const auto axes = permutationOf(m_rewriter, node))
            return throughPermutations(*value, *axes);
        return isIdentity(node, *value) ? std::optional(*first) : throughShapes(node, *value);
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
        if (node.isOnnx() && keepsEveryShape(node, value))
            return true;
        if (!hasTypeOf(node, value))
            return false;
        if (const ops::Operator *row = m_rewriter.row(node);
            kind == ops::kind::dropout || (row && row->traits.keepsElements))
            return keepsPlace(node, value);
        if (kind == ops::kind::cat)
            return node.isOnnx() ? node->arguments.size() == 2 // only the input and the axis
                                 : !node->arguments.front().value.as<ValueId>() && keepsPlace(node, value);
        return isWhole(node) && keepsPlace(node, value);
    }

    /// Whether the node returns its argument unchanged, whatever the argument's shape is.
    bool keepsEveryShape(const NodeRef &node, ValueId value)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        if (kind == ops::kind::alias || kind == ops::kind::dropout)
            return true;
        if (kind != ops::kind::cast)
            return false;
        const auto before = onnxDType(value);
        return before && before == m_rewriter.call(node).dtype("to");
    }

    /// Returns the dtype of a value. A value of ONNX has the same dtype in all iterations of a loop.
    std::optional<ir::DType> onnxDType(ValueId value)
    {
        const auto dtypeOf = [](const ops::Fact &fact) {
            const ops::TensorFact *tensor = ops::asTensor(fact);
            return tensor ? tensor->dtype : std::nullopt;
        };
        if (const auto known = dtypeOf(m_rewriter.proven(value)))
            return known;
        const analysis::Shapes &shapes = m_rewriter.shapes();
        return value.index < shapes.facts.size() && !m_rewriter.restsOnRecord(value) ? dtypeOf(shapes.of(value))
                                                                                     : std::nullopt;
    }

    /// Whether an operator that cuts, repeats or pads has no effect on an argument of the result's type. A cut in steps
    /// of 1 that loses no element does not move any.
    bool isWhole(const NodeRef &node)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        if (!node.isOnnx())
            return kind == ops::kind::slice && isAllOf(m_rewriter.argument(node, "step"), 1);
        if (kind == ops::kind::slice)
            return isAllOf(m_matching.operand(node, "strides", 4), 1);
        const Operand *pads = m_matching.operand(node, "pads", 1);
        return kind == ops::kind::tile || (kind == ops::kind::pad && pads && isAllOf(pads, 0));
    }

    bool isAllOf(const Operand *operand, std::int64_t number)
    {
        const auto numbers = operand ? m_matching.wholes(operand) : std::vector<std::int64_t>();
        return numbers && std::ranges::count(*numbers, number) == std::ssize(*numbers);
    }

    /// Follows nodes that only change the shape back to a value that has the shape of the result already.
    std::optional<Operand> throughShapes(const NodeRef &node, ir::ValueRef value)
    {
        std::optional<NodeRef> at = node;
        while (node.isOnnx() && onlyReshapes(*at)) {
            const Operand source = value.id();
            if (at = m_matching.maker(&source, *at); !at || at->inputCount() == 0)
                return std::nullopt;
            const auto before = ir::valueOf(m_rewriter.graph(), &(*at)->arguments.front().value);
            if (!before || !onlyReshapes(*at))
                return std::nullopt;
            if (value = *before; hasTypeOf(node, value))
                return Operand(value.id());
        }
        return std::nullopt;
    }

    bool onlyReshapes(const NodeRef &node)
    {
        static constexpr std::array kinds{ops::kind::reshape, ops::kind::flatten, ops::kind::squeeze,
                                          ops::kind::unsqueeze};
        return std::ranges::contains(kinds, m_rewriter.kind(node));
    }

    // ---- neutral numbers

    /// Returns x for x·1, x/1, x - 0 and x^1, and for x + 0 where nothing is rounded; nullptr for others. For floats x
    /// + 0.0 makes 0.0 of -0.0, and only -0.0 is neutral.
    const Operand *besideNeutral(const NodeRef &node)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        static constexpr std::array kinds{ops::kind::mul, ops::kind::add, ops::kind::div, ops::kind::sub,
                                          ops::kind::pow};
        if (!std::ranges::contains(kinds, kind) || !m_matching.isPlainArithmetic(node))
            return nullptr;
        const bool commutes = kind == ops::kind::mul || kind == ops::kind::add;
        for (const std::size_t side : {0U, 1U}) {
            const Operand *operand = m_matching.operand(node, side);
            const auto value = ir::valueOf(m_rewriter.graph(), operand);
            if (!value || m_rewriter.written().contains(*value) || !hasTypeOf(node, *value))
                continue;
            if ((side == 0 || commutes) && isNeutral(node, 1 - side) && keepsPlace(node, *value))
                return operand;
        }
        return nullptr;
    }

    bool isNeutral(const NodeRef &node, std::size_t position)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        const auto type = m_matching.tensor(node.output(0));
        const auto numbers = m_matching.numbers(m_matching.operand(node, position));
        if (!type || !numbers || !ir::isNumeric(*type->dtype) || *type->dtype == ir::DType::Bool)
            return false;
        const double neutral = kind == ops::kind::add || kind == ops::kind::sub ? 0 : 1;
        const bool needsSign = neutral == 0 && ir::isFloat(*type->dtype);
        return std::ranges::all_of(*numbers, [&](double x) {
            return x == neutral && (!needsSign || std::signbit(x) == (kind == ops::kind::add));
        });
    }

    /// Whether the node's result and the value have the same dtype and sizes.
    bool hasTypeOf(const NodeRef &node, ValueId value)
    {
        const ops::Fact before = m_rewriter.proven(value);
        const ops::Fact after = m_rewriter.proven(node.output(0));
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

    // ---- permutations

    /// Follows permutations back to the value at which they cancel out.
    std::optional<Operand> throughPermutations(ir::ValueRef value, std::vector<std::size_t> axes)
    {
        while (!std::ranges::is_sorted(axes)) {
            const auto before = value.producer();
            const auto inner = before ? permutationOf(m_rewriter, *before) : std::nullopt;
            if (!inner || inner->size() != axes.size())
                return std::nullopt;
            for (std::size_t &axis : axes)
                axis = (*inner)[axis];
            value = *ir::valueOf(m_rewriter.graph(), &(*before)->arguments.front().value);
            if (m_rewriter.written().contains(value))
                return std::nullopt;
        }
        return value;
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
    rewrite::Layouts m_layouts;
};

} // namespace

extern const Pass removeIdentities;
const Pass removeIdentities{"remove-identities",
                            "Removes operators that return their argument: inactive dropout, conversions and views "
                            "that change nothing, arithmetic with 1 and 0, shapes and transpositions that undo each "
                            "other.",
                            {},
                            runOf<Identities>};

} // namespace cutaway::passes
