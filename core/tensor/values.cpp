// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/values.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/ir/tensors/sizes.h"
#include "core/tensor/slice.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::tensor {

std::uint64_t innerSize(const std::vector<std::int64_t> &shape, std::size_t dim)
{
    std::uint64_t size = 1;
    for (std::size_t d = dim + 1; d < shape.size(); ++d)
        size *= static_cast<std::uint64_t>(shape[d]);
    return size;
}

Values::Values(Elements elements, std::optional<Quantization> quantization)
    : m_elements(std::move(elements)),
      m_quantization(std::move(quantization))
{
    if (m_quantization && m_quantization->scales.size() > 1)
        m_inner = innerSize(m_elements.shape(), m_quantization->axis);
}

Result<Values> Values::of(const ir::Model &model, ir::TensorId tensor)
{
    CUTAWAY_TRY(auto elements, Elements::of(model, tensor));
    CUTAWAY_TRY(auto quantization, quantizationOf(model, tensor));
    return Values(std::move(elements), std::move(quantization));
}

Result<Values> Values::minus(const Values &other) const
{
    if (m_elements.shape() != other.m_elements.shape())
        return usageError(formatted("tensors of shapes {} and {} are not compared", ir::printSizes(m_elements.shape()),
                                    ir::printSizes(other.m_elements.shape())));
    Values difference = *this;
    difference.m_subtracted = std::make_shared<const Values>(other);
    return difference;
}

Result<void> Values::checkUnchanged() const
{
    if (const auto unchanged = m_elements.checkUnchanged(); !unchanged || !m_subtracted)
        return unchanged;
    return m_subtracted->checkUnchanged();
}

void Values::read(std::uint64_t first, std::span<double> numbers) const
{
    readOwn(first, numbers);
    if (!m_subtracted)
        return;
    std::vector<double> others(numbers.size());
    m_subtracted->read(first, others);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const bool areSame = numbers[i] == others[i] || (std::isnan(numbers[i]) && std::isnan(others[i]));
        numbers[i] = areSame ? 0 : numbers[i] - others[i];
    }
}

void Values::readOwn(std::uint64_t first, std::span<double> numbers) const
{
    if (areMagnitudes())
        return readMagnitudes(first, numbers);
    m_elements.read(first, numbers);
    if (m_quantization)
        dequantize(first, numbers);
}

void Values::readMagnitudes(std::uint64_t first, std::span<double> numbers) const
{
    std::vector<double> parts(2 * numbers.size());
    m_elements.read(first, parts);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const bool isNan = std::isnan(parts[2 * i]) || std::isnan(parts[2 * i + 1]);
        numbers[i] = isNan ? std::numeric_limits<double>::quiet_NaN() : std::hypot(parts[2 * i], parts[2 * i + 1]);
    }
}

void Values::dequantize(std::uint64_t first, std::span<double> numbers) const
{
    const std::vector<double> &scales = m_quantization->scales, &zeroPoints = m_quantization->zeroPoints;
    for (std::size_t i = 0; i < numbers.size();) {
        const std::uint64_t at = first + i;
        const std::size_t channel = scales.size() == 1 ? 0 : at / m_inner % scales.size();
        const std::uint64_t left = scales.size() == 1 ? numbers.size() : m_inner - at % m_inner;
        const std::size_t end = i + static_cast<std::size_t>(std::min<std::uint64_t>(left, numbers.size() - i));
        for (; i < end; ++i)
            numbers[i] = (numbers[i] - zeroPoints[channel]) * scales[channel];
    }
}

} // namespace cutaway::tensor
