// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace cutaway::ir {

/// Assembles the result of a call by its type: a method of TorchScript has a result for each leaf of the tuple that
/// it returns, while a call of it has the tuple. The leaves are taken from the front of `leaves`; tuple(items, type)
/// makes a tuple. Nothing if there are too few leaves.
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
