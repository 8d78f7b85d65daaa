// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/slice.h"

#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <ranges>

namespace cutaway::tensor {

namespace {

using Range = Slice::Range;

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(' ');
    return first == text.npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(trimmed(text.substr(0, end)));
        if (end == text.npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<std::int64_t> integerOf(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::unexpected<Error> wrongPart(std::string_view text)
{
    return usageError(formatted("'{}' is no index and no START:STOP:STEP", sanitized(text)));
}

Result<Range> indexOf(std::string_view text, std::int64_t size)
{
    const auto index = integerOf(text);
    if (!index)
        return wrongPart(text);
    const std::int64_t at = *index < 0 ? *index + size : *index;
    if (at < 0 || at >= size)
        return usageError(formatted("index {} is outside of a dimension of {}", *index, size));
    return Range{at, 1, 1, true};
}

/// Returns the position of a slice's bound in a dimension, limited to it, as in Python.
std::int64_t bounded(std::int64_t bound, std::int64_t size)
{
    return std::clamp<std::int64_t>(bound < 0 ? bound + size : bound, 0, size);
}

Result<Range> rangeOf(std::string_view text, std::int64_t size)
{
    const auto parts = split(text, ':');
    if (parts.size() > 3)
        return wrongPart(text);
    std::int64_t numbers[] = {0, size, 1};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto number = parts[i].empty() ? std::optional(numbers[i]) : integerOf(parts[i]);
        if (!number)
            return wrongPart(text);
        numbers[i] = *number;
    }
    if (numbers[2] < 1)
        return usageError(formatted("'{}' has a step below 1", sanitized(text)));
    const std::int64_t start = bounded(numbers[0], size), stop = std::max(bounded(numbers[1], size), start);
    const std::int64_t count = (stop - start) / numbers[2] + ((stop - start) % numbers[2] != 0 ? 1 : 0);
    return Range{start, count, numbers[2], false};
}

} // namespace

std::vector<std::int64_t> Slice::shape() const
{
    std::vector<std::int64_t> sizes;
    for (const Range &range : ranges)
        if (!range.isIndex)
            sizes.push_back(range.count);
    return sizes;
}

std::uint64_t Slice::count() const
{
    std::uint64_t count = 1;
    for (const Range &range : ranges)
        count *= static_cast<std::uint64_t>(range.count);
    return count;
}

Slice wholeOf(const std::vector<std::int64_t> &shape)
{
    Slice slice;
    for (const std::int64_t size : shape)
        slice.ranges.push_back({0, size, 1, false});
    return slice;
}

Result<Slice> parseSlice(std::string_view text, const std::vector<std::int64_t> &shape)
{
    Slice slice = wholeOf(shape);
    text = trimmed(text);
    if (text.starts_with('[') && text.ends_with(']'))
        text = trimmed(text.substr(1, text.size() - 2));
    if (text.empty())
        return slice;
    const auto parts = split(text, ',');
    const auto dots = std::ranges::count(parts, "...");
    const std::size_t given = parts.size() - static_cast<std::size_t>(dots);
    if (dots > 1 || given > shape.size())
        return usageError(
            formatted("'{}' has more parts than the tensor has dimensions: {}", sanitized(text), shape.size()));
    std::size_t dim = 0;
    for (const std::string_view part : parts) {
        if (part == "...") {
            dim += shape.size() - given;
            continue;
        }
        CUTAWAY_TRY(const auto range, part.contains(':') ? rangeOf(part, shape[dim]) : indexOf(part, shape[dim]));
        slice.ranges[dim++] = range;
    }
    return slice;
}

SlicePlaces::SlicePlaces(const std::vector<std::int64_t> &shape, const Slice &slice)
{
    std::uint64_t stride = 1;
    bool isTogether = true;
    for (std::size_t d = shape.size(); d-- > 0;) {
        const Range &range = slice.ranges[d];
        m_start += static_cast<std::uint64_t>(range.start) * stride;
        m_dims.push_back({static_cast<std::uint64_t>(range.count), static_cast<std::uint64_t>(range.step) * stride});
        if (isTogether && (range.step == 1 || range.count == 1))
            m_run *= static_cast<std::uint64_t>(range.count);
        isTogether = isTogether && range.step == 1 && range.count == shape[d];
        stride *= static_cast<std::uint64_t>(shape[d]);
    }
}

std::uint64_t SlicePlaces::at(std::uint64_t k) const
{
    std::uint64_t place = m_start;
    for (const Dim &dim : m_dims) {
        place += k % dim.count * dim.stride;
        k /= dim.count;
    }
    return place;
}

std::uint64_t SlicePlaces::runAt(std::uint64_t k) const { return m_run - k % m_run; }

Slice matrixOf(const Slice &part, std::int64_t maxRows, std::int64_t maxColumns)
{
    Slice matrix = part;
    // Limits are taken from the end: the last one is for the last dimension.
    std::vector<std::int64_t> limits{maxRows, maxColumns};
    for (Range &range : matrix.ranges | std::views::reverse) {
        if (range.isIndex || range.count == 0)
            continue;
        if (limits.empty()) {
            range = {range.start, 1, 1, true};
            continue;
        }
        const std::int64_t every = (range.count + limits.back() - 1) / limits.back();
        range.count = (range.count + every - 1) / every;
        range.step *= every;
        limits.pop_back();
    }
    return matrix;
}

} // namespace cutaway::tensor
