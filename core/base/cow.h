// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/reference_count.h"

#include <cstddef>
#include <optional>
#include <utility>

namespace cutaway {

/// A value or nothing, as std::optional, but copies share the value until one of them is edited (copy on write). As
/// large as a pointer.
template <class T>
class Cow {
public:
    // NOLINTBEGIN(google-explicit-constructor): it stands where a value or nothing stood
    Cow() = default;
    Cow(std::nullptr_t) { }
    Cow(std::nullopt_t) { }
    Cow(T value) : m_held(new Held(std::move(value))) { }
    Cow(std::optional<T> value) : m_held(value ? new Held(std::move(*value)) : nullptr) { }
    operator std::optional<T>() const { return m_held ? std::optional<T>(m_held->value) : std::nullopt; }
    // NOLINTEND(google-explicit-constructor)

    explicit operator bool() const { return m_held != nullptr; }
    const T &operator*() const { return m_held->value; }
    const T *operator->() const { return &m_held->value; }

    /// The value, of which no copy knows. There must be one.
    T &edit()
    {
        if (m_held->use_count() > 1)
            m_held = new Held(m_held->value);
        return m_held->value;
    }

    /// Whether both hold nothing, or equal values.
    bool operator==(const Cow &other) const
    {
        return m_held == other.m_held || (m_held && other.m_held && m_held->value == other.m_held->value);
    }

private:
    struct Held : ReferenceCounted<Held> {
        explicit Held(T of) : value(std::move(of)) { }
        T value;
    };
    boost::intrusive_ptr<Held> m_held;
};

} // namespace cutaway
