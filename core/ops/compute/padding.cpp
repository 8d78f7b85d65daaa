// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/pad_arguments.h"
#include "core/ops/compute/places.h"
#include "core/ops/compute/rules.h"

namespace cutaway::compute {

namespace {

std::optional<double> paddingValue(const Call &call)
{
    if (!call.isOnnx())
        return call.facts().position({"value"}) ? call.number("value", "", 0) : std::optional(0.0);
    const Array *value = call.array(2);
    return value && value->count() == 1 ? floatsOf(*value).front() : value ? std::nullopt : call.number("", "value", 0);
}

} // namespace

/// Adds elements, or cuts them off where their number is negative.
Answer pad(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto mode = ops::padMode(call.facts());
    const auto padding = x ? std::optional(ops::paddingOf(call.facts(), x->shape.size())) : std::nullopt;
    const auto before = padding && *padding ? ops::numbers((*padding)->before) : std::nullopt;
    const auto value = paddingValue(call);
    const auto fill = x && value ? converted(filled(ir::DType::Float64, {}, *value), x->dtype) : std::nullopt;
    if (!before || !shape || !mode || !fill || shape->size() != x->shape.size())
        return std::nullopt;
    Array source = *x; // the elements, followed by the padding value
    std::visit(
        [&](auto &list) { list.push_back(std::get<std::remove_reference_t<decltype(list)>>(fill->elements).front()); },
        source.elements);
    const Sizes strides = stridesOf(x->shape), unit = stridesOf(*shape);
    Places places;
    for (std::int64_t i = 0; i < countOf(*shape); ++i) {
        std::int64_t place = 0;
        bool isInside = true;
        for (std::size_t d = 0; d < shape->size(); ++d) {
            const auto at = ops::paddedFrom(*mode, i / unit[d] % (*shape)[d] - (*before)[d], x->shape[d]);
            isInside = isInside && at;
            place += at.value_or(0) * strides[d];
        }
        if (!isInside && *mode != ops::PadMode::Constant)
            return std::nullopt;
        places.push_back(isInside ? place : static_cast<std::int64_t>(x->count()));
    }
    return answer(pickedAt(source, *shape, places));
}

} // namespace cutaway::compute
