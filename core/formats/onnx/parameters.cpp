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

// An operator's row says which inputs are parameters. From each of these the graph is followed back to the tensors that
// it is made of: through nodes that move and pick elements, and through the arithmetic that makes floats of integers.
// In that arithmetic a vector may be a scale or a zero point, so only tensors of two or more dimensions count there.

namespace cutaway::formats::onnx {

namespace {

constexpr int maxSteps = 8; ///< from a tensor to the layer that reads it

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
    /// A value, the most bits of integers that count, and whether it is computed with.
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

    /// `maxBits`: wider integers are indices or sizes.
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

    /// Whether the value is reached for the first time, or in fewer steps than before.
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

    /// The exporter keeps all weights in nodes. A single number is more likely part of a formula.
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
    /// Values that were followed, and the fewest steps to each: a sum of many sums has more ways than can be gone.
    std::map<Reached, int> m_steps;
    bool m_hasConstants = false; ///< a layer reads one
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
