// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/tensors/tensor_bytes.h"

#include <memory>
#include <span>
#include <vector>

namespace cutaway::tensor {

/// The elements of a tensor of a model as numbers, read by ranges. Opening a tensor loads nothing; of a mapped file
/// only the pages of a range are read. Two float4 in a byte are separate elements. Copies share the bytes.
class Elements {
public:
    /// Opens a tensor. Errors: the bytes are missing or fewer than the shape needs; elements that are texts or have
    /// no meaning as numbers; for a sparse tensor the errors of denseBytes().
    static Result<Elements> of(const ir::Model &model, ir::TensorId tensor);

    ir::DType dtype() const { return m_tensor.dtype; }
    const std::vector<std::int64_t> &shape() const { return m_tensor.shape; }
    std::uint64_t count() const { return m_count; }
    /// Returns how many numbers an element has: 2 for a complex element (its real and imaginary part), else 1.
    std::size_t width() const { return m_isComplex ? 2 : 1; }

    /// Reads the numbers of the elements from the row-major position `first` on, until `numbers` is full. The tensor
    /// must have that many elements. Integers beyond 2^53 are rounded.
    void read(std::uint64_t first, std::span<double> numbers) const;
    /// Reads the bits of elements, little-endian, without gaps. Precondition: elements are whole bytes.
    void readBytes(std::uint64_t first, std::span<std::byte> bytes) const;
    /// Checks that the file was not written to since it was opened. Errors: it was; the data read are of no use.
    Result<void> checkUnchanged() const;

private:
    using Decode = void (*)(const Elements &elements, std::uint64_t index, std::size_t count, double *numbers);

    using Held = std::shared_ptr<const std::vector<std::byte>>;

    Elements(ir::Tensor tensor, ir::StorageBytes source, Held held, std::uint64_t count);
    /// Checks that the bytes contain all elements. Errors: they end before the last element.
    Result<void> checkReach() const;
    void chooseDecoder();
    template <class T>
    static void decodePlain(const Elements &elements, std::uint64_t index, std::size_t count, double *numbers);
    template <class T>
    static void decodeByTable(const Elements &elements, std::uint64_t index, std::size_t count, double *numbers);
    static void decodePacked(const Elements &elements, std::uint64_t index, std::size_t count, double *numbers);
    /// Calls visit(position in the storage, number of consecutive elements from there) until all are visited.
    template <class Visit>
    void forEachRun(std::uint64_t first, std::uint64_t count, const Visit &visit) const;

    ir::Tensor m_tensor;
    ir::StorageBytes m_source;
    Held m_held; ///< the bytes, if the mapped file does not contain them in this form
    std::shared_ptr<const std::vector<double>> m_table; ///< for narrow elements: the number for each bit pattern
    std::uint64_t m_count = 0;
    std::size_t m_bits = 0; ///< the number of bits of one number
    bool m_isComplex = false;
    bool m_isContiguous = true;
    Decode m_decode = nullptr;
};

} // namespace cutaway::tensor
