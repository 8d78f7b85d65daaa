// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/number_constants.h"

#include "core/ir/node_ref.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/row_names.h"

#include <optional>
#include <unordered_map>
#include <utility>

namespace cutaway::formats::torchscript {

namespace {

using NumbersByTensor = std::unordered_map<ir::TensorId, ir::Operand>;

/// Returns the element of a tensor without dimensions; nothing for other tensors, or if it cannot be read.
std::optional<ir::Operand> numberIn(const ir::Model &model, ir::TensorId id)
{
    const ir::Tensor &tensor = model.at(id);
    if (!tensor.shape.empty() || !ir::isNumeric(tensor.dtype))
        return std::nullopt;
    const auto numbers = ir::numbersOf(model, id);
    if (!numbers)
        return std::nullopt;
    if (const auto *floats = std::get_if<std::vector<double>>(&*numbers))
        return ir::Operand(floats->front());
    const std::int64_t number = std::get<std::vector<std::int64_t>>(*numbers).front();
    return tensor.dtype == ir::DType::Bool ? ir::Operand(number != 0) : ir::Operand(number);
}

NumbersByTensor numbersIn(const ir::Model &model, const Constants &constants)
{
    NumbersByTensor numbers;
    for (const auto &constant : constants) {
        const auto *operand = std::get_if<ir::Operand>(&constant);
        const auto *tensor = operand ? operand->as<ir::TensorId>() : nullptr;
        if (auto number = tensor ? numberIn(model, *tensor) : std::nullopt)
            numbers.emplace(*tensor, std::move(*number));
    }
    return numbers;
}

/// Whether torch treats the node's second operand as a number if it is a constant.
bool isArithmetic(const ir::NodeRef &node)
{
    static constexpr ops::RowNames arithmetic = "aten::add aten::sub aten::mul aten::div";
    return arithmetic.has(node.dialect(), node.opName()) && node.overload() == "Tensor" && node->arguments.size() >= 2;
}

class FunctionNumbers {
public:
    FunctionNumbers(ir::Graph &graph, const NumbersByTensor &numbers) : m_graph(graph), m_numbers(numbers) { }

    void run()
    {
        for (ir::ValueId id{0}; id.index < m_graph.valueCount(); ++id.index)
            if (const ir::Operand *number = numberOf(id))
                replace(id, *number);
    }

private:
    const ir::Operand *numberOf(const ir::Operand &operand) const
    {
        const auto *value = operand.as<ir::ValueId>();
        const auto *weight = value ? std::get_if<ir::Weight>(&m_graph.at(*value).definition) : nullptr;
        const auto found = weight ? m_numbers.find(weight->tensor) : m_numbers.end();
        return found != m_numbers.end() ? &found->second : nullptr;
    }

    void replace(ir::ValueId value, const ir::Operand &number)
    {
        const auto uses = m_graph.at(value).uses; // a copy: the loop changes the uses
        for (const ir::Use &use : uses)
            if (const auto *node = std::get_if<ir::NodeId>(&use))
                replaceIn(*node, value, number);
        if (!uses.empty() && m_graph.at(value).uses.empty())
            m_graph.removeWeight(value);
    }

    void replaceIn(ir::NodeId id, ir::ValueId value, const ir::Operand &number)
    {
        const ir::NodeRef node(m_graph, id);
        auto arguments = node->arguments;
        if (!isArithmetic(node) || arguments[1].value != ir::Operand(value) || numberOf(arguments[0].value))
            return;
        arguments[1].value = number;
        m_graph.setArguments(id, std::move(arguments));
    }

    ir::Graph &m_graph;
    const NumbersByTensor &m_numbers;
};

} // namespace

void useConstantsAsNumbers(ir::Model &model, const Constants &constants)
{
    const NumbersByTensor numbers = numbersIn(model, constants);
    if (numbers.empty())
        return;
    for (ir::Function &function : model.functions)
        FunctionNumbers(function.graph, numbers).run();
}

} // namespace cutaway::formats::torchscript
