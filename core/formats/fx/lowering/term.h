// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/fx/read/saved_modules.h"
#include "core/ir/argument.h"

#include <exception>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cutaway::formats::fx {

/// Thrown while a call is lowered of which something decisive is not known; what it belongs to becomes a node that is
/// only named.
struct NotKnown : std::exception {
    explicit NotKnown(std::string why) : reason(std::move(why)) { }
    std::string reason;
};

/// A value of the graph or a constant, and its type as far as it is known.
struct Typed {
    ir::Operand operand;
    ir::TypeId type;
};

/// A module, by the path it was come by.
struct ModuleTerm {
    SavedId saved;
    std::string path;
};

/// What a name of another Python module stands for: "torch.relu", "torch.float32".
struct GlobalTerm {
    std::string name;
};

struct Term;

/// A list or tuple whose items are known one by one.
struct ItemsTerm {
    std::vector<Term> items;
    bool isTuple = false;
    std::vector<std::string> fields = {}; ///< of a named tuple
    std::size_t size = 1;                 ///< itself and all within, as a copy has them
};

struct DictTerm {
    std::vector<std::pair<Term, Term>> entries;
    std::size_t size = 1;
};

struct SliceTerm {
    std::vector<Term> parts; ///< start, stop, step
};

struct EllipsisTerm { };

/// What an expression stands for while code is lowered.
struct Term {
    std::variant<Typed, ModuleTerm, GlobalTerm, ItemsTerm, DictTerm, SliceTerm, EllipsisTerm> is;

    template <class T>
    const T *as() const
    {
        return std::get_if<T>(&is);
    }
};

inline std::size_t sizeOf(const Term &term)
{
    if (const auto *items = term.as<ItemsTerm>())
        return items->size;
    const auto *dict = term.as<DictTerm>();
    return dict ? dict->size : 1;
}

/// The arguments of a call.
struct GivenArguments {
    std::vector<Term> positional;
    std::vector<std::pair<std::string, Term>> named;
};

} // namespace cutaway::formats::fx
