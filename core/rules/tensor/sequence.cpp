// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rules.h"

#include <algorithm>
#include <array>

// An element that is taken out of a sequence is the one that was put in, where all that made the sequence is known.

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;
using Items = std::vector<Term>;

std::optional<Items> itemsOf(N &n, std::size_t position);

/// The parts that the input is split into: of the given sizes, or of one size for all but the last; without sizes each
/// has one element, and loses the dimension if `keepdims` is 0.
std::optional<Items> splitItems(N &n)
{
    const auto axis = n.dimension(n.integer("axis", 0));
    const auto x = n.tensor(0);
    const auto size = axis ? ops::number(x->shape[*axis]) : std::nullopt;
    if (!size)
        return std::nullopt;
    const auto dim = static_cast<std::int64_t>(*axis);
    Items items;
    if (!n.has(1) && n.integer("keepdims", 1) == 0) {
        for (std::int64_t i = 0; i < *size; ++i)
            items.push_back(n.d.make("select.int", {n.input(0), dim, i}));
        return items;
    }
    const auto given = n.has(1) ? n.elements(1) : std::optional(N::Numbers{1});
    const auto sizes = n.tensor(1);
    const bool isEqual = given && given->size() == 1 && (!sizes || sizes->rank() == 0);
    if (!given || (isEqual && given->front() < 1))
        return std::nullopt;
    std::int64_t start = 0;
    for (std::size_t i = 0; isEqual ? start < *size : i < given->size(); ++i) {
        const std::int64_t part = isEqual ? std::min(given->front(), *size - start) : (*given)[i];
        items.push_back(n.d.make("narrow", {n.input(0), dim, start, part}));
        start += part;
    }
    return items;
}

/// With one more item, at the end or at a place that is counted from either end.
std::optional<Items> insertedItems(N &n)
{
    auto items = itemsOf(n, 0);
    if (!items || !n.has(2)) {
        if (items)
            items->push_back(n.input(1));
        return items;
    }
    const auto given = n.elements(2);
    const auto count = static_cast<std::int64_t>(items->size());
    std::int64_t place = given && given->size() == 1 ? given->front() : count + 1;
    place += place < 0 ? count : 0;
    if (place < 0 || place > count)
        return std::nullopt;
    items->insert(items->begin() + place, n.input(1));
    return items;
}

std::optional<Items> itemsOf(N &n, std::size_t position)
{
    auto maker = n.maker(position);
    if (!maker)
        return std::nullopt;
    if (maker->name() == "SplitToSequence")
        return splitItems(*maker);
    if (maker->name() == "SequenceInsert")
        return insertedItems(*maker);
    if (maker->name() != "SequenceConstruct")
        return std::nullopt;
    Items items;
    for (std::size_t i = 0; i < maker->inputCount(); ++i)
        items.push_back(maker->input(i));
    return items;
}

Parts sequenceAt(N &n)
{
    const auto items = itemsOf(n, 0);
    const auto given = n.elements(1);
    if (!items || !given || given->size() != 1)
        return {};
    const auto count = static_cast<std::int64_t>(items->size());
    const std::int64_t place = given->front() + (given->front() < 0 ? count : 0);
    return place >= 0 && place < count ? Parts{(*items)[static_cast<std::size_t>(place)]} : Parts{};
}

Parts sequenceLength(N &n)
{
    const auto items = itemsOf(n, 0);
    return items ? Parts{n.d.scalar(static_cast<std::int64_t>(items->size()), ir::DType::Int64)} : Parts{};
}

Parts concatFromSequence(N &n)
{
    const auto items = itemsOf(n, 0);
    const bool isStack = n.integer("new_axis", 0) != 0;
    if (!items || items->empty() || !n.hasAttribute("axis"))
        return {};
    return {n.d.make(isStack ? AtenName("stack") : AtenName("cat"), {AtenMaker::list(*items), n.integer("axis", 0)})};
}

/// The element that Optional was made of; torch has no type for an element that may be missing.
Parts givenElement(N &n)
{
    auto maker = n.maker(0);
    if (maker && maker->name() == "Optional")
        return maker->has(0) ? Parts{maker->input(0)} : Parts{};
    return n.tensor(0) ? Parts{n.input(0)} : Parts{};
}

Parts isGiven(N &n)
{
    auto maker = n.maker(0);
    if (maker && maker->name() == "Optional")
        return {n.d.scalar(maker->has(0), ir::DType::Bool)};
    return n.tensor(0) ? Parts{n.d.scalar(true, ir::DType::Bool)} : Parts{};
}

constexpr OnnxLowering sequenceLowerings[] = {
    {"onnx::ConcatFromSequence", concatFromSequence},
    {"onnx::OptionalGetElement", givenElement},
    {"onnx::OptionalHasElement", isGiven},
    {"onnx::SequenceAt", sequenceAt},
    {"onnx::SequenceLength", sequenceLength},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules {

Family sequence() { return {.fromOnnx = to_aten::sequenceLowerings}; }

} // namespace cutaway::rules
