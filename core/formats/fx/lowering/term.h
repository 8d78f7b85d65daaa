// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/fx/read/saved_modules.h"
#include "core/ir/argument.h"

#include <exception>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cutaway::formats::fx {

/// Thrown if a fact that decides what a call means is not known; the statement that the call is in then becomes a
/// node that has only a name.
struct NotKnown : std::exception {
    explicit NotKnown(std::string why) : reason(std::move(why)) { }
    std::string reason;
};

/// A value of the graph or a constant, and its type as far as it is known.
struct Typed {
    ir::Operand operand;
    ir::TypeId type;
};

/// A module and the path by which the code reached it.
struct ModuleTerm {
    SavedId saved;
    std::string path;
};

/// A name of another Python module: "torch.relu", "torch.float32".
struct GlobalTerm {
    std::string name;
};

struct Term;

/// The cost of a copy of a term: the number of terms in it, and how deep they are nested.
struct Extent {
    std::size_t size = 1, depth = 1;
};

/// A list or tuple whose items are known one by one.
struct ItemsTerm {
    std::vector<Term> items;
    bool isTuple = false;
    std::vector<std::string> fields = {}; ///< the field names of a named tuple; empty for others
    Extent extent = {};
};

/// A dict whose keys and values are known one by one.
struct DictTerm {
    std::vector<std::pair<Term, Term>> entries;
    Extent extent = {};
};

/// `start:stop:step`; None for a part that is left out.
struct SliceTerm {
    std::vector<Term> parts; ///< start, stop, step
    Extent extent = {};
};

/// `...` in a subscript.
struct EllipsisTerm { };

/// The meaning of an expression while code is lowered.
struct Term {
    std::variant<Typed, ModuleTerm, GlobalTerm, ItemsTerm, DictTerm, SliceTerm, EllipsisTerm> is;

    template <class T>
    const T *as() const
    {
        return std::get_if<T>(&is);
    }
};

/// Returns the extent of a term; its size and depth are 1 for a term that holds no others.
inline Extent extentOf(const Term &term)
{
    if (const auto *items = term.as<ItemsTerm>())
        return items->extent;
    if (const auto *dict = term.as<DictTerm>())
        return dict->extent;
    const auto *slice = term.as<SliceTerm>();
    return slice ? slice->extent : Extent();
}

/// Returns the extent of a term that holds `terms`.
inline Extent extentAround(std::span<const Term> terms)
{
    Extent all;
    for (const Term &term : terms) {
        const Extent own = extentOf(term);
        all = {all.size + own.size, own.depth + 1 > all.depth ? own.depth + 1 : all.depth};
    }
    return all;
}

/// The arguments of a call.
struct GivenArguments {
    std::vector<Term> positional;
    std::vector<std::pair<std::string, Term>> named;
};

} // namespace cutaway::formats::fx
