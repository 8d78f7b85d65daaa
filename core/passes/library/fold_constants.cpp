// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/assumed_inputs.h"
#include "core/base/formatted.h"
#include "core/evaluate/evaluate.h"
#include "core/ir/context.h"
#include "core/ops/compute/rules.h"
#include "core/ops/program/control_flow.h"
#include "core/ops/tensor/creation.h"
#include "core/passes/pass.h"
#include "core/passes/permutations.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <array>
#include <ranges>

// The pass walks the graph twice. The first walk finds the value of every node that has one: by the evaluator if all
// arguments are known, or from derived shapes, as for a size. The second walk gives these values to the readers that
// have no value themselves. So of a chain of constants only the last becomes one. Before these walks, nodes that
// transpose weights of ONNX, or give large ones another shape, become weights that are views, however large.
//
// Sizes count only if they follow from the types of the inputs, not from symbols that the user binds. If an input's
// type is merely assumed, sizes are not used; a type that the user gives in place of the file's holds from then on.
// Folding is exact to the bit: operations that runtimes round differently, such as sums and exponentials, stay.
// Parameters that require gradients and buffers that the function updates are not constants.

namespace cutaway::passes {

namespace {

using compute::Array;
using compute::Value;
using ir::NodeId;
using ir::NodeRef;
using ir::ValueId;

class Folding {
public:
    Folding(rewrite::Rewriter &rewriter, std::int64_t elements)
        : m_rewriter(rewriter),
          m_elements(elements),
          m_evaluator(rewriter.model(), {.elements = elements}),
          m_known([this](ValueId id) { return valueOf(id); }),
          m_isAssumed(
              std::ranges::contains(rewriter.model().diagnostics, analysis::assumedInput, &ir::Diagnostic::code))
    {
    }

    void run()
    {
        const std::vector<NodeRef> nodes = m_rewriter.nodes();
        for (const NodeRef node : nodes)
            if (node.dialect() == "onnx" && mayFold(node))
                viewWeight(node);
        for (const NodeRef node : nodes)
            if (!m_rewriter.isRemoved(node) && mayFold(node))
                find(node);
        for (const NodeRef node : nodes)
            for (std::size_t i = 0; !m_rewriter.isRemoved(node) && i < node.outputCount(); ++i)
                if (m_values.contains(node.output(i)) && isReadElsewhere(node, node.output(i)))
                    give(node, node.output(i));
        for (const NodeRef node : std::views::reverse(nodes))
            if (isDone(node))
                m_rewriter.remove(node);
    }

private:
    /// Whether a node has no side effects, runs on the CPU, and is not a constant already.
    bool mayFold(const NodeRef &node)
    {
        const auto isWritten = [&](ValueId value) { return m_rewriter.written().contains(value); };
        if (node->outputs.empty() || !node->regions.empty() || !m_rewriter.isPure(node)
            || m_rewriter.kind(node) == ops::kind::constant || std::ranges::any_of(node->outputs, isWritten))
            return false;
        if (const ops::Operator *row = m_rewriter.row(node); row && compute::isAboutDevice(row->traits.compute))
            return false;
        const ir::Operand *device = m_rewriter.argument(node, "device");
        const auto *place = device ? device->as<ir::Device>() : nullptr;
        const ir::Operand *order = m_rewriter.argument(node, "memory_format");
        const auto *format = order ? order->as<ir::MemoryFormat>() : nullptr;
        return (!place || m_rewriter.context().text(place->kind) == "cpu")
            && (!format || *format == ir::MemoryFormat::Contiguous || *format == ir::MemoryFormat::Preserve);
    }

    struct Strided {
        compute::Sizes shape, strides;
    };

    /// Makes the result of a node that transposes or reshapes a weight a weight itself, which is a view of the same
    /// bytes, if nothing else reads the weight. Not in torch, where a parameter is more than its elements.
    void viewWeight(const NodeRef &node)
    {
        const auto *value = node->arguments.empty() ? nullptr : node->arguments.front().value.as<ValueId>();
        const auto id = value && node.outputCount() == 1 ? m_rewriter.constant(*value) : std::nullopt;
        if (!id || m_rewriter.isReturned(node.output(0)) || m_rewriter.useCount(*value) != 1)
            return;
        const ir::Tensor &weight = m_rewriter.model().at(*id);
        const auto bits = ir::bitWidth(weight.dtype);
        if (!bits || *bits < 8 || weight.layout != ir::Layout::Strided || !weight.parts.empty())
            return;
        auto seen = transposed(node, weight);
        if (!seen)
            seen = reshaped(node, weight);
        if (!seen)
            return;
        m_rewriter.replaceUses(node.output(0),
                               m_rewriter.addView(*id, std::move(seen->shape), std::move(seen->strides)));
        m_rewriter.remove(node);
    }

    std::optional<Strided> transposed(const NodeRef &node, const ir::Tensor &weight)
    {
        const auto axes = permutationOf(m_rewriter, node);
        if (!axes || weight.shape.size() != axes->size())
            return std::nullopt;
        const compute::Sizes strides = weight.strides ? *weight.strides : compute::stridesOf(weight.shape);
        Strided seen;
        for (const std::size_t axis : *axes) {
            seen.shape.push_back(weight.shape[axis]);
            seen.strides.push_back(strides[axis]);
        }
        return seen;
    }

    /// Returns the elements of a weight in the result's shape, row by row, where they are too many to be computed.
    std::optional<Strided> reshaped(const NodeRef &node, const ir::Tensor &weight)
    {
        const ops::Operator *row = m_rewriter.row(node);
        const ops::Fact fact = m_rewriter.proven(node.output(0));
        const ops::TensorFact *result = ops::asTensor(fact);
        if (ir::elementCount(weight).value_or(0) <= m_elements || weight.strides || m_isAssumed || !row
            || !row->traits.keepsElements || !result || !result->shape || result->dtype != weight.dtype)
            return std::nullopt;
        Strided seen;
        for (const ir::Dim &dim : *result->shape)
            seen.shape.push_back(ops::number(dim).value_or(-1));
        if (std::ranges::contains(seen.shape, -1) || compute::countOf(seen.shape) != compute::countOf(weight.shape))
            return std::nullopt;
        seen.strides = compute::stridesOf(seen.shape);
        return seen;
    }

    void find(const NodeRef &node)
    {
        const bool isKnown = std::ranges::all_of(
            node->arguments, [&](const ir::Argument &argument) { return hasValue(argument.value); });
        auto values = isKnown ? m_evaluator.results(node, m_known) : cancelled();
        for (std::size_t i = 0; i < node.outputCount(); ++i) {
            auto value = values ? std::optional(std::move((*values)[i])) : derived(node.output(i));
            if (value && isExact(node, *value) && isOfDerivedType(node.output(i), *value))
                m_values.emplace(node.output(i), std::move(*value));
        }
    }

    bool hasValue(const ir::Operand &operand)
    {
        bool all = true;
        ir::forEachValue(operand, [&](ValueId value) { all = all && valueOf(value); });
        return all;
    }

    const Value *valueOf(ValueId id)
    {
        if (const auto found = m_values.find(id); found != m_values.end())
            return &found->second;
        const auto tensor = m_rewriter.constant(id);
        if (!tensor || m_rewriter.model().at(*tensor).requiresGrad)
            return nullptr;
        auto value = m_evaluator.valueOf(*tensor, m_known);
        return value ? &m_values.emplace(id, std::move(*value)).first->second : nullptr;
    }

    /// Returns the value that follows from shapes alone; nothing for a value in a loop, of which nothing is proven.
    std::optional<Value> derived(ValueId value)
    {
        if (m_isAssumed)
            return std::nullopt;
        const ops::Fact &own = shapes().of(value);
        auto known = compute::valueOf(own);
        return known && m_rewriter.proven(value) == own ? known : std::nullopt;
    }

    /// Whether every runtime computes the same bits: true for integers, and for floats that are only moved or rounded
    /// once; never for complex numbers.
    bool isExact(const NodeRef &node, const Value &value)
    {
        const auto *array = value.as<Array>();
        if (!array || array->isWhole())
            return true;
        if (ir::isComplex(array->dtype))
            return false;
        const ops::OperatorKind kind = m_rewriter.kind(node);
        switch (m_rewriter.row(node)->pattern) {
        case ops::Pattern::Moving:
        case ops::Pattern::Picking:
            return true;
        case ops::Pattern::Creating:
            return kind != ops::kind::arange;
        default:
            return m_rewriter.row(node)->traits.roundsOnce && !isScaled(node);
        }
    }

    /// Whether the node is a + alpha·b with an alpha that is not certainly 1.
    bool isScaled(const NodeRef &node)
    {
        const ir::Operand *alpha = m_rewriter.argument(node, "alpha");
        return alpha && (alpha->as<ValueId>() || ops::asFloat(m_rewriter.fact(*alpha)) != 1.0);
    }

    /// Whether a computed value has the dtype that analysis derived, which also depends on the surroundings of the
    /// node, such as autocast.
    bool isOfDerivedType(ValueId output, const Value &value)
    {
        const auto *array = value.as<Array>();
        const ops::Fact fact = m_rewriter.fact(output);
        const ops::TensorFact *tensor = ops::asTensor(fact);
        return !array || !tensor || !tensor->dtype || *tensor->dtype == array->dtype;
    }

    const analysis::Shapes &shapes()
    {
        if (!m_shapes)
            m_shapes = analysis::inferShapes(m_rewriter.model(), m_rewriter.functionId());
        return *m_shapes;
    }

    bool isFound(const NodeRef &node) const
    {
        return !node->outputs.empty()
            && std::ranges::all_of(node->outputs, [&](ValueId output) { return m_values.contains(output); });
    }

    /// Whether a reader that is not folded itself reads the value. In torch a result of a region is not replaced, as it
    /// has to stay a separate value.
    bool isReadElsewhere(const NodeRef &node, const ir::ValueRef &value)
    {
        const auto isFolded = [&](const ir::Use &use) {
            const auto *reader = std::get_if<NodeId>(&use);
            return reader && isFound(m_rewriter.node(*reader));
        };
        const auto staysSeparate = [&](const ir::Use &use) {
            const auto *region = std::get_if<ir::RegionId>(&use);
            return region && !mayReturnConstants(node, *region);
        };
        return !std::ranges::all_of(value->uses, isFolded) && std::ranges::none_of(value->uses, staysSeparate);
    }

    /// Whether `region` directly contains the node, and may return an initializer: it is the body of an ONNX function,
    /// or a branch.
    bool mayReturnConstants(const NodeRef &node, ir::RegionId region)
    {
        if (!node.isOnnx() || node->parent != region)
            return false;
        const auto owner = m_rewriter.graph().at(region).owner;
        return !owner || m_rewriter.kind(m_rewriter.node(*owner)) == ops::kind::ifElse;
    }

    void give(const NodeRef &node, const ir::ValueRef &output)
    {
        const Value &value = m_values.at(output);
        if (const auto *array = value.as<Array>()) {
            m_rewriter.replaceUses(output, inRegion(node, output, constant(output, *array)));
            return;
        }
        const auto *fact = value.as<ops::Fact>();
        const auto operand = fact && !node.isOnnx() ? operandOf(*fact) : std::nullopt;
        if (operand)
            m_rewriter.replaceUses(output, *operand);
    }

    /// Returns `constant`; if a region other than the body returns `output`, a weight of this region instead, since a
    /// branch has to make its own results.
    ValueId inRegion(const NodeRef &node, const ir::ValueRef &output, ValueId constant)
    {
        const auto isReturned = [](const ir::Use &use) { return std::holds_alternative<ir::RegionId>(use); };
        if (node->parent == ir::Graph::body || std::ranges::none_of(output->uses, isReturned))
            return constant;
        const ir::ValueRef made(m_rewriter.graph(), constant);
        const ValueId own = m_rewriter.addRegionWeight(node->parent, *made.weight(), output.name(), made->type);
        m_rewriter.removeWeight(constant);
        return own;
    }

    ValueId constant(const ir::ValueRef &output, const Array &array)
    {
        return m_rewriter.addConstant(output.name().empty() ? "constant" : output.name(), array.dtype, array.shape,
                                      ir::encodeNumbers(array.dtype, array.elements));
    }

    static std::optional<ir::Operand> operandOf(const ops::Fact &fact)
    {
        if (const auto *list = fact.as<ops::SequenceFact>()) {
            ir::List items{.items = {}, .kind = list->kind};
            for (const ops::Fact &item : list->each()) {
                auto operand = operandOf(item);
                if (!operand)
                    return std::nullopt;
                items.items.push_back(std::move(*operand));
            }
            return items;
        }
        const auto *number = fact.as<ops::NumberFact>();
        if (!number)
            return std::nullopt;
        if (const auto *boolean = std::get_if<bool>(&number->value))
            return *boolean;
        if (const auto *real = std::get_if<double>(&number->value))
            return *real;
        const auto *size = std::get_if<ir::Dim>(&number->value);
        const auto *whole = size ? std::get_if<std::int64_t>(size) : nullptr;
        return whole && number->kind == ops::NumberFact::Kind::Int ? std::optional<ir::Operand>(*whole) : std::nullopt;
    }

    bool isDone(const NodeRef &node)
    {
        return !m_rewriter.isRemoved(node) && isFound(node)
            && std::ranges::all_of(node->outputs, [&](ValueId output) { return m_rewriter.useCount(output) == 0; });
    }

    rewrite::Rewriter &m_rewriter;
    std::int64_t m_elements; ///< the limit of elements in a tensor that is computed
    evaluate::Evaluator m_evaluator;
    evaluate::Evaluator::Known m_known;
    bool m_isAssumed; ///< whether an input's type is only assumed
    std::unordered_map<ValueId, Value> m_values;
    std::optional<analysis::Shapes> m_shapes;
};

/// Returns the limit on the elements of a folded tensor. Runtimes of ONNX fold what they can; in a program of torch, a
/// large tensor is better computed than read from the file.
std::int64_t defaultLimit(const rewrite::Rewriter &rewriter)
{
    const std::vector<NodeRef> nodes = rewriter.nodes();
    return std::ranges::any_of(nodes, &NodeRef::isOnnx) ? std::int64_t{1} << 18 : std::int64_t{1} << 10;
}

Result<void> runFoldConstants(rewrite::Rewriter &rewriter, const Settings &settings)
{
    const std::int64_t limit = settings.count("elements");
    if (const auto open = std::ranges::count_if(rewriter.function().inputs, ir::isOverridable))
        rewriter.remark(
            formatted("{} {} not taken as constant: callers may give others; fix-defaults ends that", open,
                      open == 1 ? "weight that is an input, too, is" : "weights that are inputs, too, are"));
    Folding(rewriter, limit > 0 ? limit : defaultLimit(rewriter)).run();
    return {};
}

} // namespace

extern const Pass foldConstants;
const Pass foldConstants{
    "constant-folding",
    "Evaluates operators on small constants, and on sizes that the types of the inputs give.",
    {{"elements", "limit of a tensor's elements, computed or read; 0: 1024, in ONNX 262144", std::int64_t{0}}},
    runFoldConstants};

} // namespace cutaway::passes
