// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rules.h"

#include <cmath>

// The rules for copies, conversions and operators that do nothing outside of training. Where no writes are left, a
// tensor serves as its own copy.

namespace cutaway::rules::to_aten { // core ATen

namespace {

using D = Decomposition;

Parts itself(D &d) { return {d["self"]}; }

/// Converts to the result's dtype, for to.dtype and similar overloads.
Parts converted(D &d)
{
    const Term x = d["self"], format = d["memory_format"], device = d["device"];
    const ir::DType dtype = d.declaredDType();
    const bool reorders = !format.isNone() && format.operand != ir::Operand(ir::MemoryFormat::Preserve);
    if (!reorders && device.isNone() && d.call().flag("copy") != true && d.dtype(x) == dtype)
        return {x};
    return {d.make("_to_copy",
                   {x, {"dtype", dtype}, {"device", device}, {"memory_format", reorders ? format : d.term({})}})};
}

Parts contiguous(D &d)
{
    const Term x = d["self"], format = d["memory_format"];
    const bool isRowMajor = format.isNone() || format.operand == ir::Operand(ir::MemoryFormat::Contiguous);
    if (isRowMajor && d.isRowMajor(x))
        return {x};
    return {d.make("clone", {x, {"memory_format", isRowMajor ? ir::MemoryFormat::Contiguous : format.operand}})};
}

Parts dropout(D &d)
{
    const Term x = d["input"];
    if (!d.flag("train"))
        return {x};
    d.number("p");
    return {d.makeAll("native_dropout", {x, d["p"], true}, 2).front()};
}

/// Returns 1 for each element that is kept and 0 for others. They are drawn for each element, or with `ofChannels` for
/// each channel as a whole.
Term keptElements(D &d, double p, bool ofChannels)
{
    const auto x = d.tensor("input");
    if (!ir::isFloating(x.dtype) || (ofChannels && x.rank() < 2) || !(p > 0 && p < 1))
        d.refuse("it is of no floats or channels, or drops all of them");
    ir::Shape shape = x.shape;
    for (std::size_t i = 2; ofChannels && i < shape.size(); ++i)
        shape[i] = ops::one;
    const Term drawn = d.make("rand", {d.sizes(shape), {"dtype", ir::DType::Float32}, {"device", d.device()}});
    return cast(compared("lt", drawn, d.term(1 - p)), x.dtype);
}

/// Drops whole channels and scales the others up.
Parts dropoutOfChannels(D &d)
{
    const double p = d.flag("train") ? d.number("p") : 0;
    if (p == 0)
        return {d["input"]};
    return {d["input"] * (keptElements(d, p, true) / (1 - p))};
}

/// Makes an alpha dropout: dropped elements become selu's limit for very negative numbers; then a scale and a shift
/// restore mean and variance.
template <bool ofChannels>
Parts alphaDropout(D &d)
{
    const double p = d.flag("train") ? d.number("p") : 0;
    if (p == 0)
        return {d["input"]};
    const Term kept = keptElements(d, p, ofChannels);
    const double alpha = 1.7580993408473766; // alpha of SELU times its scale
    const double a = 1 / std::sqrt((alpha * alpha * p + 1) * (1 - p));
    const Term shift = (kept - 1) * (alpha * a) + alpha * a * p;
    return {d["input"] * (kept * a) + shift};
}

Parts item(D &d) { return {d.make("_local_scalar_dense", {d["self"]})}; }

constexpr DecompositionRule copyDecompositions[] = {
    {"aten::alpha_dropout", alphaDropout<false>},
    {"aten::contiguous", contiguous},
    {"aten::detach", itself},
    {"aten::dropout", dropout},
    {"aten::feature_alpha_dropout", alphaDropout<true>},
    {"aten::feature_dropout", dropoutOfChannels},
    {"aten::item", item},
    {"aten::lift_fresh", itself},
    {"aten::to", converted},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules {

Family copy() { return {.decompositions = to_aten::copyDecompositions}; }

} // namespace cutaway::rules
