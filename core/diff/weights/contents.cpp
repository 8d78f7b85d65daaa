// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/weights/contents.h"

#include "core/diff/weights/rounding.h"
#include "core/ir/tensors/tensor_bytes.h"
#include "core/ir/tensors/tensor_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>

namespace cutaway::diff {

namespace {

using Bytes = std::span<const std::byte>;

/// Calls `use` with all elements of a tensor, contiguous and row-major, without a copy if they are stored so.
template <class Use>
Result<void> withBytes(const ir::Model &model, ir::TensorId tensor, const Use &use)
{
    const auto length = static_cast<std::size_t>(ir::byteSize(model.at(tensor)).value_or(0));
    std::vector<std::byte> gathered;
    bool isUsed = false;
    auto visited = ir::visitElements(model, tensor, [&](Bytes piece) {
        if (gathered.empty() && piece.size() == length) {
            isUsed = true;
            use(piece);
        } else {
            gathered.insert(gathered.end(), piece.begin(), piece.end());
        }
    });
    if (visited && !isUsed)
        use(Bytes(gathered));
    return visited;
}

/// Returns the value of the i-th element, where elements have less than a byte and are packed from the low bits.
unsigned packedElement(Bytes bytes, std::uint64_t i, unsigned bits)
{
    const std::uint64_t bit = i * bits;
    return static_cast<unsigned>(bytes[bit / 8]) >> (bit % 8) & ((1u << bits) - 1);
}

/// Returns the relative error of a number that was rounded. `least` is the smallest number that has full precision. If
/// only one number is NaN, so is the error.
double relativeError(double before, double after, double least)
{
    if (before == after || (std::isnan(before) && std::isnan(after)))
        return 0;
    return std::abs(before - after) / std::max(std::abs(before), least);
}

std::uint64_t countDiffering(Bytes a, Bytes b, std::uint64_t elements, unsigned bits)
{
    if (a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0)
        return 0;
    std::uint64_t count = 0;
    if (bits < 8) {
        for (std::uint64_t i = 0; i < elements; ++i)
            count += packedElement(a, i, bits) != packedElement(b, i, bits) ? 1 : 0;
        return count;
    }
    const std::size_t width = bits / 8;
    for (std::size_t at = 0; at + width <= a.size(); at += width)
        count += std::memcmp(a.data() + at, b.data() + at, width) != 0 ? 1 : 0;
    return count;
}

/// Compares a matrix with the transpose of another, in tiles that stay in the cache.
std::uint64_t countDifferingTransposed(Bytes a, Bytes b, std::size_t rows, std::size_t columns, std::size_t width)
{
    constexpr std::size_t tile = 64;
    std::uint64_t count = 0;
    for (std::size_t r = 0; r < rows; r += tile)
        for (std::size_t c = 0; c < columns; c += tile)
            for (std::size_t i = r; i < std::min(r + tile, rows); ++i)
                for (std::size_t k = c; k < std::min(c + tile, columns); ++k)
                    count += std::memcmp(&a[(i * columns + k) * width], &b[(k * rows + i) * width], width) != 0 ? 1 : 0;
    return count;
}

/// Compares a tensor with one whose dimensions are in another order. `steps`: the strides of B, in elements, by
/// dimension of A.
std::uint64_t countDifferingPermuted(Bytes a, Bytes b, std::span<const std::int64_t> sizes,
                                     std::span<const std::size_t> steps, std::size_t width)
{
    std::vector<std::int64_t> index(sizes.size(), 0);
    std::size_t other = 0;
    std::uint64_t count = 0;
    for (std::size_t at = 0; at + width <= a.size(); at += width) {
        count += std::memcmp(&a[at], &b[other * width], width) != 0 ? 1 : 0;
        for (std::size_t d = sizes.size(); d-- > 0;) {
            other += steps[d];
            if (++index[d] < sizes[d])
                break;
            other -= steps[d] * static_cast<std::size_t>(sizes[d]);
            index[d] = 0;
        }
    }
    return count;
}

std::uint64_t elementsOf(const ir::Tensor &tensor)
{
    return static_cast<std::uint64_t>(ir::elementCount(tensor).value_or(0));
}

ContentComparison unreadable(const Error &error) { return NotComparable{error.text()}; }

} // namespace

std::vector<std::int64_t> squeezed(const std::vector<std::int64_t> &shape)
{
    std::vector<std::int64_t> sizes;
    std::ranges::copy_if(shape, std::back_inserter(sizes), [](std::int64_t size) { return size != 1; });
    return sizes;
}

const ContentComparison &Contents::compare(ir::TensorId a, ir::TensorId b)
{
    const auto [entry, isNew] = m_known.try_emplace({a, b});
    if (isNew)
        entry->second = read(a, b);
    return entry->second;
}

ContentComparison Contents::read(ir::TensorId a, ir::TensorId b) const
{
    const ir::Tensor &x = m_a.at(a), &y = m_b.at(b);
    Differing all{0, elementsOf(x)};
    if (x.parts.size() != y.parts.size() || x.layout != y.layout)
        return NotComparable{"one is stored in parts that the other does not have"};
    for (std::size_t i = 0; i < x.parts.size(); ++i) {
        const ir::Tensor &part = m_a.at(x.parts[i]), &other = m_b.at(y.parts[i]);
        if (part.dtype != other.dtype || part.shape != other.shape)
            return Differing{all.of, all.of};
        const ContentComparison compared = read(x.parts[i], y.parts[i]);
        if (std::holds_alternative<NotComparable>(compared))
            return compared;
        all.count += std::get<Differing>(compared).count;
    }
    const auto *textsA = std::get_if<ir::InlineStrings>(&m_a.at(x.storage).data);
    const auto *textsB = std::get_if<ir::InlineStrings>(&m_b.at(y.storage).data);
    if (textsA && textsB)
        return Differing{*textsA == *textsB ? 0 : all.of, all.of};
    if (x.layout != ir::Layout::Strided || all.of == 0 || isOneRange(x, y))
        return all;
    Result<void> readB;
    const auto readA = withBytes(m_a, a, [&](Bytes bytesA) {
        readB = withBytes(m_b, b, [&](Bytes bytesB) {
            all.count +=
                countDiffering(bytesA, bytesB, all.of, static_cast<unsigned>(ir::bitWidth(x.dtype).value_or(8)));
        });
    });
    return !readA ? unreadable(readA.error()) : !readB ? unreadable(readB.error()) : ContentComparison(all);
}

std::optional<double> Contents::roundingError(ir::TensorId a, ir::TensorId b) const
{
    const ir::Tensor &x = m_a.at(a), &y = m_b.at(b);
    const auto widthA = static_cast<std::size_t>(ir::bitWidth(x.dtype).value_or(0) / 8),
               widthB = static_cast<std::size_t>(ir::bitWidth(y.dtype).value_or(0) / 8);
    const bool areFloats = ir::isFloat(x.dtype) && ir::isFloat(y.dtype) && widthA > 0 && widthB > 0;
    if (!areFloats || squeezed(x.shape) != squeezed(y.shape) || x.layout != ir::Layout::Strided
        || y.layout != ir::Layout::Strided)
        return {};
    const double least = std::max(leastNormal(x.dtype), leastNormal(y.dtype));
    double largest = 0;
    const auto compare = [&](Bytes bytesA, Bytes bytesB) {
        constexpr std::size_t atOnce = 1u << 16;
        const std::size_t count = std::min(bytesA.size() / widthA, bytesB.size() / widthB);
        for (std::size_t at = 0; at < count; at += atOnce) {
            const std::size_t n = std::min(atOnce, count - at);
            const auto ofA = ir::decodeNumbers(x.dtype, bytesA.subspan(at * widthA, n * widthA), n),
                       ofB = ir::decodeNumbers(y.dtype, bytesB.subspan(at * widthB, n * widthB), n);
            const auto &before = std::get<std::vector<double>>(ofA), &after = std::get<std::vector<double>>(ofB);
            for (std::size_t i = 0; i < n; ++i) {
                const double error = relativeError(before[i], after[i], least);
                largest = std::isnan(error) ? HUGE_VAL : std::max(largest, error);
            }
        }
    };
    Result<void> readB;
    const auto readA = withBytes(
        m_a, a, [&](Bytes bytesA) { readB = withBytes(m_b, b, [&](Bytes bytesB) { compare(bytesA, bytesB); }); });
    return readA && readB ? std::optional(largest) : std::nullopt;
}

bool Contents::isOneRange(const ir::Tensor &a, const ir::Tensor &b) const
{
    const auto *x = std::get_if<ir::FileRange>(&m_a.at(a.storage).data);
    const auto *y = std::get_if<ir::FileRange>(&m_b.at(b.storage).data);
    if (!x || !y || x->offset != y->offset || x->length != y->length || x->encoding != y->encoding
        || a.offset != b.offset || a.shape != b.shape || a.strides != b.strides)
        return false;
    std::error_code error;
    return std::filesystem::equivalent(m_a.at(x->file).path, m_b.at(y->file).path, error) && !error;
}

ContentComparison Contents::compare(ir::TensorId a, ir::TensorId b, std::span<const std::size_t> order) const
{
    const ir::Tensor &x = m_a.at(a), &y = m_b.at(b);
    const std::vector<std::int64_t> sizes = squeezed(x.shape), other = squeezed(y.shape);
    const unsigned bits = static_cast<unsigned>(ir::bitWidth(x.dtype).value_or(0));
    if (bits < 8 || x.layout != ir::Layout::Strided || y.layout != ir::Layout::Strided)
        return NotComparable{"their elements cannot be put into one order"};
    std::vector<std::size_t> dense(other.size(), 1), steps;
    for (std::size_t d = other.size(); d-- > 1;)
        dense[d - 1] = dense[d] * static_cast<std::size_t>(other[d]);
    std::ranges::transform(order, std::back_inserter(steps), [&](std::size_t d) { return dense[d]; });
    const std::size_t width = bits / 8;
    Differing all{0, elementsOf(x)};
    Result<void> readB;
    const auto readA = withBytes(m_a, a, [&](Bytes bytesA) {
        readB = withBytes(m_b, b, [&](Bytes bytesB) {
            all.count = sizes.size() == 2 ? countDifferingTransposed(bytesA, bytesB, static_cast<std::size_t>(sizes[0]),
                                                                     static_cast<std::size_t>(sizes[1]), width)
                                          : countDifferingPermuted(bytesA, bytesB, sizes, steps, width);
        });
    });
    return !readA ? unreadable(readA.error()) : !readB ? unreadable(readB.error()) : ContentComparison(all);
}

} // namespace cutaway::diff
