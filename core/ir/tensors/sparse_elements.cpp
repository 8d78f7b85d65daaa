// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tensors/sparse_elements.h"

#include "core/base/checked.h"
#include "core/ir/tensors/tensor_numbers.h"

namespace cutaway::ir {

namespace {

using Integers = std::vector<std::int64_t>;

/// The largest size of a dense tensor: a short file can ask for any size.
constexpr std::int64_t maxDenseBytes = 256 << 20;

/// The positions of the values of a sparse tensor. ONNX has an index for each value: a number in the flattened tensor,
/// or one per dimension. torch has a row of indices for each of the first dimensions; values span the others.
class ValuePlaces {
public:
    static std::optional<ValuePlaces> of(const Model &model, const Tensor &tensor)
    {
        if (tensor.layout != Layout::SparseCoo || tensor.parts.size() < 2)
            return std::nullopt;
        const Tensor &first = model.at(tensor.parts[0]), &second = model.at(tensor.parts[1]);
        // A part must not be sparse: it could be a part of itself.
        if (first.layout != Layout::Strided || second.layout != Layout::Strided)
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
            made.m_inner *= tensor.shape[d]; // cannot overflow, because the number of elements does not
        return made;
    }

    TensorId values() const { return m_values; }
    TensorId indices() const { return m_indices; }
    std::size_t count() const { return static_cast<std::size_t>(m_count); }
    std::size_t inner() const { return static_cast<std::size_t>(m_inner); } ///< the number of elements of each value

    /// Returns the offset of the first element of the k-th value; nothing if an index is out of range.
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
/// Integers wrap around on overflow, as in torch.
void addTo(std::int64_t &sum, std::int64_t value) { __builtin_add_overflow(sum, value, &sum); }

/// Sums values with the same position, as torch does.
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
