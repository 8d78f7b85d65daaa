// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/comparison.h"

#include "core/base/formatted.h"
#include "core/tensor/pieces.h"
#include "core/tensor/slice.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace cutaway::tensor {

namespace {

/// Distances of 0: the numbers are the same.
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

/// Two pieces at a time.
class PieceComparison {
public:
    PieceComparison(const Elements &a, const Elements &b)
        : m_a(a),
          m_b(b),
          m_isExact(a.dtype() == b.dtype() && ir::bitWidth(a.dtype()) == 64 && !ir::isFloating(a.dtype())
                    && !ir::isComplex(a.dtype()))
    {
        m_result.elements = a.count();
    }

    void add(std::uint64_t first, std::size_t count)
    {
        const std::size_t width = m_a.width();
        m_numbersA.resize(count * width);
        m_numbersB.resize(count * width);
        m_a.read(first, m_numbersA);
        m_b.read(first, m_numbersB);
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
        m_a.readBytes(first, m_bitsA);
        m_b.readBytes(first, m_bitsB);
    }

    /// Integers beyond 2^53 may differ and round to one number.
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

    const Elements &m_a;
    const Elements &m_b;
    bool m_isExact;
    std::vector<double> m_numbersA, m_numbersB;
    std::vector<std::byte> m_bitsA, m_bitsB;
    Comparison m_result;
};

} // namespace

Result<Comparison> compare(const Elements &a, const Elements &b, const Task &task)
{
    if (a.shape() != b.shape())
        return usageError(
            formatted("tensors of shapes {} and {} are not compared", sizesText(a.shape()), sizesText(b.shape())));
    if (a.width() != b.width())
        return usageError("complex numbers are not compared with real ones");
    PieceComparison comparison(a, b);
    for (std::uint64_t first = 0; first < a.count(); first += elementsAtOnce) {
        if (task.stopRequested())
            return cancelled();
        task.report("comparing", first, a.count());
        comparison.add(first, static_cast<std::size_t>(std::min<std::uint64_t>(a.count() - first, elementsAtOnce)));
    }
    for (const Elements *side : {&a, &b})
        if (const auto unchanged = side->checkUnchanged(); !unchanged)
            return std::unexpected(unchanged.error());
    return comparison.result();
}

} // namespace cutaway::tensor
