// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/reference_count.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace cutaway::ir {

/// A copy-on-write array in blocks of 16 elements: copying it costs a pointer per block; the first write to a shared
/// element copies the element and its block's pointers. This keeps the history of a pipeline cheap.
template <class T>
class CowArray {
public:
    /// Iterates over the elements in order; invalidated by any change of the array.
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
        return m_blocks[i / blockSize]->value[i % blockSize]->value;
    }

    T &edit(std::uint32_t i)
    {
        assert(i < m_size);
        return own(own(m_blocks[i / blockSize])[i % blockSize]);
    }

    std::uint32_t append(T value)
    {
        if (m_size % blockSize == 0)
            m_blocks.emplace_back(new Shared<Block>);
        own(m_blocks.back())[m_size % blockSize] = new Shared<T>(std::move(value));
        return m_size++;
    }

    void push_back(T value) { append(std::move(value)); } // NOLINT(readability-identifier-naming): as std::vector

    /// Whether both arrays share the storage of element i, so that it is certainly equal.
    bool sharesWith(const CowArray &other, std::uint32_t i) const
    {
        return i < m_size && i < other.m_size && &(*this)[i] == &other[i];
    }

private:
    static constexpr std::uint32_t blockSize = 16;
    template <class U>
    struct Shared : ReferenceCounted<Shared<U>> {
        explicit Shared(U of = {}) : value(std::move(of)) { }
        U value;
    };
    template <class U>
    using Pointer = boost::intrusive_ptr<Shared<U>>;
    using Block = std::array<Pointer<T>, blockSize>;

    template <class U>
    static U &own(Pointer<U> &shared)
    {
        if (shared->use_count() > 1)
            shared = new Shared<U>(shared->value);
        return shared->value;
    }

    std::vector<Pointer<Block>> m_blocks;
    std::uint32_t m_size = 0;
};

} // namespace cutaway::ir
