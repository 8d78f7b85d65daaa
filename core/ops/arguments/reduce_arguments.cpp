// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/reduce_arguments.h"

#include "core/base/result.h"
#include "core/ops/facts/moved_elements.h"

namespace cutaway::ops {

OrDoubt<std::vector<bool>> ReduceArguments::reducedDimensions(std::size_t rank) const
{
    if (!axes)
        return unknown("dimensions unknown");
    const auto *listed = std::get_if<std::vector<ir::Dim>>(&*axes);
    std::vector<bool> reduced(rank, !listed);
    for (const ir::Dim &dim : listed ? *listed : std::vector<ir::Dim>()) {
        CUTAWAY_TRY(const std::size_t found, axis(intFact(dim), rank));
        if (found < rank) // a scalar counts as a vector of one element
            reduced[found] = true;
    }
    return reduced;
}

namespace {

/// Reads the axes: None stands for all; an empty list for all if `emptyIsAll`, or else for none.
void takeAxes(const Fact &fact, bool emptyIsAll, ReduceArguments &made)
{
    auto listed = asInts(fact);
    if (fact.as<NoneFact>() || (listed && listed->empty() && emptyIsAll))
        made.axes = ReduceArguments::AllAxes{};
    else if (listed)
        made.axes = std::move(*listed);
}

/// Reads a reduction of ONNX. `axes` is an attribute, and an input since opset 13 (ReduceSum) or 18 (the others).
ReduceArguments onnxReduction(const Call &call)
{
    ReduceArguments made;
    made.keepDim = call.flag("keepdims").value_or(true);
    if (call.name().starts_with("Arg")) {
        made.axes = std::vector<ir::Dim>{call.integer("axis").value_or(0)};
        made.selectLastIndex = call.flag("select_last_index").value_or(false);
        return made;
    }
    const bool doesNothing = call.flag("noop_with_empty_axes").value_or(false);
    const Fact &attribute = call["axes"];
    const bool isAttribute = !attribute.as<NoneFact>() || call.dialect() == "com.microsoft";
    const Fact &axes = isAttribute ? attribute : call[1u];
    if (axes.as<NoneFact>() && doesNothing)
        made.axes = std::vector<ir::Dim>();
    else
        takeAxes(axes, !doesNothing, made);
    const TensorFact *tensor = asTensor(axes);
    if (tensor && tensor->shape && tensor->shape->size() == 1)
        made.axisCount = number(tensor->shape->front());
    return made;
}

/// Whether an empty list stands for no axes: in prims, all.dims and any.dims.
bool takesEmptyAsNone(const Call &call)
{
    return call.dialect() == "prims" || ((call.name() == "all" || call.name() == "any") && call.overload() == "dims");
}

ReduceArguments torchReduction(const Call &call)
{
    ReduceArguments made;
    takeAxes(call.any({"dim", "dims"}), !takesEmptyAsNone(call), made);
    if (call.has("keepdim"))
        made.keepDim = call.flag("keepdim");
    const std::string_view dtype = call.dialect() == "prims" ? "output_dtype" : "dtype";
    if (call.has(dtype))
        made.dtype = call.dtype(dtype);
    return made;
}

} // namespace

ReduceArguments reduceArguments(const Call &call)
{
    ReduceArguments made = call.isOnnx() ? onnxReduction(call) : torchReduction(call);
    made.input = 0;
    return made;
}

} // namespace cutaway::ops
