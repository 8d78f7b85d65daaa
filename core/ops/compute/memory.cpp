// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/memory.h"

#include <algorithm>

namespace cutaway::compute {

namespace {

bool goesByReference(const ops::Fact &fact)
{
    return fact.as<ops::SequenceFact>() || fact.as<ops::DictFact>() || ops::isObject(fact);
}

/// Returns the elements of the memory at these places; all of them without places.
ir::Numbers seen(const Memory &memory, const std::vector<std::int64_t> *places)
{
    if (!places)
        return memory.elements;
    return std::visit(
        [&](const auto &all) -> ir::Numbers {
            std::remove_cvref_t<decltype(all)> result;
            result.reserve(places->size());
            for (const std::int64_t place : *places)
                result.push_back(all[static_cast<std::size_t>(place)]);
            return result;
        },
        memory.elements);
}

void keep(Memory &memory, const ir::Numbers &all)
{
    if (!memory.isKept)
        memory.elements = all;
    memory.isKept = true;
}

} // namespace

void giveOwnPlaces(Value &value)
{
    if (auto *array = std::get_if<Array>(&value.v)) {
        if (!array->lies)
            array->lies = std::make_shared<Placement>(std::make_shared<Memory>());
        return;
    }
    if (auto *items = std::get_if<Values>(&value.v))
        std::ranges::for_each(*items, giveOwnPlaces);
    const auto *fact = value.as<ops::Fact>();
    if (value.container || (fact && !goesByReference(*fact)))
        return;
    value.container = std::make_shared<Container>();
    value.container->now.v = value.v;
}

void renew(Array &array)
{
    bool isReshaped = false;
    for (; array.lies && array.lies->reshaped; isReshaped = true) {
        const std::shared_ptr<const Reshaped> now = array.lies->reshaped;
        array.shape = now->shape;
        array.lies = now->lies;
    }
    if (!array.lies || (!isReshaped && array.writesSeen == array.lies->memory->writes))
        return;
    array.elements = seen(*array.lies->memory, array.lies->places.get());
    array.writesSeen = array.lies->memory->writes;
}

void renew(Value &value)
{
    if (value.container && value.writesSeen != value.container->writes) {
        value.v = value.container->now.v;
        value.writesSeen = value.container->writes;
    }
    if (auto *array = std::get_if<Array>(&value.v))
        renew(*array);
    else if (auto *items = std::get_if<Values>(&value.v))
        for (Value &item : *items)
            renew(item);
}

Array placedWithin(const Array &base, std::vector<std::int64_t> places, Array view)
{
    const Placement &around = *base.lies;
    if (!around.places)
        keep(*around.memory, base.elements);
    else
        for (std::int64_t &place : places)
            place = (*around.places)[static_cast<std::size_t>(place)];
    view.lies = std::make_shared<const Placement>(around.memory,
                                                  std::make_shared<const std::vector<std::int64_t>>(std::move(places)),
                                                  view.lies ? view.lies->strides : nullptr);
    view.writesSeen = around.memory->writes;
    return view;
}

bool reshapeInPlace(const Array &target, std::vector<std::int64_t> places, Array now)
{
    if (!target.lies || target.lies->isPerhapsAnother)
        return false;
    const Array placed = placedWithin(target, std::move(places), std::move(now));
    target.lies->reshaped = std::make_shared<const Reshaped>(placed.shape, placed.lies);
    return true;
}

bool write(const Array &target, const ir::Numbers &elements)
{
    if (!target.lies || target.lies->memory->isShared || target.elements.index() != elements.index())
        return false;
    Memory &memory = *target.lies->memory;
    if (!target.lies->places) {
        memory.elements = elements;
        memory.isKept = true;
    } else {
        std::visit(
            [&](const auto &list) {
                auto &all = std::get<std::remove_cvref_t<decltype(list)>>(memory.elements);
                for (std::size_t i = 0; i < list.size(); ++i)
                    all[static_cast<std::size_t>((*target.lies->places)[i])] = list[i];
            },
            elements);
    }
    ++memory.writes;
    return true;
}

bool write(const Value &target, Value now)
{
    if (!target.container || target.container->isShared)
        return false;
    target.container->now.v = std::move(now.v);
    ++target.container->writes;
    return true;
}

void noteShared(const Value &value)
{
    if (value.container)
        value.container->isShared = true;
    if (const auto *items = value.as<Values>())
        std::ranges::for_each(*items, noteShared);
}

} // namespace cutaway::compute
