// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/aliases.h"

#include "core/base/checked.h"
#include "core/base/overloaded.h"
#include "core/ops/facts/sequences.h"
#include "core/ops/program/container.h"

#include <algorithm>
#include <utility>

namespace cutaway::analysis {

namespace {

using ops::Fact;

constexpr std::size_t maxHolders = 8;
constexpr int maxHoldingDepth = 16;

/// Returns the item at a key or index; nullptr if it is not known which item that is, or there is none.
Fact *itemAt(Fact &container, const Fact &key)
{
    if (auto *dict = std::get_if<ops::DictFact>(&container.v)) {
        ops::DictFact::Entries *entries = dict->entries();
        for (std::size_t i = 0; entries && i + 1 < entries->size(); i += 2)
            if ((*entries)[i] == key)
                return &(*entries)[i + 1];
        return nullptr;
    }
    auto *sequence = std::get_if<ops::SequenceFact>(&container.v);
    const auto index = ops::asInt(key);
    const auto number = index ? ops::number(*index) : std::nullopt;
    ops::SequenceFact::Items *items = sequence ? sequence->items() : nullptr;
    if (!items || !number)
        return nullptr;
    const auto position = pythonIndex(*number, items->size());
    return position ? &(*items)[*position] : nullptr;
}

/// Notes that one of the items, it is not known which, may have become `value`: each item becomes the join of itself
/// and `value`.
void joinItems(Fact &container, const Fact &value)
{
    if (auto *dict = std::get_if<ops::DictFact>(&container.v)) {
        ops::DictFact::Entries *entries = dict->entries();
        for (std::size_t i = 1; entries && i < entries->size(); i += 2)
            (*entries)[i] = ops::join((*entries)[i], value);
        if (!entries)
            *dict = ops::dictOfAny(ops::join(ops::anyValue(*dict), value));
    } else if (auto *sequence = std::get_if<ops::SequenceFact>(&container.v))
        for (Fact &item : sequence->each())
            item = ops::join(item, value);
}

Fact indexed(std::size_t i) { return ops::intFact(static_cast<std::int64_t>(i)); }

/// Returns the container with `value` as the item at `key`.
Fact withItem(Fact container, const Fact &key, const Fact &value)
{
    if (Fact *item = itemAt(container, key))
        *item = value;
    else
        joinItems(container, value);
    return container;
}

} // namespace

bool isContainer(const Fact &fact)
{
    const auto *sequence = fact.as<ops::SequenceFact>();
    return (sequence && sequence->kind == ir::List::Kind::List) || fact.as<ops::DictFact>()
        || fact.as<ops::MaybeFact>();
}

void Aliases::add(ir::ValueId value, Holder holder)
{
    if (m_holders.count(value) < maxHolders)
        m_holders.emplace(value, std::move(holder));
}

void Aliases::add(const ir::Operand &operand, Holder holder, const Values &values)
{
    if (const auto *value = operand.as<ir::ValueId>(); value && isContainer(values.of(*value)))
        add(*value, std::move(holder));
}

void Aliases::addOf(const ir::NodeRef &node, const Values &values)
{
    using namespace ops::kind;
    const ops::OperatorKind kind = ops::kindOf(node);
    if (kind == dictionary || kind == listOf || kind == tupleOf)
        addItems(node, kind == dictionary, values);
    else if (kind == append || kind == setItem)
        addWritten(node, kind == append, values);
    else
        addTaken(node, kind, values);
}

/// Notes the items of a container that the node makes.
void Aliases::addItems(const ir::NodeRef &node, bool hasKeys, const Values &values)
{
    if (node->outputs.empty())
        return;
    for (std::size_t i = hasKeys ? 1 : 0; i < node->arguments.size(); i += hasKeys ? 2 : 1)
        add(node->arguments[i].value,
            ItemOf{node->outputs.front(), hasKeys ? values.of(node->arguments[i - 1].value) : indexed(i)}, values);
}

/// Notes the item that the node writes into a container.
void Aliases::addWritten(const ir::NodeRef &node, bool isAppended, const Values &values)
{
    const std::size_t item = isAppended ? 1 : 2;
    const auto *container = item < node->arguments.size() ? node->arguments[0].value.as<ir::ValueId>() : nullptr;
    if (!container)
        return;
    const Fact key = isAppended ? Fact(ops::intFact(ops::minus(ops::lengthOf(values.of(*container)), std::int64_t{1})))
                                : values.of(node->arguments[1].value);
    add(node->arguments[item].value, ItemOf{*container, key}, values);
}

/// Notes the item that the node takes out of a container, or the second name that it gives to a value.
void Aliases::addTaken(const ir::NodeRef &node, ops::OperatorKind kind, const Values &values)
{
    using namespace ops::kind;
    const auto *first = node->arguments.empty() ? nullptr : node->arguments[0].value.as<ir::ValueId>();
    if (!first || node->outputs.empty())
        return;
    if ((kind == getItem || kind == tupleIndex) && node->arguments.size() > 1)
        add(node->outputs.front(), ItemOf{*first, values.of(node->arguments[1].value)}, values);
    else if (kind == listUnpack || kind == tupleUnpack)
        for (std::size_t i = 0; i < node->outputs.size(); ++i)
            add(node->outputs[i], ItemOf{*first, indexed(i)}, values);
    else if (kind == uncheckedCast || kind == uncheckedUnwrap)
        add(node->outputs.front(), SameAs{*first}, values);
}

void Aliases::writeThrough(ir::ValueId value, Reached reached, Values &values, int depth) const
{
    const auto [begin, end] = m_holders.equal_range(value);
    if (depth > maxHoldingDepth)
        return;
    const auto isSame = [](const auto &entry) { return std::holds_alternative<SameAs>(entry.second); };
    // After branches the value is the same as one of its holders, and which one is not known.
    if (std::count_if(begin, end, isSame) > 1)
        reached = std::max(reached, Reached::Possibly);
    const auto writeTo = [&](ir::ValueId holder, Fact fact) {
        values.write(holder, std::move(fact), reached);
        writeThrough(holder, reached, values, depth + 1);
    };
    for (auto entry = begin; entry != end; ++entry)
        std::visit(Overloaded{[&](const SameAs &same) { writeTo(same.value, values.of(value)); },
                              [&](const ItemOf &item) {
                                  writeTo(item.container,
                                          withItem(values.of(item.container), item.key, values.of(value)));
                              },
                              [&](const AttributePath &path) { values.write(path, values.of(value), reached); }},
                   entry->second);
}

} // namespace cutaway::analysis
