// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/layouts.h"

#include "core/ops/network/matrix_product.h"
#include "core/ops/tensor/indexing.h"

#include <algorithm>
#include <array>

// These strides are certain: those of the file's tensors, and those that the file records of inputs; those of a view of
// a tensor with certain strides; those of the result of contiguous(); and those of new memory that an operator writes
// row by row if all of its operands lie row by row. All others are a kernel's choice.

namespace cutaway::rewrite {

namespace {

using ir::NodeRef;
using ir::ValueId;

bool areNumbers(const ops::Strides &strides)
{
    return std::ranges::none_of(strides,
                                [](const ir::Dim &step) { return std::holds_alternative<ir::UnknownDim>(step); });
}

std::vector<ValueId> valuesRead(const NodeRef &node)
{
    std::vector<ValueId> values;
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, [&](ValueId value) { values.push_back(value); });
    return values;
}

/// Whether an operator's new memory has the order of its operands.
bool keepsOrder(const ops::Operator &row, ops::OperatorKind kind, std::span<const ops::TensorFact *const> tensors)
{
    static constexpr std::array products{ops::kind::matmul, ops::kind::linear, ops::kind::gemm, ops::kind::baddbmm};
    switch (row.pattern) {
    case ops::Pattern::Pointwise:
    case ops::Pattern::AlongAxis:
    case ops::Pattern::Combining:
    case ops::Pattern::Creating:
    case ops::Pattern::Moving:
        return true;
    case ops::Pattern::Picking:
        return kind == ops::kind::embedding;
    case ops::Pattern::Other: // for a matrix times a stack of matrices, kernels exchange the operands
        return std::ranges::contains(products, kind)
            && (kind != ops::kind::matmul
                || (tensors.size() == 2 && tensors[0]->shape->size() >= tensors[1]->shape->size()));
    case ops::Pattern::Control:
        break;
    }
    return false;
}

} // namespace

bool Layouts::isRowMajor(ValueId value)
{
    if (const auto made = m_like.find(value); made != m_like.end())
        return !made->second || isRowMajor(*made->second);
    const ops::TensorFact *fact = tensor(value);
    return fact && !fact->strides && isKnown(value);
}

bool Layouts::isKnown(ValueId value)
{
    if (const auto made = m_like.find(value); made != m_like.end())
        return !made->second || isKnown(*made->second);
    return value.index < m_isKnown.size() && m_isKnown[value.index];
}

const ops::TensorFact *Layouts::laidOut(ValueId value) const
{
    for (auto made = m_like.find(value); made != m_like.end() && made->second; made = m_like.find(value))
        value = *made->second;
    return tensor(value);
}

const ops::TensorFact *Layouts::tensor(ValueId value) const
{
    const analysis::Shapes &shapes = m_reading.shapes();
    const auto *fact =
        value.index < std::min(m_isKnown.size(), shapes.facts.size()) ? ops::asTensor(shapes.of(value)) : nullptr;
    return fact && fact->shape ? fact : nullptr;
}

Layouts::Layouts(analysis::Reading &reading) : m_reading(reading), m_isKnown(reading.graph().valueCount())
{
    const ir::Graph &graph = m_reading.graph();
    for (ValueId id{0}; id.index < m_isKnown.size(); ++id.index)
        m_isKnown[id.index] = ir::ValueRef(graph, id).weight().has_value();
    for (const ValueId input : graph.at(ir::Graph::body).inputs) {
        const ir::TensorType *type = ir::ValueRef(graph, input).tensorType();
        m_isKnown[input.index] = type && type->strides;
    }
    for (const ir::FunctionInput &input : m_reading.function().inputs)
        if (const auto *value = input.value.as<ValueId>();
            value && input.tensor && input.kind != ir::FunctionInput::Kind::User)
            m_isKnown[value->index] = true;
    for (const NodeRef node : m_reading.nodes())
        for (const ValueId output : node->outputs)
            if (const ops::TensorFact *result = tensor(output))
                m_isKnown[output.index] = isCertain(node, *result);
}

bool Layouts::isCertain(const NodeRef &node, const ops::TensorFact &result)
{
    const ops::Operator *row = m_reading.row(node);
    if (!row || node.isOnnx() || !node->regions.empty() || (result.strides && !areNumbers(*result.strides)))
        return false;
    if (certainlyCopies(node, *row))
        return !result.strides;
    std::vector<const ops::TensorFact *> tensors;
    bool areKnown = true, areRowMajor = true;
    for (const ValueId value : valuesRead(node))
        if (const ops::TensorFact *read = tensor(value)) {
            tensors.push_back(read);
            areKnown = areKnown && m_isKnown[value.index];
            areRowMajor = areRowMajor && !read->strides;
        } else if (m_reading.shapes().of(value).as<ops::NumberFact>() == nullptr) {
            return false;
        }
    if (!areKnown)
        return false;
    const bool isView =
        !tensors.empty() && result.storage != ops::StorageNumber::None && result.storage == tensors.front()->storage;
    if (isView)
        return true;
    // A kernel that selects elements has a rule of its own for the placement of its result.
    const bool isPlain = !row->traits.place || row->pattern != ops::Pattern::Other;
    return isPlain && areRowMajor && !result.strides && keepsOrder(*row, m_reading.kind(node), tensors);
}

/// Whether the result lies row by row whatever the argument's layout is.
bool Layouts::certainlyCopies(const NodeRef &node, const ops::Operator &row)
{
    if (row.traits.place != ops::placeOfContiguous && row.traits.place != ops::placeOfCopy)
        return false;
    const ops::Fact given = m_reading.call(node)["memory_format"];
    const auto *format = given.as<ir::MemoryFormat>();
    const bool isDefault = given.as<ops::NoneFact>() != nullptr && row.traits.place == ops::placeOfContiguous;
    return isDefault || (format && *format == ir::MemoryFormat::Contiguous);
}

} // namespace cutaway::rewrite
