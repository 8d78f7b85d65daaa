// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dtype.h"
#include "core/ir/ids.h"
#include "core/ir/lists.h"
#include "core/ir/type.h"
#include "core/symbolic/expr.h"

#include <complex>
#include <cstdint>
#include <variant>

namespace cutaway::ir {

/// None: an omitted optional input, or Python's None.
struct None {
    bool operator==(const None &) const = default;
};

/// A string or bytes constant.
struct String {
    NameId text;
    bool operator==(const String &) const = default;
};

struct Operand;

struct List {
    enum class Kind : std::uint8_t { List, Tuple };
    RareList<Operand> items; // usually empty, so that operands with a RareList are smaller than with a std::vector
    Kind kind = Kind::List;
    bool operator==(const List &) const;
};

/// The items alternate: key, value, key, value, …
struct Dict {
    RareList<Operand> items;
    bool operator==(const Dict &) const;
};

/// An operand of a node: None, a value of the graph, a constant, or a list of operands.
struct Operand {
    using Variant =
        std::variant<None, ValueId, std::int64_t, double, bool, std::complex<double>, String, DType, Layout,
                     MemoryFormat, Device, symbolic::Expr, TensorId, TypeId, FunctionId, OpId, ObjectId, List, Dict>;
    Variant v;

    // Not inline: copying a variant of so many alternatives is a lot of code, and operands are copied everywhere.
    Operand();
    Operand(const Operand &);
    Operand(Operand &&) noexcept;
    Operand &operator=(const Operand &);
    Operand &operator=(Operand &&) noexcept;
    ~Operand();
    template <class T>
        requires std::constructible_from<Variant, T &&> && (!std::same_as<std::remove_cvref_t<T>, Operand>)
    // NOLINTNEXTLINE(google-explicit-constructor): an implicit conversion keeps operand lists short
    Operand(T &&x) : v(std::forward<T>(x))
    {
    }
    template <class T>
    const T *as() const
    {
        return std::get_if<T>(&v);
    }
    bool operator==(const Operand &) const;
};

/// An operand and its parameter's name; "" for a positional argument without a known name.
struct Argument {
    NameId name;
    Operand value;
    bool operator==(const Argument &) const = default;
};

/// Calls visit(ValueId) for every value in an operand in order, also within lists and dictionaries.
template <class Visit>
void forEachValue(const Operand &operand, Visit &&visit)
{
    if (const auto *value = operand.as<ValueId>())
        visit(*value);
    else if (const auto *list = operand.as<List>())
        for (const Operand &item : list->items)
            forEachValue(item, visit);
    else if (const auto *dict = operand.as<Dict>())
        for (const Operand &item : dict->items)
            forEachValue(item, visit);
}

/// Replaces each occurrence of `from` in the operand by `to`, also within lists and dictionaries.
void replaceValue(Operand &operand, ValueId from, const Operand &to);

/// Returns the operand with each value replaced by replace(value), including those in lists and dictionaries.
template <class Replace>
Operand withValues(Operand operand, const Replace &replace)
{
    const auto replaceIn = [&](RareList<Operand> &items) {
        for (Operand &item : items)
            item = withValues(std::move(item), replace);
    };
    if (const auto *value = operand.as<ValueId>())
        return replace(*value);
    if (auto *list = std::get_if<List>(&operand.v))
        replaceIn(list->items);
    else if (auto *dict = std::get_if<Dict>(&operand.v))
        replaceIn(dict->items);
    return operand;
}

} // namespace cutaway::ir
