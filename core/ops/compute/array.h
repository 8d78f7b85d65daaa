// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dtype.h"
#include "core/ir/tensors/tensor_numbers.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cutaway::compute {

using Sizes = std::vector<std::int64_t>;
using Whole = std::int64_t;

/// Returns the integer as an unsigned one, whose arithmetic wraps around like that of torch's integers.
constexpr std::uint64_t bits(Whole x) { return static_cast<std::uint64_t>(x); }

struct Placement;

/// A tensor with its elements, row by row: floats for floating dtypes, else integers. For complex numbers `elements`
/// are the real parts; only the rules in special/complex.cpp see such tensors. Code that makes an Array has checked
/// that its elements can be counted and are few.
struct Array {
    ir::DType dtype = ir::DType::Float32;
    Sizes shape;
    ir::Numbers elements;
    std::shared_ptr<const Placement> lies = nullptr; ///< see memory.h; nullptr: no other value shares the elements
    std::uint64_t writesSeen = 0;       ///< the number of writes to its memory when the elements were read from there
    std::vector<double> imaginary = {}; ///< one per element for a complex dtype, else none

    bool isWhole() const { return std::holds_alternative<std::vector<std::int64_t>>(elements); }
    std::size_t count() const
    {
        return std::visit([](const auto &list) { return list.size(); }, elements);
    }
    template <class T>
    std::span<const T> as() const
    {
        return std::get<std::vector<T>>(elements);
    }
    /// Compares dtypes, shapes and elements, wherever the elements lie in memory.
    bool operator==(const Array &other) const
    {
        return dtype == other.dtype && shape == other.shape && elements == other.elements
            && imaginary == other.imaginary;
    }
};

/// Whether arithmetic is done in a dtype: in bool, integers (for uint64 those that int64 holds) and floats. Not in
/// complex numbers, quantized numbers and texts.
bool isComputable(ir::DType dtype);
/// Whether there is a tensor, and it has so many dimensions.
inline bool hasRank(const Array *array, std::size_t rank) { return array && array->shape.size() == rank; }
/// Whether there is a tensor, and its elements are integers.
inline bool isWhole(const Array *array) { return array && array->isWhole(); }
/// Whether int64 can hold all elements; only elements of uint64 may be too large.
bool isInRange(const Array &array);

/// The product of the sizes.
std::int64_t countOf(std::span<const std::int64_t> shape);
/// Returns for each dimension the distance in elements between neighbours, in row-major order.
Sizes stridesOf(const Sizes &shape);

// Return an array whose elements all have the value: a double for dtypes of floats, an integer for others.
Array filled(ir::DType dtype, Sizes shape, double value);
Array filled(ir::DType dtype, Sizes shape, std::int64_t value);

/// Converts to another dtype: floats are rounded to the nearest, towards zero for integers. Nothing if a float is too
/// large for an integer dtype, where processors differ, or if an imaginary part would be lost.
std::optional<Array> converted(const Array &array, ir::DType dtype);
/// The tensor in double precision.
Array inDoubles(const Array &array);
/// The elements as floats, whatever their dtype is; for complex numbers the real parts.
std::vector<double> floatsOf(const Array &array);
/// Returns the bytes of the elements in the form that files have, see ir::encodeNumbers(); for complex numbers, real
/// and imaginary parts alternate.
std::vector<std::byte> bytesOf(const Array &array);

/// Calls visit(place) for each index of a tensor of this shape, row by row. The place is offset + Σ index·stride.
template <class Visit>
void forEachPlace(const Sizes &shape, const Sizes &strides, std::int64_t offset, Visit &&visit)
{
    Sizes index(shape.size(), 0);
    for (std::int64_t left = countOf(shape); left > 0; --left) {
        visit(offset);
        for (std::size_t d = shape.size(); d-- > 0;) {
            offset += strides[d];
            if (++index[d] < shape[d])
                break;
            offset -= strides[d] * shape[d];
            index[d] = 0;
        }
    }
}

/// Returns a tensor of this shape whose elements are those of `array` at the places that forEachPlace() visits.
Array strided(const Array &array, Sizes shape, const Sizes &strides, std::int64_t offset = 0);
/// Puts the dimensions into another order.
Array permuted(const Array &array, std::span<const std::size_t> order);
/// Repeats the tensor along dimensions of size 1 and along new dimensions in front; nothing if the shapes do not fit.
std::optional<Array> broadcast(const Array &array, const Sizes &shape);
/// Returns the elements in another shape with the same number of elements.
Array reshaped(Array array, Sizes shape);

} // namespace cutaway::compute
