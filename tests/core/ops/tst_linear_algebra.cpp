// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class LinearAlgebra : public testing::TestWithParam<RuleRow> { };

TEST_P(LinearAlgebra, infers)
{
    const std::string header = "opset \"ai.onnx\" 13\n";
    EXPECT_EQ(inferred(GetParam().graph, header), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph, header), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, LinearAlgebra,
    testing::Values(
        RuleRow{"Inverse", "(%x: float64[s0, 3, 3]) { %r = aten::linalg_inv(%x) return %r }", "float64[s0, 3, 3]",
                "0/54*s0"},
        RuleRow{"InverseOfNoSquare", "(%x: float32[3, 4]) { %r = aten::inverse(%x) return %r }",
                "!expected square matrices, found [3, 4] unknown"},
        RuleRow{"InverseOfAVector", "(%x: float32[3]) { %r = aten::inverse(%x) return %r }",
                "!expected matrices, found [3] unknown"},
        RuleRow{"InverseOfUnknown", "(%x: float32[*]) { %r = aten::inverse(%x) return %r }",
                "!the number of dimensions of the matrices is not known unknown"},
        RuleRow{"InverseWithInfo", "(%x: float32[2, 3, 3]) { %r, %i = aten::linalg_inv_ex(%x) return %r, %i }",
                "float32[2, 3, 3]; int32[2]"},
        RuleRow{"Determinant", "(%x: float32[2, 3, 3]) { %r = aten::linalg_det(%x) return %r }", "float32[2]"},
        RuleRow{"OnnxDet", "(%x: float32[3, 3]) { %r = onnx::Det(%x) return %r }", "float32[]"},
        RuleRow{"SignAndLogarithm", "(%x: complex64[3, 3]) { %s, %l = aten::linalg_slogdet(%x) return %s, %l }",
                "complex64[]; float32[]"},
        RuleRow{"Cholesky", "(%x: float32[3, 3]) { %r = aten::linalg_cholesky(%x) return %r }", "float32[3, 3]", "0/9"},
        RuleRow{"PseudoInverse", "(%x: float32[2, 3, 4]) { %r = aten::linalg_pinv.atol_rtol_float(%x) return %r }",
                "float32[2, 4, 3]"},
        RuleRow{"Power", "(%x: float32[3, 3]) { %r = aten::linalg_matrix_power(%x, 5) return %r }", "float32[3, 3]",
                "162/0"},
        RuleRow{"PowerOfOne", "(%x: float32[3, 3]) { %r = aten::linalg_matrix_power(%x, 1) return %r }",
                "float32[3, 3]", "0/0"},
        RuleRow{"Svd", "(%x: complex64[5, 3]) { %u, %s, %v = aten::linalg_svd(%x, false) return %u, %s, %v }",
                "complex64[5, 3]; float32[3]; complex64[3, 3]"},
        RuleRow{"SvdFull", "(%x: float32[2, 5, 3]) { %u, %s, %v = aten::linalg_svd(%x) return %u, %s, %v }",
                "float32[2, 5, 5]; float32[2, 3]; float32[2, 3, 3]"},
        RuleRow{"SvdOfOld", "(%x: float32[3, 5]) { %u, %s, %v = aten::svd(%x) return %u, %s, %v }",
                "float32[3, 3]; float32[3]; float32[5, 3]"},
        RuleRow{"SvdOfSymbols", "(%x: float32[s0, s0]) { %r = aten::linalg_svdvals(%x) return %r }", "float32[s0]"},
        RuleRow{"SingularValues", "(%x: float32[s0, 3]) { %r = aten::linalg_svdvals(%x) return %r }",
                "float32[min(3, s0)]"},
        RuleRow{"Qr", "(%x: float32[5, 3]) { %q, %r = aten::linalg_qr(%x) return %q, %r }",
                "float32[5, 3]; float32[3, 3]"},
        RuleRow{"QrComplete", "(%x: float32[5, 3]) { %q, %r = aten::linalg_qr(%x, \"complete\") return %q, %r }",
                "float32[5, 5]; float32[5, 3]"},
        RuleRow{"QrOnlyR", "(%x: float32[5, 3]) { %q, %r = aten::linalg_qr(%x, \"r\") return %q, %r }",
                "float32[0]; float32[3, 3]"},
        RuleRow{"Eigen", "(%x: float64[2, 3, 3]) { %l, %v = aten::linalg_eig(%x) return %l, %v }",
                "complex128[2, 3]; complex128[2, 3, 3]"},
        RuleRow{"EigenOfSymmetric", "(%x: complex64[3, 3]) { %l, %v = aten::linalg_eigh(%x) return %l, %v }",
                "float32[3]; complex64[3, 3]"},
        RuleRow{"Eigenvalues",
                "(%x: float32[3, 3]) { %r = aten::linalg_eigvals(%x) %s = aten::linalg_eigvalsh(%x) return %r, "
                "%s }",
                "complex64[3]; float32[3]"},
        RuleRow{"Lu", "(%x: float32[3, 5]) { %p, %l, %u = aten::linalg_lu(%x) return %p, %l, %u }",
                "float32[3, 3]; float32[3, 3]; float32[3, 5]"},
        RuleRow{"LuFactor", "(%x: float32[2, 3, 5]) { %l, %p, %i = aten::linalg_lu_factor_ex(%x) return %l, %p, %i }",
                "float32[2, 3, 5]; int32[2, 3]; int32[2]"},
        RuleRow{"LuUnpackWithoutPivots",
                "(%x: float32[3, 5], %n: int32[3]) "
                "{ %p, %l, %u = aten::lu_unpack(%x, %n, true, false) return %p, %l, %u }",
                "float32[0]; float32[3, 3]; float32[3, 5]"},
        RuleRow{"Solve", "(%a: float32[2, 3, 3], %b: float32[3, 5]) { %r = aten::linalg_solve(%a, %b) return %r }",
                "float32[2, 3, 5]"},
        RuleRow{"SolveForAVector",
                "(%a: float32[2, 3, 3], %b: float32[3]) { %r = aten::linalg_solve(%a, %b) return %r }",
                "float32[2, 3]"},
        RuleRow{"SolveForVectors",
                "(%a: float32[s0, 3, 3], %b: float32[s0, 3]) { %r = aten::linalg_solve(%a, %b) return %r }",
                "float32[s0, 3]"},
        RuleRow{"SolveNobodyKnows",
                "(%a: float32[s0, 3, 3], %b: float32[s1, 3]) { %r = aten::linalg_solve(%a, %b) return %r }",
                "!it is not known whether the right hand side is of vectors float32"},
        RuleRow{"SolveTriangular",
                "(%a: float32[2, 3, 3], %b: float32[3, 5]) "
                "{ %r = aten::linalg_solve_triangular(%a, %b, upper=true) return %r }",
                "float32[2, 3, 5]"},
        RuleRow{"TriangularSolve",
                "(%b: float32[3, 5], %a: float32[2, 3, 3]) "
                "{ %r, %c = aten::triangular_solve(%b, %a) return %r, %c }",
                "float32[2, 3, 5]; float32[2, 3, 3]"},
        RuleRow{"CholeskySolve",
                "(%b: float32[3, 5], %l: float32[3, 3]) { %r = aten::cholesky_solve(%b, %l) return %r }",
                "float32[3, 5]"},
        RuleRow{"LeastSquares",
                "(%a: float32[5, 3], %b: float32[5, 2]) { %r, %s, %k, %v = aten::linalg_lstsq(%a, %b) return %r }",
                "float32[3, 2]"},
        RuleRow{"Powers",
                "(%x: float32[2, 3]) { %r = aten::linalg_vander(%x) %s = aten::linalg_vander(%x, N=7) return %r, %s }",
                "float32[2, 3, 3]; float32[2, 3, 7]"},
        RuleRow{"VectorDot", "(%x: float32[2, 3], %y: float32[3]) { %r = aten::linalg_vecdot(%x, %y) return %r }",
                "float32[2]"},
        RuleRow{"Cross", "(%x: float32[2, 3], %y: float32[1, 3]) { %r = aten::linalg_cross(%x, %y) return %r }",
                "float32[2, 3]"},
        RuleRow{"TensorInverse", "(%x: float32[4, 6, 8, 3]) { %r = aten::linalg_tensorinv(%x) return %r }",
                "float32[8, 3, 4, 6]", "0/?"},
        RuleRow{
            "TensorSolveOfDimensions",
            "(%a: float32[3, 4, 4, 3], %b: float32[4, 3]) { %r = aten::linalg_tensorsolve(%a, %b, [0, 2]) return %r }",
            "float32[3, 4]"},
        RuleRow{"LeastSquaresByDriver",
                "(%a: float32[7, 2, 3], %b: float32[7, 2, 4]) { "
                "%s, %e, %k, %v = aten::linalg_lstsq(%a, %b, driver=\"gelsd\") "
                "%s1, %e1, %k1, %v1 = aten::linalg_lstsq(%a, %b, driver=\"gels\") return %s, %e, %k, %v, %k1, %v1 }",
                "float32[7, 3, 4]; float32[0]; int64[7]; float32[7, 2]; int64[0]; float32[0]"},
        RuleRow{"Vandermonde",
                "(%x: float32[5], %y: int32[]) { %r = aten::vander(%x) %s = aten::linalg_vander(%y, N=3) "
                "return %r, %s }",
                "float32[5, 5]; int64[1, 3]"},
        RuleRow{"TensorSolve",
                "(%a: float32[2, 3, 6], %b: float32[2, 3]) { %r = aten::linalg_tensorsolve(%a, %b) return %r }",
                "float32[6]"}),
    rowName);

} // namespace

} // namespace cutaway::test
