// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace cutaway::ir {

/// A std::vector that is only as large as a pointer, for lists that are usually empty, or are alternatives of a
/// variant whose other alternatives are small.
template <class T>
class RareList {
public:
    using value_type = T; // NOLINT(readability-identifier-naming): as std::vector

    RareList() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): it stands where a vector could stand
    RareList(std::vector<T> items)
        : m_items(items.empty() ? nullptr : std::make_unique<std::vector<T>>(std::move(items)))
    {
    }
    RareList(std::initializer_list<T> items) : RareList(std::vector<T>(items)) { }
    template <std::input_iterator Iterator> // NOLINTNEXTLINE(performance-unnecessary-value-param): iterators
    RareList(Iterator begin, Iterator end) : RareList(std::vector<T>(begin, end))
    {
    }
    RareList(const RareList &other) : m_items(other.copy()) { }
    RareList(RareList &&) noexcept = default;
    RareList &operator=(const RareList &other) // NOLINT(bugprone-unhandled-self-assignment): it copies first
    {
        m_items = other.copy();
        return *this;
    }
    RareList &operator=(RareList &&) noexcept = default;
    ~RareList() = default;

    // NOLINTNEXTLINE(google-explicit-constructor): as above
    operator std::vector<T>() const { return m_items ? *m_items : std::vector<T>(); }

    bool empty() const { return !m_items; }
    std::size_t size() const { return m_items ? m_items->size() : 0; }
    const T *data() const { return m_items ? m_items->data() : nullptr; }
    const T *begin() const { return data(); }
    const T *end() const { return data() + size(); }
    T *data() { return m_items ? m_items->data() : nullptr; }
    T *begin() { return data(); }
    T *end() { return data() + size(); }
    const T &operator[](std::size_t i) const { return (*m_items)[i]; }
    T &operator[](std::size_t i) { return (*m_items)[i]; }
    T &front() { return m_items->front(); }
    const T &front() const { return m_items->front(); }
    const T &back() const { return m_items->back(); }

    void push_back(T item) // NOLINT(readability-identifier-naming): as std::vector
    {
        if (!m_items)
            m_items = std::make_unique<std::vector<T>>();
        m_items->push_back(std::move(item));
    }

    bool operator==(const RareList &other) const
    {
        return m_items && other.m_items ? *m_items == *other.m_items : empty() && other.empty();
    }

private:
    std::unique_ptr<std::vector<T>> copy() const
    {
        return m_items ? std::make_unique<std::vector<T>>(*m_items) : nullptr;
    }

    std::unique_ptr<std::vector<T>> m_items; ///< nullptr or not empty
};

/// An allocator for containers that count their elements in 32 bits and are smaller for it.
template <class T>
struct ShortAllocator : std::allocator<T> {
    // NOLINTBEGIN(readability-identifier-naming): names of the standard library
    using size_type = std::uint32_t;
    using difference_type = std::int32_t;
    template <class U>
    struct rebind {
        using other = ShortAllocator<U>;
    };
    // NOLINTEND(readability-identifier-naming)

    ShortAllocator() = default;
    template <class U> // NOLINTNEXTLINE(google-explicit-constructor): an allocator serves all types
    ShortAllocator(const ShortAllocator<U> &)
    {
    }
};

/// A list that usually has up to `inPlace` elements, which then lie in the object: 16 bytes and these elements.
template <class T, std::size_t inPlace>
using ShortList = boost::container::small_vector<T, inPlace, ShortAllocator<T>>;

} // namespace cutaway::ir
