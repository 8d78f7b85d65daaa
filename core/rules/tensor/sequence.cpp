// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rules.h"

#include <algorithm>

// Where an element is taken out of a sequence, readers get the tensor that was put in, if all nodes that made the
// sequence are known.

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;
using Items = std::vector<Term>;

/// Returns the input at `position` of `maker`, a node that makes an operand of the rule's node.
Term inputOf(N &n, const Node &maker, std::size_t position)
{
    const ir::Operand *given = maker.operand(position);
    return n.term(given ? *given : ir::Operand());
}

std::optional<Items> itemsIn(N &n, const ir::Operand *sequence);

/// Returns the parts into which `split`, a SplitToSequence, splits its input. They have the given sizes, or one size
/// for all but the last part. Without sizes each part has one element, and loses the dimension if `keepdims` is 0.
/// Nothing if the sizes are not known.
std::optional<Items> splitItems(N &n, Node &split)
{
    const Term whole = inputOf(n, split, 0);
    const Node::Tensor x = split.tensor(0);
    const std::int64_t dim = split.has("axis") ? split.axis("axis", x.rank()) : 0;
    const auto size = x.rank() > 0 ? ops::number(x.shape[static_cast<std::size_t>(dim)]) : std::nullopt;
    if (split.isRefused() || !size)
        return std::nullopt;
    Items items;
    if (!split.has(1) && split.integer("keepdims", 1) == 0) {
        for (std::int64_t i = 0; i < *size; ++i)
            items.push_back(n.make("select.int", {whole, dim, i}));
        return items;
    }
    const auto given = split.has(1) ? split.knownIntegers(1) : std::optional(N::Numbers{1});
    const auto sizes = split.knownTensor(1);
    const bool isEqual = given && given->size() == 1 && (!sizes || sizes->rank() == 0);
    if (!given || (isEqual && given->front() < 1))
        return std::nullopt;
    std::int64_t start = 0;
    for (std::size_t i = 0; isEqual ? start < *size : i < given->size(); ++i) {
        const std::int64_t part = isEqual ? std::min(given->front(), *size - start) : (*given)[i];
        items.push_back(n.make("narrow", {whole, dim, start, part}));
        start += part;
    }
    return items;
}

/// Returns the items of the sequence after `insert`: those before it and one more, at the end or at a position that
/// counts from either end. Nothing if they are not known.
std::optional<Items> insertedItems(N &n, const Node &insert)
{
    auto items = itemsIn(n, insert.operand(0));
    if (!items)
        return std::nullopt;
    const auto count = std::ssize(*items);
    const auto given = insert.has(2) ? insert.knownIntegers(2) : std::optional(N::Numbers{count});
    std::int64_t place = given && given->size() == 1 ? given->front() : count + 1;
    place += place < 0 ? count : 0;
    if (place < 0 || place > count)
        return std::nullopt;
    items->insert(items->begin() + place, inputOf(n, insert, 1));
    return items;
}

std::optional<Items> itemsIn(N &n, const ir::Operand *sequence)
{
    auto maker = n.makerOf(sequence);
    const std::string_view op = maker ? maker->node().opName() : std::string_view();
    if (op == "SplitToSequence")
        return splitItems(n, *maker);
    if (op == "SequenceInsert")
        return insertedItems(n, *maker);
    if (op != "SequenceConstruct")
        return std::nullopt;
    Items items;
    for (std::size_t i = 0; i < maker->inputCount(); ++i)
        items.push_back(inputOf(n, *maker, i));
    return items;
}

Parts sequenceAt(N &n)
{
    const auto items = itemsIn(n, n.operand(0));
    const auto given = n.knownIntegers(1);
    if (!items || !given || given->size() != 1)
        return {};
    const auto count = static_cast<std::int64_t>(items->size());
    const std::int64_t place = given->front() + (given->front() < 0 ? count : 0);
    return place >= 0 && place < count ? Parts{(*items)[static_cast<std::size_t>(place)]} : Parts{};
}

Parts sequenceLength(N &n)
{
    const auto items = itemsIn(n, n.operand(0));
    return items ? Parts{n.scalar(static_cast<std::int64_t>(items->size()), ir::DType::Int64)} : Parts{};
}

Parts concatFromSequence(N &n)
{
    const auto items = itemsIn(n, n.operand(0));
    const bool isStack = n.integer("new_axis", 0) != 0;
    if (!items || items->empty() || !n.has("axis"))
        return {};
    return {n.make(isStack ? AtenName("stack") : AtenName("cat"), {N::list(*items), n.integer("axis", 0)})};
}

/// Returns the node that makes the input, if that node is an Optional.
std::optional<Node> optionalOf(N &n)
{
    auto maker = n.makerOf(n.operand(0));
    const std::string_view op = maker ? maker->node().opName() : std::string_view();
    return op == "Optional" ? std::move(maker) : std::nullopt;
}

/// Returns the element that the Optional was made of; torch has no type for an element that may be missing.
Parts givenElement(N &n)
{
    const auto maker = optionalOf(n);
    if (maker)
        return maker->has(0) ? Parts{inputOf(n, *maker, 0)} : Parts{};
    return n.knownTensor(0) ? Parts{n[0]} : Parts{};
}

Parts isGiven(N &n)
{
    const auto maker = optionalOf(n);
    if (maker)
        return {n.scalar(maker->has(0), ir::DType::Bool)};
    return n.knownTensor(0) ? Parts{n.scalar(true, ir::DType::Bool)} : Parts{};
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
