// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation.h"
#include "core/ops/facts/sequences.h"

#include <algorithm>
#include <utility>

// Lists and dictionaries go by reference: what is appended to a list that was taken from a dictionary is in the
// dictionary too. For a value that is one, m_origins says where else it is held, and what writes to the value writes
// there. Only containers are followed; that several tensors share their elements is of no account for their shapes.

namespace cutaway::analysis {

namespace {

using ops::Fact;

constexpr std::size_t maxOrigins = 8;
constexpr int maxHoldingDepth = 16;

bool isContainer(const Fact &fact)
{
    const auto *sequence = fact.as<ops::SequenceFact>();
    return (sequence && sequence->kind == ir::List::Kind::List) || fact.as<ops::DictFact>()
        || fact.as<ops::MaybeFact>();
}

/// Which item a key means, if there is one.
Fact *itemAt(Fact &container, const Fact &key)
{
    if (auto *dict = std::get_if<ops::DictFact>(&container.v)) {
        for (std::size_t i = 0; dict->entries && i + 1 < dict->entries->size(); i += 2)
            if ((*dict->entries)[i] == key)
                return &(*dict->entries)[i + 1];
        return nullptr;
    }
    auto *sequence = std::get_if<ops::SequenceFact>(&container.v);
    const auto index = ops::asInt(key);
    const auto at = index ? ops::number(*index) : std::nullopt;
    if (!sequence || sequence->length || !at)
        return nullptr;
    const std::int64_t count = std::ssize(sequence->items);
    const std::int64_t place = *at < 0 ? *at + count : *at;
    return place >= 0 && place < count ? &sequence->items[static_cast<std::size_t>(place)] : nullptr;
}

/// A container in which some item became `value`: each may be that.
void joinItems(Fact &container, const Fact &value)
{
    if (auto *dict = std::get_if<ops::DictFact>(&container.v)) {
        for (std::size_t i = 1; dict->entries && i < dict->entries->size(); i += 2)
            (*dict->entries)[i] = ops::join((*dict->entries)[i], value);
        dict->value.front() = ops::join(dict->value.front(), value);
    } else if (auto *sequence = std::get_if<ops::SequenceFact>(&container.v))
        for (Fact &item : sequence->items)
            item = ops::join(item, value);
}

} // namespace

/// Notes where else the container is held that a value is.
void Propagation::alias(const ir::Operand &operand, Origin origin)
{
    const auto *value = operand.as<ir::ValueId>();
    if (value && isContainer(of(*value)) && m_origins.count(*value) < maxOrigins)
        m_origins.emplace(*value, std::move(origin));
}

/// What a node puts into containers and takes out of them.
void Propagation::noteAliases(const ir::NodeRef &node)
{
    const auto holds = [this](const ir::Operand &operand) {
        const auto *value = operand.as<ir::ValueId>();
        return value && isContainer(of(*value));
    };
    if (!std::ranges::any_of(node->outputs, holds)
        && !std::ranges::any_of(node->arguments, holds, &ir::Argument::value))
        return;
    ++m_inference.accesses;
    const std::string_view name = node.opName();
    const auto argument = [&](std::size_t i) -> const ir::Operand & { return node->arguments[i].value; };
    const auto *first = node->arguments.empty() ? nullptr : argument(0).as<ir::ValueId>();
    if (name.ends_with("Construct") && !node->outputs.empty()) {
        const bool isDict = name == "DictConstruct";
        for (std::size_t i = isDict; i < node->arguments.size(); i += isDict ? 2 : 1)
            alias(argument(i),
                  Item{node->outputs.front(),
                       isDict ? of(argument(i - 1)) : Fact(ops::intFact(static_cast<std::int64_t>(i)))});
    } else if (!first)
        return;
    else if (name == "append" && node->arguments.size() > 1)
        alias(argument(1), Item{*first, ops::intFact(ops::minus(ops::lengthOf(of(*first)), std::int64_t{1}))});
    else if (name == "_set_item" && node->arguments.size() > 2)
        alias(argument(2), Item{*first, of(argument(1))});
    else if ((name == "__getitem__" || name == "TupleIndex") && node->arguments.size() > 1 && !node->outputs.empty())
        alias(node->outputs.front(), Item{*first, of(argument(1))});
    else if (name.ends_with("Unpack"))
        for (std::size_t i = 0; i < node->outputs.size(); ++i)
            alias(node->outputs[i], Item{*first, ops::intFact(static_cast<std::int64_t>(i))});
    else if (name.starts_with("unchecked_") && !node->outputs.empty())
        alias(node->outputs.front(), Same{*first});
}

/// Writes to whatever holds the container that this value is.
void Propagation::writeThrough(ir::ValueId value, int depth)
{
    const auto [begin, end] = m_origins.equal_range(value);
    if (begin == end || depth > maxHoldingDepth)
        return;
    const auto isSame = [](const auto &origin) { return std::holds_alternative<Same>(origin.second); };
    const bool isOneOfSeveral = std::count_if(begin, end, isSame) > 1; // what branches give
    const Runs around = std::exchange(m_runs, isOneOfSeveral ? std::max(m_runs, Runs::Perhaps) : m_runs);
    for (auto held = begin; held != end; ++held) {
        const Fact written = of(value);
        if (const auto *same = std::get_if<Same>(&held->second)) {
            writeTo(same->value, written);
            writeThrough(same->value, depth + 1);
        } else if (const auto *attribute = std::get_if<Attribute>(&held->second)) {
            write(this->attribute(attribute->object, attribute->path), written);
        } else {
            const auto &item = std::get<Item>(held->second);
            Fact container = of(item.container);
            if (Fact *place = itemAt(container, item.key))
                *place = written;
            else
                joinItems(container, written);
            writeTo(item.container, std::move(container));
            writeThrough(item.container, depth + 1);
        }
    }
    m_runs = around;
}

} // namespace cutaway::analysis
