// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/comparison.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/ir/tensors/sizes.h"
#include "core/tensor/pieces.h"
#include "core/tensor/slice.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace cutaway::tensor {

namespace {

/// How far apart two numbers are; both distances are 0 if they are the same.
struct NumberDistance {
    double absolute = 0, relative = 0;
};

NumberDistance distanceOf(double a, double b)
{
    if (a == b || (std::isnan(a) && std::isnan(b)))
        return {};
    if (!std::isfinite(a) || !std::isfinite(b))
        return {std::numeric_limits<double>::infinity(), 2};
    const double absolute = std::abs(a - b), larger = std::max(std::abs(a), std::abs(b));
    return {absolute, std::isfinite(absolute) ? absolute / larger : std::abs(a / larger - b / larger)};
}

bool areWideIntegers(const Values &values)
{
    const ir::DType dtype = values.elements().dtype();
    return ir::bitWidth(dtype) == 64 && !ir::isFloating(dtype) && !ir::isComplex(dtype) && !values.areDequantized();
}

/// Reads numbers from the element `first` on; for complex elements both parts.
void readParts(const Values &values, std::uint64_t first, std::span<double> numbers)
{
    if (values.areMagnitudes())
        values.elements().read(first, numbers);
    else
        values.read(first, numbers);
}

/// Compares two tensors piece by piece, so that neither is in memory as a whole.
class PieceComparison {
public:
    PieceComparison(const Values &a, const Values &b)
        : m_a(a),
          m_b(b),
          m_isExact(a.elements().dtype() == b.elements().dtype() && areWideIntegers(a) && areWideIntegers(b))
    {
        m_result.elements = a.elements().count();
    }

    void add(std::uint64_t first, std::size_t count)
    {
        const std::size_t width = m_a.elements().width();
        m_numbersA.resize(count * width);
        m_numbersB.resize(count * width);
        readParts(m_a, first, m_numbersA);
        readParts(m_b, first, m_numbersB);
        if (m_isExact)
            readBits(first, count);
        for (std::size_t i = 0; i < count; ++i)
            addElement(first + i, i * width, width, m_isExact && isOther(i));
    }
    const Comparison &result() const { return m_result; }

private:
    void readBits(std::uint64_t first, std::size_t count)
    {
        m_bitsA.resize(count * sizeof(std::uint64_t));
        m_bitsB.resize(count * sizeof(std::uint64_t));
        m_a.elements().readBytes(first, m_bitsA);
        m_b.elements().readBytes(first, m_bitsB);
    }

    /// Whether two integers differ in their bits: beyond 2^53 they may differ although they round to the same number.
    bool isOther(std::size_t i) const
    {
        constexpr std::size_t size = sizeof(std::uint64_t);
        return std::memcmp(&m_bitsA[i * size], &m_bitsB[i * size], size) != 0;
    }

    void addElement(std::uint64_t place, std::size_t at, std::size_t width, bool isOther)
    {
        NumberDistance far;
        for (std::size_t part = 0; part < width; ++part) {
            const NumberDistance distance = distanceOf(m_numbersA[at + part], m_numbersB[at + part]);
            far.absolute = std::max(far.absolute, distance.absolute);
            far.relative = std::max(far.relative, distance.relative);
        }
        if (far.absolute == 0 && !isOther)
            return;
        ++m_result.differing;
        if (!m_result.firstDifference)
            m_result.firstDifference = place;
        if (far.absolute > m_result.maxAbsolute) {
            m_result.maxAbsolute = far.absolute;
            m_result.maxAbsoluteAt = place;
        }
        if (far.relative > m_result.maxRelative) {
            m_result.maxRelative = far.relative;
            m_result.maxRelativeAt = place;
        }
    }

    const Values &m_a;
    const Values &m_b;
    bool m_isExact;
    std::vector<double> m_numbersA, m_numbersB;
    std::vector<std::byte> m_bitsA, m_bitsB;
    Comparison m_result;
};

} // namespace

Result<Comparison> compare(const Values &a, const Values &b, const Task &task)
{
    const std::vector<std::int64_t> &shape = a.elements().shape(), &other = b.elements().shape();
    if (shape != other)
        return usageError(
            formatted("tensors of shapes {} and {} are not compared", ir::printSizes(shape), ir::printSizes(other)));
    if (a.areMagnitudes() != b.areMagnitudes())
        return usageError("complex numbers are not compared with real ones");
    PieceComparison comparison(a, b);
    const std::uint64_t count = a.elements().count();
    for (std::uint64_t first = 0; first < count; first += elementsAtOnce) {
        if (task.stopRequested())
            return cancelled();
        task.report("comparing", first, count);
        comparison.add(first, static_cast<std::size_t>(std::min<std::uint64_t>(count - first, elementsAtOnce)));
    }
    for (const Values *side : {&a, &b})
        CUTAWAY_RETURN_IF_ERROR(side->checkUnchanged());
    return comparison.result();
}

} // namespace cutaway::tensor
