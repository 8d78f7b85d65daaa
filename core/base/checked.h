// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace cutaway {

/// Returns a + b; nullopt if that overflows. This function and the next two are for integers that are read from a file.
template <std::integral T>
constexpr std::optional<T> checkedAdd(T a, T b)
{
    T r{};
    return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional<T>(r);
}

template <std::integral T>
constexpr std::optional<T> checkedSubtract(T a, T b)
{
    T r{};
    return __builtin_sub_overflow(a, b, &r) ? std::nullopt : std::optional<T>(r);
}

template <std::integral T>
constexpr std::optional<T> checkedMultiply(T a, T b)
{
    T r{};
    return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional<T>(r);
}

/// Returns the position of a Python index among `size` items (negative: from their end); nothing if it is out of range.
constexpr std::optional<std::size_t> pythonIndex(std::int64_t index, std::size_t size)
{
    const auto count = static_cast<std::int64_t>(size);
    if (index < -count || index >= count)
        return std::nullopt;
    return static_cast<std::size_t>(index < 0 ? index + count : index);
}

} // namespace cutaway
