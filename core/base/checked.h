// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <optional>

namespace cutaway {

/// Overflow-checked arithmetic on integers read from a file; nullopt on overflow.
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

} // namespace cutaway
