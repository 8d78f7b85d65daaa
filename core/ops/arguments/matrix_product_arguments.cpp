// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/matrix_product_arguments.h"

#include "core/ops/network/matrix_shape.h"

#include <algorithm>

namespace cutaway::ops {

using ir::Shape;

namespace {

FactorShape asMultiplied(const Shape *shape, std::optional<bool> transpose, std::optional<bool> transposeBatch)
{
    if (!shape || !transpose || !transposeBatch)
        return {};
    if (!*transpose && !*transposeBatch)
        return FactorShape(*shape);
    Shape made = *shape;
    if (*transposeBatch && made.size() > 2)
        std::rotate(made.begin(), made.begin() + 1, made.end() - 1);
    return FactorShape(*transpose ? transposed(std::move(made)) : std::move(made));
}

} // namespace

FactorShape MatrixProductArguments::shapeOfA(const Call &call) const
{
    return asMultiplied(call.shape(a), transposeA, transposeBatchA);
}

FactorShape MatrixProductArguments::shapeOfB(const Call &call) const
{
    return asMultiplied(call.shape(b), transposeB, transposeBatchB);
}

namespace {

/// Reads a product of ONNX. A quantized factor is followed by two inputs, its scale and zero point, or only by its
/// scale.
MatrixProductArguments onnxProduct(const Call &call)
{
    MatrixProductArguments made;
    const std::string_view name = call.name();
    made.a = 0;
    made.b = name == "QLinearMatMul" || name == "QGemm" ? 3 : name == "QOrderedMatMul" ? 2 : 1;
    if (name == "QGemm" || name == "MatMulIntegerToFloat")
        made.added = 6;
    else if (name == "QOrderedMatMul")
        made.added = 5;
    else if (name == "DynamicQuantizeMatMul")
        made.added = 4;
    else if (name.contains("Gemm"))
        made.added = 2;
    const auto flag = [&](std::string_view attribute) {
        return call.has(attribute) ? call.flag(attribute) : std::optional(false);
    };
    made.transposeA = flag("transA");
    made.transposeB = flag("transB");
    made.transposeBatchA = flag("transBatchA");
    made.transposeBatchB = flag("transBatchB");
    return made;
}

MatrixProductArguments torchProduct(const Call &call)
{
    MatrixProductArguments made;
    if (call.position({"beta"})) { // the arguments of addmm and the like are self, mat1, mat2
        made.added = 0;
        made.a = 1;
        made.b = 2;
        return made;
    }
    const Position weight = call.position({"W"}); // mkldnn's linear may have another tensor before its weight
    made.a = 0;
    made.b = weight ? weight : Position(1);
    made.added = call.position({"bias", "B"});
    made.transposeB = call.name().contains("linear");
    return made;
}

} // namespace

MatrixProductArguments matrixProductArguments(const Call &call)
{
    if (call.name() == "MatMul") // MatMul has none of the attributes that are read below
        return {.a = 0, .b = 1, .added = {}};
    MatrixProductArguments made = call.isOnnx() ? onnxProduct(call) : torchProduct(call);
    if (call.has("alpha"))
        made.alpha = call.floating("alpha");
    if (call.has("beta"))
        made.beta = call.floating("beta");
    return made;
}

} // namespace cutaway::ops
