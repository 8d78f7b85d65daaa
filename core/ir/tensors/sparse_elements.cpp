// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tensors/sparse_elements.h"

#include "core/base/checked.h"
#include "core/ir/tensors/tensor_numbers.h"

namespace cutaway::ir {

namespace {

using Integers = std::vector<std::int64_t>;

/// A short file can ask for a tensor of any size.
constexpr std::int64_t maxDenseBytes = 256 << 20;

/// Where the values of a sparse tensor stand. ONNX has an index for each value, into the flattened tensor or one for
/// each dimension; torch a row of indices for each of the first dimensions, a value being what the others span.
class ValuePlaces {
public:
    static std::optional<ValuePlaces> of(const Model &model, const Tensor &tensor)
    {
        if (tensor.layout != Layout::SparseCoo || tensor.parts.size() < 2)
            return std::nullopt;
        const Tensor &first = model.at(tensor.parts[0]), &second = model.at(tensor.parts[1]);
        if (first.layout != Layout::Strided || second.layout != Layout::Strided) // it could be a part of itself
            return std::nullopt;
        ValuePlaces made;
        made.m_isOnnx = first.shape.size() == 1;
        made.m_values = tensor.parts[made.m_isOnnx ? 0 : 1];
        made.m_indices = tensor.parts[made.m_isOnnx ? 1 : 0];
        const Tensor &indices = made.m_isOnnx ? second : first;
        if (indices.shape.empty() || indices.shape.size() > 2)
            return std::nullopt;
        made.m_isFlat = indices.shape.size() == 1;
        made.m_count = indices.shape[made.m_isOnnx ? 0 : 1];
        if (made.m_isFlat)
            return tensor.shape.empty() ? std::nullopt : std::optional(made);
        const std::int64_t rank = std::ssize(tensor.shape), dims = indices.shape[made.m_isOnnx ? 1 : 0];
        if (dims < (made.m_isOnnx ? rank : 0) || dims > rank)
            return std::nullopt;
        made.m_dims = static_cast<std::size_t>(dims);
        for (std::size_t d = made.m_dims; d < tensor.shape.size(); ++d)
            made.m_inner *= tensor.shape[d]; // the number of elements fits
        return made;
    }

    TensorId values() const { return m_values; }
    TensorId indices() const { return m_indices; }
    std::size_t count() const { return static_cast<std::size_t>(m_count); }
    std::size_t inner() const { return static_cast<std::size_t>(m_inner); } ///< elements of a value

    /// The offset of the first element of the k-th value; nothing if an index is outside of the tensor.
    std::optional<std::size_t> at(std::size_t k, const Integers &indices, const Tensor &tensor,
                                  std::int64_t elements) const
    {
        if (m_isFlat)
            return indices[k] >= 0 && indices[k] < elements ? std::optional(static_cast<std::size_t>(indices[k]))
                                                            : std::nullopt;
        std::int64_t place = 0;
        for (std::size_t d = 0; d < m_dims; ++d) {
            const std::int64_t index = indices[m_isOnnx ? k * m_dims + d : d * count() + k];
            if (index < 0 || index >= tensor.shape[d])
                return std::nullopt;
            place = place * tensor.shape[d] + index;
        }
        return static_cast<std::size_t>(place * m_inner);
    }

private:
    TensorId m_values, m_indices;
    bool m_isOnnx = false, m_isFlat = false;
    std::int64_t m_count = 0, m_inner = 1;
    std::size_t m_dims = 0;
};

void addTo(double &sum, double value) { sum += value; }
/// An overflow wraps, as in torch.
void addTo(std::int64_t &sum, std::int64_t value) { __builtin_add_overflow(sum, value, &sum); }

/// Values at one place are summed, as torch has it.
template <class Number>
Result<std::vector<Number>> spread(const std::vector<Number> &values, const Integers &indices,
                                   const ValuePlaces &places, const Tensor &tensor, std::int64_t elements)
{
    std::vector<Number> dense(static_cast<std::size_t>(elements));
    for (std::size_t k = 0; k < places.count(); ++k) {
        const auto place = places.at(k, indices, tensor, elements);
        if (!place)
            return unreadable("an index of the sparse tensor is outside of it", "value " + std::to_string(k));
        for (std::size_t i = 0; i < places.inner(); ++i)
            addTo(dense[*place + i], values[k * places.inner() + i]);
    }
    return dense;
}

} // namespace

Result<std::vector<std::byte>> denseBytes(const Model &model, const Tensor &tensor)
{
    const auto elements = elementCount(tensor), bytes = byteSize(tensor);
    if (!elements || !bytes)
        return unreadable("the tensor's sizes make no sense");
    if (*elements == 0)
        return {};
    if (*bytes > maxDenseBytes)
        return unreadable("the sparse tensor is too large to be looked at with its zeros");
    const auto places = ValuePlaces::of(model, tensor);
    if (!places)
        return unreadable("a sparse tensor of this layout has no elements in row-major order; look at its parts");
    CUTAWAY_TRY(const auto values, numbersOf(model, places->values()));
    CUTAWAY_TRY(const auto indices, numbersOf(model, places->indices()));
    const auto *wholes = std::get_if<Integers>(&indices);
    const std::size_t have = std::visit([](const auto &list) { return list.size(); }, values);
    if (!wholes || have % places->inner() != 0 || have / places->inner() != places->count())
        return unreadable("the sparse tensor has not as many values as indices");
    return std::visit(
        [&](const auto &list) -> Result<std::vector<std::byte>> {
            CUTAWAY_TRY(auto dense, spread(list, *wholes, *places, tensor, *elements));
            return encodeNumbers(tensor.dtype, Numbers(std::move(dense)));
        },
        values);
}

} // namespace cutaway::ir
