// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/reference_count.h"

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace cutaway {

/// A value or nothing, like std::optional, but copies share the value until one of them is edited (copy on write). It
/// is as large as a pointer.
template <class T>
class Cow {
public:
    // NOLINTBEGIN(google-explicit-constructor): it stands where a value or nothing stood
    Cow() = default;
    Cow(std::nullptr_t) { }
    Cow(std::nullopt_t) { }
    Cow(T value) : m_held(new Held(std::move(value))) { }
    template <class U>
        requires(std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, std::optional<T>>
                 && !std::same_as<std::remove_cvref_t<U>, Cow>)
    Cow(U &&value) : Cow(T(std::forward<U>(value)))
    {
    }
    Cow(std::optional<T> value) : m_held(value ? new Held(std::move(*value)) : nullptr) { }
    operator std::optional<T>() const { return m_held ? std::optional<T>(m_held->value) : std::nullopt; }
    // NOLINTEND(google-explicit-constructor)

    explicit operator bool() const { return m_held != nullptr; }
    const T &operator*() const { return m_held->value; }
    const T *operator->() const { return &m_held->value; }

    /// Returns the value for editing, after copying it if other objects share it. There must be a value.
    T &edit()
    {
        if (m_held->use_count() > 1)
            m_held = new Held(m_held->value);
        return m_held->value;
    }

    /// Whether both objects hold nothing, or equal values.
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
