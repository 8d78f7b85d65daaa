// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/placement.h"

#include "core/ops/result_place.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>

namespace cutaway::analysis {

namespace {

using ops::Fact;
using ValueIds = boost::container::small_vector<ir::ValueId, 8>;

/// Returns the place of a result of an ONNX operator, which has no strides: it is `place` if the operator only changes
/// sizes and so leaves all elements in the argument's storage, else new memory.
ops::Place withoutStrides(const ops::Place &place, const ops::TensorFact &result)
{
    const bool isWhole = place.within && place.within->shape && result.shape && !place.strides
        && ops::isSame(ops::elementsOf(*place.within->shape), ops::elementsOf(*result.shape));
    return isWhole ? place : ops::Place{};
}

/// Returns the bytes of the tensors that an object contains, such as packed weights.
ir::Dim bytesHeld(const Fact &fact)
{
    ir::Dim bytes = std::int64_t{0};
    if (const auto *object = fact.as<ops::ObjectFact>())
        for (const auto &[name, held] : object->held)
            ops::forEachTensor(held,
                               [&](const ops::TensorFact &tensor) { bytes = ops::plus(bytes, ops::bytesOf(tensor)); });
    return bytes;
}

ValueIds valuesRead(const ir::NodeRef &node)
{
    ValueIds values;
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId value) { values.push_back(value); });
    return values;
}

} // namespace

void placeResults(const ops::Operator &row, const ops::Call &call, Storages &storages, ops::Facts &results)
{
    std::size_t index = 0;
    for (Fact &fact : results)
        ops::forEachTensor(fact, [&](ops::TensorFact &result) {
            if (!row.traits.place && result.storage != ops::StorageNumber::None)
                return;
            ops::Place place = ops::placeOf(row, call, result, index++);
            if (call.isOnnx())
                place = withoutStrides(place, result);
            result.strides = std::move(place.strides);
            if (place.within)
                result.storage = place.within->storage;
            else
                storages.allocate(result, std::move(place.bytes));
        });
}

MovedBytes movedBytes(const ir::NodeRef &node, ops::Pattern pattern, bool isInPlace, std::span<const Fact> facts,
                      std::span<const Fact> results)
{
    ValueIds values = valuesRead(node);
    const std::optional first = values.empty() ? std::nullopt : std::optional(values.front());
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    boost::container::small_vector<ops::StorageNumber, 8> lent;
    MovedBytes moved;
    bool picks = false;
    for (const ir::ValueId value : values) {
        moved.read = ops::plus(moved.read, bytesHeld(facts[value.index]));
        ops::forEachTensor(facts[value.index], [&](const ops::TensorFact &tensor) {
            lent.push_back(tensor.storage);
            if (value == first && pattern == ops::Pattern::Picking && !isInPlace)
                picks = true;
            else
                moved.read = ops::plus(moved.read, ops::bytesOf(tensor));
        });
    }
    std::ranges::sort(lent);
    bool isView = true;
    for (const Fact &result : results)
        ops::forEachTensor(result, [&](const ops::TensorFact &tensor) {
            if (!isInPlace && std::ranges::binary_search(lent, tensor.storage))
                return;
            isView = false;
            moved.written = ops::plus(moved.written, ops::bytesOf(tensor));
        });
    if (isView)
        return {};
    if (picks)
        moved.read = ops::plus(moved.read, moved.written);
    return moved;
}

} // namespace cutaway::analysis
