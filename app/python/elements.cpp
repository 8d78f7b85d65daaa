// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/elements.h"

#include "core/ir/tensors/tensor_bytes.h"

namespace cutaway::python {

namespace {

bool liesRowMajor(const ir::Tensor &tensor)
{
    std::int64_t expected = 1;
    for (std::size_t d = tensor.shape.size(); tensor.strides && d-- > 0;) {
        if (tensor.strides->size() != tensor.shape.size() || (tensor.shape[d] != 1 && (*tensor.strides)[d] != expected))
            return false;
        expected *= tensor.shape[d]; // does not overflow, as the caller has checked
    }
    return true;
}

/// Returns the elements without a copy; nothing if they have to be gathered or cannot be read.
std::optional<Elements> elementsInPlace(const WeightHandle &weight)
{
    const ir::Tensor &tensor = *weight;
    const auto length = ir::byteSize(tensor);
    const auto start = ir::byteSize(tensor.dtype, tensor.offset);
    if (!length || !start || *length == 0 || tensor.offset < 0 || tensor.layout != ir::Layout::Strided
        || !liesRowMajor(tensor))
        return std::nullopt;
    const auto source = ir::bytesOf(*weight.shared, weight.shared->at(tensor.storage));
    if (!source || source->encoding != ir::FileRange::Encoding::LittleEndian)
        return std::nullopt;
    const auto size = source->bytes.size();
    if (static_cast<std::uint64_t>(*start) > size
        || static_cast<std::uint64_t>(*length) > size - static_cast<std::size_t>(*start))
        return std::nullopt;
    std::shared_ptr<const void> owner = weight.shared.model;
    if (source->mapping)
        owner = source->mapping;
    return Elements{source->bytes.subspan(static_cast<std::size_t>(*start), static_cast<std::size_t>(*length)), owner};
}

} // namespace

Result<std::shared_ptr<std::vector<std::byte>>> copiedElements(const WeightHandle &weight)
{
    auto copy = std::make_shared<std::vector<std::byte>>();
    CUTAWAY_RETURN_IF_ERROR(ir::visitElements(*weight.shared, weight.id, [&](std::span<const std::byte> piece) {
        copy->insert(copy->end(), piece.begin(), piece.end());
    }));
    return copy;
}

Result<Elements> elementsOf(const WeightHandle &weight)
{
    if (auto inPlace = elementsInPlace(weight))
        return std::move(*inPlace);
    CUTAWAY_TRY(auto copy, copiedElements(weight));
    return Elements{*copy, copy};
}

} // namespace cutaway::python
