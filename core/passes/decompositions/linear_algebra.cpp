// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition.h"

// What PyTorch's composite operators of linear algebra and Fourier transforms call. These are no core operators, but
// PyTorch has nothing that they are made of.

namespace cutaway::passes {

namespace {

using D = Decomposition;

/// How a Fourier transform is scaled: fft_norm_mode of ATen.
std::optional<std::int64_t> scaling(D &d, bool isForward)
{
    const std::string_view norm = d.text("norm");
    if (norm == "ortho")
        return 1;
    if (norm.empty() || norm == "backward")
        return isForward ? 0 : 2;
    return norm == "forward" ? std::optional<std::int64_t>(isForward ? 2 : 0) : std::nullopt;
}

/// Of a real tensor along one dimension, as long as that is.
Parts realTransform(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    const auto dim = d.integer("dim");
    const auto scale = scaling(d, true);
    if (!known || !dim || !scale || d.has("n") || !ir::isFloating(known->dtype))
        return {};
    return {d.make("_fft_r2c", {x, D::list({*dim}), *scale, true})};
}

Parts inverse(D &d) { return {d.makeAll("linalg_inv_ex", {d.has("A") ? d["A"] : d["self"]}, 2).front()}; }

constexpr DecompositionRule linearAlgebraRules[] = {
    {"fft_rfft", realTransform},
    {"inverse", inverse},
    {"linalg_cholesky",
     [](D &d) -> Parts { return {d.makeAll("linalg_cholesky_ex", {d["self"], {"upper", d["upper"]}}, 2).front()}; }},
    {"linalg_det", [](D &d) -> Parts { return {d.makeAll("_linalg_det", {d["A"]}, 3).front()}; }},
    {"linalg_eigh",
     [](D &d) -> Parts {
         const auto made = d.makeAll("_linalg_eigh", {d["self"], d["UPLO"], true}, 2);
         return {made.begin(), made.end()};
     }},
    {"linalg_inv", inverse},
    {"linalg_solve",
     [](D &d) -> Parts { return {d.makeAll("_linalg_solve_ex", {d["A"], d["B"], {"left", d["left"]}}, 4).front()}; }},
    {"linalg_svd",
     [](D &d) -> Parts {
         const auto made = d.makeAll("_linalg_svd", {d["A"], d["full_matrices"], true, {"driver", d["driver"]}}, 3);
         return {made.begin(), made.end()};
     }},
};

} // namespace

std::span<const DecompositionRule> linearAlgebraDecompositions() { return linearAlgebraRules; }

} // namespace cutaway::passes
