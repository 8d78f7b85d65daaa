// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/elements.h"
#include "core/tensor/quantization.h"

namespace cutaway::tensor {

/// One real number for each element of a tensor: the element itself, the magnitude of a complex element, or the
/// dequantized number; or the difference between that number and the number of another tensor.
class Values {
public:
    explicit Values(Elements elements, std::optional<Quantization> quantization = {});
    /// Returns the numbers of a tensor. Errors: those of Elements::of() and quantizationOf().
    static Result<Values> of(const ir::Model &model, ir::TensorId tensor);

    const Elements &elements() const { return m_elements; }
    bool areMagnitudes() const { return m_elements.width() == 2; }
    bool areDequantized() const { return m_quantization.has_value(); }
    bool areDifferences() const { return m_subtracted != nullptr; }
    /// Returns these numbers minus those of `other`; two NaNs or equal infinities differ by 0. Errors (Usage): `other`
    /// has another shape.
    Result<Values> minus(const Values &other) const;
    /// Reads the numbers from the row-major position `first` on, until `numbers` is full.
    void read(std::uint64_t first, std::span<double> numbers) const;
    /// Checks that no file with elements was written to since it was opened. Errors: one was; the data are of no use.
    Result<void> checkUnchanged() const;

private:
    void readOwn(std::uint64_t first, std::span<double> numbers) const;
    void readMagnitudes(std::uint64_t first, std::span<double> numbers) const;
    void dequantize(std::uint64_t first, std::span<double> numbers) const;

    Elements m_elements;
    std::optional<Quantization> m_quantization;
    std::shared_ptr<const Values> m_subtracted;
    std::uint64_t m_inner = 1; ///< the number of elements per index of the quantized dimension
};

/// Returns the number of elements between one index of a dimension and the next, in row-major order.
std::uint64_t innerSize(const std::vector<std::int64_t> &shape, std::size_t dim);

} // namespace cutaway::tensor
