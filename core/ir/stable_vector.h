// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>

namespace cutaway::ir {

/// An array that only grows and whose elements never move, so that one thread may read an element while another
/// appends. Only one thread may append at a time.
template <class T>
class StableVector {
public:
    std::uint32_t size() const { return m_size.load(std::memory_order_acquire); }

    const T &operator[](std::uint32_t i) const
    {
        assert(i < size());
        const auto [block, offset] = place(i);
        return m_blocks[block][offset];
    }

    std::uint32_t append(T value)
    {
        const std::uint32_t i = m_size.load(std::memory_order_relaxed);
        const auto [block, offset] = place(i);
        if (!m_blocks[block])
            m_blocks[block] = std::make_unique_for_overwrite<T[]>(std::size_t{firstBlock} << block);
        m_blocks[block][offset] = std::move(value);
        m_size.store(i + 1, std::memory_order_release);
        return i;
    }

private:
    struct Place {
        unsigned block;
        std::uint32_t offset;
    };
    static constexpr std::uint32_t firstBlock = 64;

    static Place place(std::uint32_t i)
    {
        // Block b holds 64·2^b elements, and begins with element 64·(2^b − 1).
        const unsigned block = std::bit_width(i / firstBlock + 1) - 1;
        return {block, i - firstBlock * ((1u << block) - 1)};
    }

    std::array<std::unique_ptr<T[]>, 27> m_blocks;
    std::atomic<std::uint32_t> m_size = 0;
};

} // namespace cutaway::ir
