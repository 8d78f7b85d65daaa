// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// The shape of a factor of a product: a reference to the call's own shape, because most factors are multiplied as
/// they are, or a new shape that was made from it.
class FactorShape {
public:
    FactorShape() = default;
    explicit FactorShape(const ir::Shape &own) : m_own(&own) { }
    explicit FactorShape(ir::Shape &&made) : m_made(std::move(made)) { }

    explicit operator bool() const { return m_own || m_made; }
    const ir::Shape &operator*() const { return m_own ? *m_own : *m_made; }
    const ir::Shape *operator->() const { return &**this; }

private:
    const ir::Shape *m_own = nullptr;
    std::optional<ir::Shape> m_made;
};

/// The arguments of a product of two matrices, with the same meaning in all dialects: alpha·a·b + beta·added. An
/// argument that is left out has torch's or ONNX's default.
struct MatrixProductArguments {
    Position a, b;  ///< the factors; their last two dimensions are the matrix
    Position added; ///< torch's `self` of addmm and bias of linear, ONNX's C; broadcast to the product
    // Whether a factor is multiplied with its last two dimensions exchanged; nothing: not known.
    std::optional<bool> transposeA = false, transposeB = false;
    /// ONNX Runtime's transBatchA and transBatchB: whether the first dimension of a factor with more than two is moved
    /// to just before the last one; nothing: not known.
    std::optional<bool> transposeBatchA = false, transposeBatchB = false;
    std::optional<double> alpha = 1, beta = 1; ///< nothing: not known

    /// Returns the shape of a factor as it is multiplied: […, rows, inner] for `a`, […, inner, columns] for `b`.
    /// Nothing if the factor's rank is not known, or whether the factor is transposed.
    FactorShape shapeOfA(const Call &call) const;
    FactorShape shapeOfB(const Call &call) const;
};

/// Reads the arguments of aten::mm, bmm, matmul, mv, addmm, baddbmm, linear and the like, of ONNX's and ONNX Runtime's
/// MatMul and Gemm and of their quantized and fused forms, but not of products with a packed weight.
MatrixProductArguments matrixProductArguments(const Call &call);

} // namespace cutaway::ops
