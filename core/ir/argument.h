// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dtype.h"
#include "core/ir/ids.h"
#include "core/ir/type.h"
#include "core/symbolic/expr.h"

#include <complex>
#include <cstdint>
#include <variant>
#include <vector>

namespace cutaway::ir {

/// No value: an omitted optional input, Python's None.
struct None {
    bool operator==(const None &) const = default;
};

/// A text or byte string constant.
struct String {
    NameId text;
    bool operator==(const String &) const = default;
};

struct Operand;

struct List {
    enum class Kind : std::uint8_t { List, Tuple };
    std::vector<Operand> items;
    Kind kind = Kind::List;
    bool operator==(const List &) const;
};

/// Items are key, value, key, value, …
struct Dict {
    std::vector<Operand> items;
    bool operator==(const Dict &) const;
};

/// What a node can be given: nothing, a value of the graph, a constant, or a list of these.
struct Operand {
    using Variant =
        std::variant<None, ValueId, std::int64_t, double, bool, std::complex<double>, String, DType, Layout,
                     MemoryFormat, Device, symbolic::Expr, TensorId, TypeId, FunctionId, OpId, ObjectId, List, Dict>;
    Variant v;

    // Out of line: what a variant of so many kinds does is a lot of code, and operands are copied everywhere.
    Operand();
    Operand(const Operand &);
    Operand(Operand &&) noexcept;
    Operand &operator=(const Operand &);
    Operand &operator=(Operand &&) noexcept;
    ~Operand();
    template <class T>
        requires std::constructible_from<Variant, T &&> && (!std::same_as<std::remove_cvref_t<T>, Operand>)
    // NOLINTNEXTLINE(google-explicit-constructor): every alternative is an operand, so lists read as they are meant
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

/// An operand under its parameter's name; a positional argument nobody names has name "".
struct Argument {
    NameId name;
    Operand value;
    bool operator==(const Argument &) const = default;
};

/// Calls visit(ValueId) for every value in an operand, lists opened, in order.
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

/// Wherever an operand has one value, lists opened, it has another operand instead.
void replaceValue(Operand &operand, ValueId from, const Operand &to);

/// The operand with what `replace` gives for a value in place of each, lists opened.
template <class Replace>
Operand withValues(Operand operand, const Replace &replace)
{
    const auto replaceIn = [&](std::vector<Operand> &items) {
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
