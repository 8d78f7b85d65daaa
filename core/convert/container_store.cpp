// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/container_store.h"

#include "core/ir/argument.h"

#include <algorithm>

namespace cutaway::convert {

using ir::Operand;
using ir::ValueId;

Container::Item *Container::find(const ops::Fact &name)
{
    const auto found = std::ranges::find(items, name, &Item::name);
    return found == items.end() ? nullptr : &*found;
}

void ContainerStore::clear()
{
    m_containers.clear();
    m_same.clear();
    m_hasForgotten = false;
}

void ContainerStore::add(ValueId value, Container container)
{
    const bool isForgotten = m_forgotten.contains(value);
    const auto added = m_containers.insert_or_assign(value, std::move(container)).first;
    if (!isForgotten)
        return;
    const std::vector<Container::Item> items = std::move(added->second.items);
    m_containers.erase(added);
    for (const Container::Item &item : items)
        forget(item.value);
}

void ContainerStore::alias(ValueId value, const Operand &operand) { m_same.insert_or_assign(value, resolved(operand)); }

Operand ContainerStore::resolved(const Operand &operand) const
{
    return ir::withValues(operand, [this](ValueId value) -> Operand {
        const auto same = m_same.find(value);
        return same == m_same.end() ? value : same->second;
    });
}

Container *ContainerStore::of(const Operand &operand)
{
    const Operand same = resolved(operand);
    const auto *value = same.as<ValueId>();
    const auto found = value ? m_containers.find(*value) : m_containers.end();
    return found == m_containers.end() ? nullptr : &found->second;
}

std::optional<std::vector<Operand>> ContainerStore::itemsOf(const Operand &operand)
{
    const Operand same = resolved(operand);
    if (const auto *list = same.as<ir::List>())
        return std::vector<Operand>(list->items.begin(), list->items.end());
    const Container *container = of(same);
    if (!container || !container->isSequence())
        return std::nullopt;
    std::vector<Operand> items;
    for (const Container::Item &item : container->items)
        items.push_back(item.value);
    return items;
}

Container *ContainerStore::written(const Operand &container, ir::RegionId where, const Operand &item)
{
    Container *known = of(container);
    if (!known)
        return nullptr;
    const ValueId value = *resolved(container).as<ValueId>();
    if (known->home != where || std::ranges::contains(reached(item), value)) {
        forget(value);
        forget(item);
        return nullptr;
    }
    m_written.insert(value);
    return known;
}

void ContainerStore::forget(const Operand &operand)
{
    for (const ValueId value : reached(operand)) {
        m_forgotten.insert(value);
        m_containers.erase(value);
        m_hasForgotten = true;
    }
}

std::vector<ValueId> ContainerStore::reached(const Operand &operand)
{
    struct Open {
        ValueId value;
        bool isBegun = false;
    };
    std::vector<Open> open;
    std::vector<ValueId> found;
    std::unordered_set<ValueId> seen;
    const auto push = [&](const Operand &each) {
        ir::forEachValue(resolved(each), [&](ValueId value) {
            if (m_containers.contains(value) && !seen.contains(value))
                open.push_back({value});
        });
    };
    push(operand);
    while (!open.empty()) {
        const auto [value, isBegun] = open.back();
        if (isBegun || !seen.insert(value).second) {
            if (isBegun)
                found.push_back(value);
            open.pop_back();
            continue;
        }
        open.back().isBegun = true;
        for (const Container::Item &item : m_containers.at(value).items)
            push(item.value);
    }
    return found;
}

} // namespace cutaway::convert
