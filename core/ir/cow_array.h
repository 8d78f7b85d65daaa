// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

namespace cutaway::ir {

/// An array that is copied by sharing: a copy costs a pointer per 256 elements, and a write copies the one chunk it
/// touches if another copy still uses it. This is what makes keeping every step of a pipeline cheap.
template <class T>
class CowArray {
public:
    /// Walks the elements in order; good until the array changes.
    class Iterator {
    public:
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::forward_iterator_tag; // NOLINT(readability-identifier-naming): std name

        Iterator() = default;
        Iterator(const CowArray *array, std::uint32_t i) : m_array(array), m_i(i) { }
        const T &operator*() const { return (*m_array)[m_i]; }
        const T *operator->() const { return &(*m_array)[m_i]; }
        Iterator &operator++()
        {
            ++m_i;
            return *this;
        }
        Iterator operator++(int) { return {m_array, m_i++}; }
        bool operator==(const Iterator &) const = default;

    private:
        const CowArray *m_array = nullptr;
        std::uint32_t m_i = 0;
    };
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, m_size}; }

    std::uint32_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    const T &back() const { return (*this)[m_size - 1]; }

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

    void push_back(T value) { append(std::move(value)); } // NOLINT(readability-identifier-naming): as std::vector

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
