// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/places.h"
#include "core/ops/special/rules.h"

#include <array>

namespace cutaway::compute {

namespace {

/// The pairs of two tensors of texts that are broadcast to one shape.
struct TextPairs {
    Sizes shape;
    std::vector<std::pair<const std::string *, const std::string *>> each;
};

std::optional<Sizes> sizesOfTexts(const Value *value)
{
    const auto *fact = value ? value->as<ops::Fact>() : nullptr;
    const ops::TensorFact *tensor = fact ? ops::asTensor(*fact) : nullptr;
    Sizes sizes;
    for (const ir::Dim &dim : tensor && tensor->shape ? *tensor->shape : ir::Shape{ir::UnknownDim{}}) {
        if (!ops::number(dim))
            return std::nullopt;
        sizes.push_back(*ops::number(dim));
    }
    return sizes;
}

/// For each element of a shape where it lies in a tensor that is broadcast to it.
Places placesIn(const Sizes &shape, const Sizes &own)
{
    const Sizes strides = stridesOf(own);
    Sizes steps(shape.size(), 0);
    for (std::size_t d = 0; d < own.size(); ++d)
        steps[shape.size() - own.size() + d] = own[d] == 1 ? 0 : strides[d];
    Places places;
    forEachPlace(shape, steps, 0, [&](std::int64_t place) { places.push_back(place); });
    return places;
}

std::optional<TextPairs> textPairs(const Call &call)
{
    const std::vector<std::string> *a = textsOf(call.value(std::size_t{0})), *b = textsOf(call.value(std::size_t{1}));
    const auto left = sizesOfTexts(call.value(std::size_t{0})), right = sizesOfTexts(call.value(std::size_t{1}));
    if (!a || !b || !left || !right)
        return std::nullopt;
    const auto shape = broadcastShape(std::array{*left, *right});
    if (!shape)
        return std::nullopt;
    const Places first = placesIn(*shape, *left), second = placesIn(*shape, *right);
    TextPairs pairs{*shape, {}};
    for (std::size_t i = 0; i < first.size(); ++i)
        pairs.each.emplace_back(&(*a)[static_cast<std::size_t>(first[i])], &(*b)[static_cast<std::size_t>(second[i])]);
    return pairs;
}

} // namespace

const std::vector<std::string> *textsOf(const Value *value)
{
    const auto *fact = value ? value->as<ops::Fact>() : nullptr;
    const ops::TensorFact *tensor = fact ? ops::asTensor(*fact) : nullptr;
    return tensor ? tensor->texts.get() : nullptr;
}

Answer joinedTexts(const Call &call)
{
    const auto pairs = textPairs(call);
    if (!pairs)
        return std::nullopt;
    std::vector<std::string> texts;
    for (const auto &[a, b] : pairs->each)
        texts.push_back(*a + *b);
    return Values{
        Value(ops::Fact(ops::textTensor(ir::Shape(pairs->shape.begin(), pairs->shape.end()), std::move(texts))))};
}

} // namespace cutaway::compute
