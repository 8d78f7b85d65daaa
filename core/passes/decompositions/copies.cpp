// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition.h"

// Copies, conversions and what does nothing outside of training. Where writes are gone, a tensor serves as its own
// copy.

namespace cutaway::passes {

namespace {

using D = Decomposition;

Parts itself(D &d) { return {d["self"]}; }

/// to.dtype and its kind: the result says which dtype it is.
Parts converted(D &d)
{
    const Term x = d["self"], format = d["memory_format"], device = d["device"];
    const auto result = d.result();
    if (!result)
        return {};
    const bool reorders = !format.isNone() && format.operand != ir::Operand(ir::MemoryFormat::Preserve);
    if (!reorders && device.isNone() && d.flag("copy") != true && d.dtype(x) == result->dtype)
        return {x};
    return {
        d.make("_to_copy",
               {x, {"dtype", result->dtype}, {"device", device}, {"memory_format", reorders ? format : d.term({})}})};
}

Parts ofType(D &d) { return {d.cast(d["self"], d.dtype(d["other"]))}; }

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
    const auto trains = d.flag("train");
    if (trains == false)
        return {x};
    if (trains != true || !d.number("p"))
        return {};
    return {d.makeAll("native_dropout", {x, d["p"], true}, 2).front()};
}

/// Those whose formula in training PyTorch takes apart otherwise.
Parts unlessTraining(D &d) { return d.flag("train") == false ? Parts{d["input"]} : Parts{}; }

Parts item(D &d) { return {d.make("_local_scalar_dense", {d["self"]})}; }

Parts filled(D &d)
{
    const Term x = d["self"], value = d["value"];
    const auto shape = d.tensor(x);
    if (!shape || !d.isTensor(value))
        return {};
    return {applied("clone", d.expand(d.cast(value, shape->dtype), shape->shape))};
}

constexpr DecompositionRule copyRules[] = {
    {"alpha_dropout", unlessTraining},
    {"contiguous", contiguous},
    {"detach", itself},
    {"dropout", dropout},
    {"feature_alpha_dropout", unlessTraining},
    {"feature_dropout", unlessTraining},
    {"fill", filled},
    {"item", item},
    {"lift_fresh", itself},
    {"resolve_conj", itself},
    {"resolve_neg", itself},
    {"to", converted},
    {"type_as", ofType},
};

} // namespace

std::span<const DecompositionRule> copyDecompositions() { return copyRules; }

} // namespace cutaway::passes
