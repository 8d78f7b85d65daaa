// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/subscript.h"

#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/size_algebra.h"
#include "core/ops/tensor/indexing.h"

#include <limits>
#include <utility>

namespace cutaway::ops {

namespace {

constexpr std::int64_t behindAll = std::numeric_limits<std::int64_t>::max();

bool isEllipsis(const Fact &item)
{
    const auto *text = item.as<TextFact>();
    return text && text->text == "...";
}

/// Returns the number of dimensions that an item of the subscript indexes; a mask indexes one for each of its own.
std::size_t dimensionsOf(const Fact &item)
{
    if (item.as<NoneFact>() || isEllipsis(item))
        return 0;
    const TensorFact *index = asTensor(item);
    const bool isMask = index && index->dtype == ir::DType::Bool && index->shape;
    return isMask ? index->shape->size() : 1;
}

/// Returns the entry `name` of a slice, or its default; an unknown size if it is not known.
ir::Dim border(const DictFact &slice, std::string_view name, std::int64_t byDefault)
{
    const DictFact::Entries *entries = slice.entries();
    if (!entries)
        return ir::UnknownDim{};
    for (std::size_t i = 0; i + 1 < entries->size(); i += 2)
        if (const auto *key = (*entries)[i].as<TextFact>(); key && key->text == name)
            return asInt((*entries)[i + 1]).value_or(ir::UnknownDim{});
    return byDefault;
}

ir::Dim sliced(const ir::Dim &size, const DictFact &part)
{
    const auto step = number(border(part, "step", 1));
    if (!step || *step <= 0)
        return ir::UnknownDim{};
    return slice(size, border(part, "start", 0), border(part, "stop", behindAll), *step).length;
}

std::vector<Fact> subscriptItems(const Fact &subscript)
{
    const auto *tuple = subscript.as<SequenceFact>();
    const bool isExact = tuple && tuple->items() && tuple->kind == ir::List::Kind::Tuple;
    return isExact ? *tuple->items() : SequenceFact::Items{subscript};
}

} // namespace

Answer subscript(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    const std::vector<Fact> items = subscriptItems(call[1u]);
    std::size_t taken = 0;
    for (const Fact &item : items)
        taken += dimensionsOf(item);
    ir::Shape shape = *tensor->shape;
    if (taken > shape.size())
        return wrong("a subscript of " + std::to_string(taken) + " dimensions of " + ir::print(shape));
    std::size_t skipped = shape.size() - taken;
    std::vector<Fact> indices; // an index or None for each dimension that slices and numbers leave
    bool hasIndex = false;
    std::size_t at = 0;
    const auto pass = [&](std::size_t dims) {
        at += dims;
        indices.resize(indices.size() + dims, NoneFact{});
    };
    for (const Fact &item : items) {
        const auto *scalar = item.as<NumberFact>();
        const auto place = shape.begin() + static_cast<std::ptrdiff_t>(at);
        if (item.as<NoneFact>()) {
            shape.insert(place, std::int64_t{1});
            pass(1);
        } else if (isEllipsis(item)) {
            pass(std::exchange(skipped, 0));
        } else if (const auto *part = item.as<DictFact>()) {
            shape[at] = sliced(shape[at], *part);
            pass(1);
        } else if (scalar && scalar->kind == NumberFact::Kind::Int) {
            shape.erase(place);
        } else if (asTensor(item)) {
            indices.push_back(item);
            at += dimensionsOf(item);
            hasIndex = true;
        } else {
            return onlyDType(call, "subscript unknown");
        }
    }
    const TensorFact rest = tensorFact(tensor->dtype, std::move(shape));
    return hasIndex ? indexed(call, rest, listFact(std::move(indices))) : Answer{rest};
}

} // namespace cutaway::ops
