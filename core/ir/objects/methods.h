// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/model.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cutaway::ir {

/// The name of a class without the parts that TorchScript's compiler adds: "net.Block" for
/// "__torch__.net.___torch_mangle_3.Block".
std::string plainClassName(std::string_view name);

/// The method of a class, "net.Block.forward"; nullptr: there is none, or several classes have that name.
const Function *onlyMethodOf(const Model &model, std::string_view plainName);

/// The method of the class of a module; nullptr as above.
const Function *methodOf(const Model &model, ModuleId module, std::string_view method);

/// The result of a call, by its type: a method of TorchScript has a result for each leaf of the tuple that it returns,
/// a call of it has the tuple. Takes the leaves from the front; `tuple` makes a tuple of its items and its type.
/// Nothing if there are too few leaves.
template <class Item, class MakeTuple>
std::optional<Item> closedTuple(const Context &context, TypeId type, std::span<const Item> &leaves,
                                const MakeTuple &tuple)
{
    const auto *declared = std::get_if<CompoundType>(&context.at(type));
    if (!declared || declared->kind != CompoundType::Kind::Tuple) {
        if (leaves.empty())
            return std::nullopt;
        Item leaf = leaves.front();
        leaves = leaves.subspan(1);
        return leaf;
    }
    std::vector<Item> items;
    for (const TypeId element : declared->elements) {
        auto item = closedTuple(context, element, leaves, tuple);
        if (!item)
            return std::nullopt;
        items.push_back(std::move(*item));
    }
    return tuple(std::move(items), type);
}

} // namespace cutaway::ir
