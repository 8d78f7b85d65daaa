// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rules.h"

// The operators that PyTorch's composite operators of linear algebra call. They are no core operators, but PyTorch has
// nothing that they are made of.

namespace cutaway::rules::to_aten { // core ATen

namespace {

using D = Decomposition;

Parts inverse(D &d) { return {d.makeAll("linalg_inv_ex", {d.has("A") ? d["A"] : d["self"]}, 2).front()}; }

Parts determinant(D &d) { return {d.makeAll("_linalg_det", {d.has("A") ? d["A"] : d["self"]}, 3).front()}; }

/// The sign and the logarithm of the determinant.
Parts logarithmOfDeterminant(D &d)
{
    const auto made = d.makeAll("_linalg_slogdet", {d.has("A") ? d["A"] : d["self"]}, 4);
    return {made[0], made[1]};
}

constexpr DecompositionRule linearAlgebraDecompositions[] = {
    {"aten::det", determinant},
    {"aten::inverse", inverse},
    {"aten::linalg_cholesky",
     [](D &d) -> Parts { return {d.makeAll("linalg_cholesky_ex", {d["self"], {"upper", d["upper"]}}, 2).front()}; }},
    {"aten::linalg_det", determinant},
    {"aten::linalg_eigh",
     [](D &d) -> Parts {
         const auto made = d.makeAll("_linalg_eigh", {d["self"], d["UPLO"], true}, 2);
         return {made.begin(), made.end()};
     }},
    {"aten::linalg_inv", inverse},
    {"aten::linalg_slogdet", logarithmOfDeterminant},
    {"aten::linalg_solve",
     [](D &d) -> Parts { return {d.makeAll("_linalg_solve_ex", {d["A"], d["B"], {"left", d["left"]}}, 4).front()}; }},
    {"aten::linalg_svd",
     [](D &d) -> Parts {
         const auto made = d.makeAll("_linalg_svd", {d["A"], d["full_matrices"], true, {"driver", d["driver"]}}, 3);
         return {made.begin(), made.end()};
     }},
    {"aten::slogdet", logarithmOfDeterminant},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules {

Family linearAlgebra() { return {.decompositions = to_aten::linearAlgebraDecompositions}; }

} // namespace cutaway::rules
