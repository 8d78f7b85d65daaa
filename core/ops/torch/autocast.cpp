// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/torch/autocast.h"

#include "core/ops/facts/promotion.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

bool isCast(const TensorFact &tensor)
{
    return tensor.dtype && isFloating(*tensor.dtype) && *tensor.dtype != ir::DType::Float64;
}

} // namespace

Autocast::Autocast(const Fact &kind, const Fact &dtype, const Fact &enabled)
    : device(kind.as<TextFact>() ? kind.as<TextFact>()->text : ""),
      isEnabled(asBool(enabled))
{
    const auto whole = asInt(dtype);
    const auto asked = whole ? number(*whole) : std::nullopt;
    const auto numbered = asked ? ir::dtypeFromNumber(*asked, ir::Numbering::C10) : std::nullopt;
    const auto *named = dtype.as<ir::DType>();
    const bool isHalf = device != "cpu" && device != "xla" && device != "hpu";
    lower = named ? *named : numbered.value_or(isHalf ? ir::DType::Float16 : ir::DType::BFloat16);
}

/// Operators that write to an argument are not cast.
CastTo castOf(const Autocast &autocast, const Call &call)
{
    if (autocast.isEnabled == false || call.dialect() != "aten" || call.overload().ends_with("out"))
        return CastTo::Nothing;
    std::string_view name = call.fullName();
    if (name == "pad") // "pad" calls one of three operators, depending on its mode
        name = call.text("mode") == "reflect"  ? "reflection_pad2d"
            : call.text("mode") == "replicate" ? "replication_pad2d"
                                               : "constant_pad_nd";
    const Operator *row = name.ends_with('_') ? nullptr : findOperator("aten", name);
    if (!row)
        return CastTo::Nothing;
    const CastTo to = autocast.device == "cpu" ? row->traits.cpuAutocast : row->traits.cudaAutocast;
    if (to == CastTo::Float32UnlessTyped)
        return call.has("dtype") ? CastTo::Nothing : CastTo::Float32;
    return to;
}

Fact cast(const Fact &fact, CastTo to, ir::DType lower, bool wide)
{
    if (const auto *list = fact.as<SequenceFact>()) {
        SequenceFact made = *list;
        for (Fact &item : made.each())
            item = cast(item, to, lower, wide);
        return made;
    }
    const TensorFact *tensor = asTensor(fact);
    if (!tensor || !isCast(*tensor) || to == CastTo::Nothing)
        return fact;
    TensorFact made = *tensor;
    if (to == CastTo::Unknown)
        made.dtype.reset();
    else
        made.dtype = to == CastTo::Float32 || (to == CastTo::Widest && wide) ? ir::DType::Float32 : lower;
    return made;
}

bool holdsFloat32(const Fact &fact)
{
    if (const auto *list = fact.as<SequenceFact>())
        return std::ranges::any_of(list->each(), holdsFloat32);
    const TensorFact *tensor = asTensor(fact);
    return tensor && tensor->dtype == ir::DType::Float32;
}

} // namespace cutaway::ops
