// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition_rules.h"

#include <limits>

namespace cutaway::passes {

namespace {

using D = Decomposition;

Parts bitwise(D &d, std::string_view function) { return {compared(function, d["self"], d["other"])}; }

Parts whereNumbers(D &d)
{
    if (d.resultCount() != 1 || !d.has("self"))
        return {};
    const ir::DType dtype = d.dtype(d.resultValue());
    const auto tensorOf = [&](const Term &x) { return d.isTensor(x) ? d.cast(x, dtype) : d.scalar(x, dtype); };
    return {where(d["condition"], tensorOf(d["self"]), tensorOf(d["other"]))};
}

std::optional<double> largestOf(ir::DType dtype)
{
    switch (dtype) {
    case ir::DType::Float16:
        return 65504;
    case ir::DType::BFloat16:
        return 0x1.FEp127;
    case ir::DType::Float32:
        return std::numeric_limits<float>::max();
    case ir::DType::Float64:
        return std::numeric_limits<double>::max();
    default:
        return std::nullopt;
    }
}

Parts nanToNum(D &d)
{
    const Term x = d["self"];
    const ir::DType dtype = d.dtype(x);
    if (!ir::isFloating(dtype))
        return {};
    const auto largest = largestOf(dtype);
    const auto bound = [&](std::string_view name, std::optional<double> standard) {
        return d.has(name) ? d.number(name) : standard;
    };
    const auto nan = bound("nan", 0.0), top = bound("posinf", largest),
               bottom = bound("neginf", largest ? std::optional(-*largest) : std::nullopt);
    if (!nan || !top || !bottom)
        return {};
    const double infinity = std::numeric_limits<double>::infinity();
    const Term noNan = where(applied("isnan", x), d.scalar(*nan, dtype), x);
    const Term noTop = where(compared("eq", x, d.term(infinity)), d.scalar(*top, dtype), noNan);
    return {where(compared("eq", x, d.term(-infinity)), d.scalar(*bottom, dtype), noTop)};
}

/// max.other and min.other: those of two tensors. PyTorch leaves what is of one.
Parts ofTwo(D &d, std::string_view function)
{
    return d.isTensor(d["other"]) ? Parts{d.make(function, {d["self"], d["other"]})} : Parts{};
}

constexpr DecompositionRule arithmeticRules[] = {
    {"aten::__and__", [](D &d) { return bitwise(d, "bitwise_and"); }},
    {"aten::__or__", [](D &d) { return bitwise(d, "bitwise_or"); }},
    {"aten::__xor__", [](D &d) { return bitwise(d, "bitwise_xor"); }},
    {"aten::max", [](D &d) { return ofTwo(d, "maximum"); }},
    {"aten::min", [](D &d) { return ofTwo(d, "minimum"); }},
    {"aten::nan_to_num", nanToNum},
    {"aten::special_i0", [](D &d) -> Parts { return {applied("i0", d["self"])}; }},
    {"aten::where", whereNumbers},
};

} // namespace

std::span<const DecompositionRule> arithmeticDecompositions() { return arithmeticRules; }

} // namespace cutaway::passes
