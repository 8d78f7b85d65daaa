// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/array.h"
#include "core/ops/facts/fact.h"

namespace cutaway::compute {

struct Container;

/// A value while a graph is computed: a tensor, a list or tuple that holds tensors, or anything else that a fact
/// describes fully.
struct Value {
    using Variant = std::variant<ops::Fact, Array, std::vector<Value>>;
    Variant v;
    std::shared_ptr<Container> container = nullptr; ///< see memory.h; nullptr: no other value shares the items
    std::uint64_t writesSeen = 0; ///< the number of writes to the container when the items were read from there

    Value() = default;
    template <class T>
        requires std::constructible_from<Variant, T &&> && (!std::same_as<std::remove_cvref_t<T>, Value>)
    // NOLINTNEXTLINE(google-explicit-constructor): every alternative is a value
    Value(T &&x) : v(std::forward<T>(x))
    {
    }
    template <class T>
    const T *as() const
    {
        return std::get_if<T>(&v);
    }
    /// Compares contents, regardless of sharing.
    bool operator==(const Value &other) const { return v == other.v; }
};
using Values = std::vector<Value>;

/// The fact of a value for shape rules, with the elements of small tensors.
ops::Fact factOf(const Value &value);

/// The value that a fact describes fully: a number, a text, a list of these, a tensor's elements; else nothing.
std::optional<Value> valueOf(const ops::Fact &fact);

/// A number as a tensor without dimensions; nothing for complex numbers.
std::optional<Array> arrayOf(const ops::NumberFact &number);

} // namespace cutaway::compute
