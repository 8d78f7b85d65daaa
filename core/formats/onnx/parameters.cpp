// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/parameters.h"

#include "core/formats/onnx/types.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ops/operator.h"

#include <algorithm>
#include <map>
#include <tuple>

// An operator's row lists the inputs that are parameters. From each of these the graph is followed back to the
// tensors that the input is computed from: through nodes that move and pick elements, and through the arithmetic that
// dequantizes integers. In that arithmetic a vector may be a scale or a zero point, so that only tensors of two or
// more dimensions count.

namespace cutaway::formats::onnx {

namespace {

constexpr int maxSteps = 8; ///< the most nodes between a tensor and the layer that reads it

class ParameterSearch {
public:
    explicit ParameterSearch(const ir::Model &model) : m_model(model), m_found(model.tensors.size()) { }

    std::vector<bool> run()
    {
        for (const ir::Function &function : m_model.functions) {
            m_steps.clear();
            for (ir::NodeId id{0}; id.index < function.graph.nodeCount(); ++id.index)
                if (!function.graph.at(id).removed)
                    look({function.graph, id});
        }
        if (m_hasConstants && !hasFloatInitializers())
            addConstants();
        return std::move(m_found);
    }

private:
    /// A value that the search reached, by its index, with the `maxBits` and the `isComputed` of follow().
    using Reached = std::tuple<std::uint32_t, int, bool>;

    static const ops::Operator *rowOf(const ir::NodeRef &node)
    {
        return ops::findOperator(node.dialect(), node.opName());
    }

    void look(const ir::NodeRef &node)
    {
        const ops::Operator *row = rowOf(node);
        if (!row || row->traits.parameters.isEmpty())
            return;
        const bool picks = row->pattern == ops::Pattern::Picking;
        for (std::size_t i = 0; i < node.inputCount(); ++i)
            if (row->traits.parameters.contains(i))
                follow(node.graph(), node.input(i), picks ? 16 : 32, false, 0);
    }

    /// Follows an operand back. `maxBits`: integers with more bits are indices or sizes. `isComputed`: whether
    /// arithmetic lies between the operand and the layer's input from which the search started.
    void follow(const ir::Graph &graph, const ir::Operand *operand, int maxBits, bool isComputed, int step)
    {
        const auto value = ir::valueOf(graph, operand);
        if (!value || !isNearer({value->id().index, maxBits, isComputed}, step))
            return;
        if (const auto tensor = value->weight())
            return note(*tensor, maxBits, isComputed);
        const auto node = value->producer();
        const ops::Operator *row = node ? rowOf(*node) : nullptr;
        if (!row)
            return;
        const bool isMoved =
            row->pattern == ops::Pattern::Moving || row->pattern == ops::Pattern::Picking || row->traits.keepsElements;
        const bool isPointwise = row->pattern == ops::Pattern::Pointwise && !isMoved;
        for (std::size_t i = 0; i < node->inputCount(); ++i)
            if (isPointwise || (isMoved && i == 0))
                follow(graph, node->input(i), isPointwise ? 8 : maxBits, isComputed || isPointwise, step + 1);
    }

    /// Whether the value is reached for the first time, or in fewer steps than before, so that it has to be followed.
    bool isNearer(const Reached &reached, int step)
    {
        const auto [known, isNew] = m_steps.try_emplace(reached, step);
        const bool isNearer = step <= maxSteps && (isNew || step < known->second);
        known->second = std::min(known->second, step);
        return isNearer;
    }

    void note(ir::TensorId id, int maxBits, bool isComputed)
    {
        const ir::Tensor &tensor = m_model.at(id);
        const int bits = ir::bitWidth(tensor.dtype).value_or(64);
        const ir::ElementKind kind = ir::elementKind(tensor.dtype);
        const bool isWhole = kind == ir::ElementKind::Signed || kind == ir::ElementKind::Unsigned;
        if (!(isFloatingPoint(tensor.dtype) && !isComputed) && !(isWhole && bits <= maxBits))
            return;
        if (isComputed && tensor.shape.size() < 2)
            return;
        m_found[id.index] = true;
        m_hasConstants = m_hasConstants || tensor.kind == ir::Tensor::Kind::Constant;
    }

    static bool isSeveralFloats(const ir::Tensor &tensor)
    {
        return isFloatingPoint(tensor.dtype) && ir::elementCount(tensor).value_or(0) > 1;
    }

    bool hasFloatInitializers() const
    {
        return std::ranges::any_of(m_model.tensors, [](const ir::Tensor &tensor) {
            return tensor.kind == ir::Tensor::Kind::Parameter && isSeveralFloats(tensor);
        });
    }

    /// Counts all constants of several floats as parameters, because some exporters keep all weights in Constant nodes.
    /// A single number is more likely to be part of a formula.
    void addConstants()
    {
        for (const ir::Function &function : m_model.functions)
            for (ir::ValueId id{0}; id.index < function.graph.valueCount(); ++id.index)
                if (const auto tensor = ir::ValueRef(function.graph, id).weight();
                    tensor && isSeveralFloats(m_model.at(*tensor)))
                    m_found[tensor->index] = true;
    }

    const ir::Model &m_model;
    std::vector<bool> m_found;
    /// The values that were followed, with the fewest steps to each: a sum of many sums has too many paths.
    std::map<Reached, int> m_steps;
    bool m_hasConstants = false; ///< whether a layer reads a Constant node
};

} // namespace

std::vector<bool> parametersByUse(const ir::Model &model) { return ParameterSearch(model).run(); }

void markParameters(ir::Model &model, const std::unordered_set<ir::TensorId> &declared)
{
    const std::vector<bool> found = parametersByUse(model);
    for (ir::TensorId id{0}; id.index < found.size(); ++id.index)
        if (found[id.index] && model.at(id).layout == ir::Layout::Strided && !declared.contains(id))
            model.tensors.edit(id.index).kind = ir::Tensor::Kind::Parameter;
}

} // namespace cutaway::formats::onnx
