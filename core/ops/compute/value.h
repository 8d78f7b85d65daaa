// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/array.h"
#include "core/ops/facts/fact.h"

namespace cutaway::compute {

struct Container;

/// What a value of a graph is when it runs: a tensor, a list or tuple that holds tensors, or something else, of which a
/// fact says all there is.
struct Value {
    using Variant = std::variant<ops::Fact, Array, std::vector<Value>>;
    Variant v;
    std::shared_ptr<Container> container = nullptr; ///< see memory.h; nullptr: nothing else can write to it
    std::uint64_t writesSeen = 0;                   ///< to the container, when the items were taken from there

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
    /// Of what it is, not of who else has it.
    bool operator==(const Value &other) const { return v == other.v; }
};
using Values = std::vector<Value>;

/// What shape rules are to know of it; the elements of small tensors too.
ops::Fact factOf(const Value &value);

/// The value that a fact is of, if it says all there is: a number, a text, a list of these, a tensor's elements.
std::optional<Value> valueOf(const ops::Fact &fact);

/// A number as a tensor without dimensions; nothing of complex ones.
std::optional<Array> arrayOf(const ops::NumberFact &number);

} // namespace cutaway::compute
