// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cutaway::ir {

/// An array that is copied by sharing: a copy costs a pointer per 256 elements, and a write copies the one chunk it
/// touches if another copy still uses it. This is what makes keeping every step of a pipeline cheap.
template <class T>
class CowArray {
public:
    std::uint32_t size() const { return m_size; }

    const T &operator[](std::uint32_t i) const
    {
        assert(i < m_size);
        return (*m_chunks[i / chunkSize])[i % chunkSize];
    }

    T &edit(std::uint32_t i)
    {
        assert(i < m_size);
        return own(i / chunkSize)[i % chunkSize];
    }

    std::uint32_t append(T value)
    {
        if (m_size % chunkSize == 0) {
            m_chunks.push_back(std::make_shared<Chunk>());
            m_chunks.back()->reserve(chunkSize);
        }
        own(m_chunks.size() - 1).push_back(std::move(value));
        return m_size++;
    }

    /// Whether element i is stored once for both: then it is equal in both.
    bool sharesWith(const CowArray &other, std::uint32_t i) const
    {
        return i < m_size && i < other.m_size && m_chunks[i / chunkSize] == other.m_chunks[i / chunkSize];
    }

private:
    static constexpr std::uint32_t chunkSize = 256;
    using Chunk = std::vector<T>;

    Chunk &own(std::size_t chunk)
    {
        std::shared_ptr<Chunk> &c = m_chunks[chunk];
        if (c.use_count() > 1) {
            auto copy = std::make_shared<Chunk>();
            copy->reserve(chunkSize);
            copy->insert(copy->end(), c->begin(), c->end());
            c = std::move(copy);
        }
        return *c;
    }

    std::vector<std::shared_ptr<Chunk>> m_chunks;
    std::uint32_t m_size = 0;
};

} // namespace cutaway::ir
