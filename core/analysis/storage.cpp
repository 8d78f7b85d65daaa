// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>

// Where results lie, and the bytes that nodes move.

namespace cutaway::analysis {

using ops::Fact;

namespace {

ops::Place placeOf(const ops::Operator &row, const ops::Call &call, const ops::TensorFact &result, std::size_t index)
{
    if (row.traits.place && row.traits.place != ops::placeOfCopy && call.fullName().ends_with("_copy"))
        return row.traits.place == ops::placeOfItself ? ops::placeOfCopy(call, result, index) : ops::Place{};
    if (row.traits.place)
        return row.traits.place(call, result, index);
    switch (row.pattern) {
    case ops::Pattern::Combining:
        return ops::placeLikeImage(call, result);
    case ops::Pattern::Pointwise:
    case ops::Pattern::AlongAxis:
    case ops::Pattern::Creating:
        return ops::placeLikeOperands(call, result);
    default:
        return {};
    }
}

/// ONNX knows no strides. What only gives other sizes lies where the argument lies.
ops::Place withoutStrides(const ops::Place &place, const ops::TensorFact &result)
{
    const bool isWhole = place.within && place.within->shape && result.shape && !place.strides
        && ops::isSame(ops::elementsOf(*place.within->shape), ops::elementsOf(*result.shape));
    return isWhole ? place : ops::Place{};
}

} // namespace

/// A rule's fact that was made from an argument's lies in its storage; other tensors lie as the operator places them.
void Propagation::place(const ops::Operator &row, const ops::Call &call, ops::Facts &results)
{
    std::size_t index = 0;
    for (Fact &fact : results)
        ops::forEachTensor(fact, [&](ops::TensorFact &result) {
            if (!row.traits.place && result.storage != ops::StorageNumber::None)
                return;
            ops::Place place = placeOf(row, call, result, index++);
            if (call.isOnnx())
                place = withoutStrides(place, result);
            result.strides = std::move(place.strides);
            result.storage = place.within ? place.within->storage : ops::StorageNumber::None;
            if (!place.within)
                m_inference.store(result, std::move(place.bytes));
        });
}

void Inference::store(ops::TensorFact &tensor, std::optional<ir::Dim> bytes)
{
    tensor.storage = static_cast<ops::StorageNumber>(storages.size());
    storages.push_back(bytes ? std::move(*bytes) : ops::bytesOf(tensor));
}

/// A view moves nothing.
void Propagation::countBytes(ops::Pattern pattern, const ir::NodeRef &node, std::span<const Fact> results,
                             ops::Cost &cost)
{
    const auto *signature = m_inference.signatures.of(node->op);
    const bool isInPlace =
        signature && !signature->schema.arguments.empty() && signature->schema.arguments[0].type.isWritten();
    boost::container::small_vector<ir::ValueId, 8> values;
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId value) { values.push_back(value); });
    const std::optional first = values.empty() ? std::nullopt : std::optional(values.front());
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    boost::container::small_vector<ops::StorageNumber, 8> lent;
    ir::Dim read = std::int64_t{0};
    bool picks = false; // elements of its first argument, as many as it writes
    for (const ir::ValueId value : values)
        ops::forEachTensor(of(value), [&](const ops::TensorFact &tensor) {
            lent.push_back(tensor.storage);
            if (value == first && pattern == ops::Pattern::Picking && !isInPlace)
                picks = true;
            else
                read = ops::plus(read, ops::bytesOf(tensor));
        });
    std::ranges::sort(lent);
    ir::Dim written = std::int64_t{0};
    bool moves = false;
    for (const Fact &result : results)
        ops::forEachTensor(result, [&](const ops::TensorFact &tensor) {
            if (!isInPlace && std::ranges::binary_search(lent, tensor.storage))
                return;
            moves = true;
            written = ops::plus(written, ops::bytesOf(tensor));
        });
    if (!moves)
        return;
    cost.bytesRead = picks ? ops::plus(read, written) : std::move(read);
    cost.bytesWritten = std::move(written);
}

} // namespace cutaway::analysis
