// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cutaway::formats::archive {

/// Returns the little-endian number at `offset`; the caller has checked that it lies within the bytes.
template <class T>
T littleEndian(std::span<const std::byte> bytes, std::size_t offset)
{
    assert(offset <= bytes.size() && sizeof(T) <= bytes.size() - offset);
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        n |= std::to_integer<std::uint64_t>(bytes[offset + i]) << (8 * i);
    return static_cast<T>(n);
}

inline std::string_view asText(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace cutaway::formats::archive
