// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/checked.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"
#include "core/rules/whole_numbers.h"
#include "core/rules/windowed.h"

#include <algorithm>

// ONNX Runtime's operators of integers with scales become arithmetic: x = (q - zero point)·scale, and back.

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;
using Numbers = N::Numbers;

// ---- packed weights

/// Unpacks numbers of a few bits, the lowest bits of each byte first; the last dimension of the result has one element
/// for each number.
Term unpacked(N &n, const Term &bytes, std::int64_t bits)
{
    const auto packed = n.knownTensor(bytes);
    if (!packed || packed->rank() == 0 || bits == 8)
        return bytes;
    std::vector<Term> parts;
    for (std::int64_t shift = 0; shift < 8; shift += bits) {
        const Term moved =
            shift == 0 ? bytes : n.make("bitwise_right_shift.Tensor_Scalar", {bytes, ir::Operand(shift)});
        parts.push_back(n.make("bitwise_and.Scalar", {moved, ir::Operand((std::int64_t{1} << bits) - 1)}));
    }
    ir::Shape shape = packed->shape;
    shape.back() = ops::times(shape.back(), 8 / bits);
    return reshape(n.make("stack", {N::list(parts), -1}), shape);
}

/// Returns the default zero point for numbers of `bits` bits.
double middleOf(std::int64_t bits) { return static_cast<double>(std::int64_t{1} << (bits - 1)); }

/// Returns the zero points of the blocks of all rows, [rows, blocks, 1], in the dtype of the scales. The node has them
/// packed like the weight, or as floats.
Term zerosOfBlocks(N &n, std::int64_t rows, std::int64_t blocks, std::int64_t bits)
{
    const ir::DType dtype = n.dtype(2);
    const ir::Shape shape{rows, blocks, ops::one};
    if (ir::isFloating(n.dtype(3)))
        return reshape(cast(n[3], dtype), shape);
    const std::int64_t bytes = (blocks * bits + 7) / 8;
    const Term all = unpacked(n, reshape(n[3], {rows, bytes}), bits);
    return reshape(cast(slice(all, 1, 0, blocks), dtype), shape);
}

/// Takes (A, B, scales, zero points, group indices, bias), and computes A times the transposed B, whose rows are blocks
/// of integers.
Parts matMulNBits(N &n)
{
    const ir::DType dtype = n.dtype(2);
    const std::int64_t k = n.integer("K", 0), rows = n.integer("N", 0), bits = n.integer("bits", 4),
                       size = n.integer("block_size", 0);
    if (k < 1 || rows < 1 || size < 1 || (bits != 2 && bits != 4 && bits != 8))
        return n.refuse("its blocks, or their bits, make no sense");
    if (n.has(4))
        return n.refuse("its columns are in groups of another order");
    const std::int64_t blocks = (k - 1) / size + 1;
    const auto elements = checkedMultiply(blocks, size);
    if (!elements || !checkedMultiply(*elements, std::int64_t{16})) // times the number of bits must not overflow
        return n.refuse("its blocks are too large");
    Term whole = unpacked(n, reshape(n[1], {rows, blocks, size * bits / 8}), bits);
    whole = reshape(cast(whole, dtype), {rows, blocks, size});
    const Term centred = n.has(3) ? whole - zerosOfBlocks(n, rows, blocks, bits) : whole - middleOf(bits);
    const Term scaled = centred * reshape(n[2], {rows, blocks, ops::one});
    const Term weight = slice(reshape(scaled, {rows, *elements}), 1, 0, k);
    return {n.make("linear", {n[0], weight, n[5]})};
}

/// Selects rows of a table that is quantized in blocks.
Parts gatherBlockQuantized(N &n)
{
    const auto data = n.tensor(0), scales = n.tensor(2);
    const std::int64_t block = n.integer("block_size", 128), bits = n.integer("bits", 4);
    const bool isPacked = data.dtype == ir::DType::UInt8 && bits < 8;
    if (n.integer("gather_axis", 0) != 0)
        return n.refuse("it picks along another dimension than the first");
    const std::int64_t dim = n.dimension("quantize_axis", 1);
    if ((isPacked && dim + 1 != std::ssize(data.shape)) || (bits != 4 && bits != 8))
        return n.refuse("its numbers are packed along another dimension than the last, or of other bits");
    const auto wholes = [&](std::size_t position) {
        const Term given = wholeInput(n, position);
        return cast(isPacked ? unpacked(n, given, bits) : given, scales.dtype);
    };
    const Term table = wholes(0);
    const auto shape = n.tensor(table).shape;
    if (n.isRefused())
        return {};
    const auto axis = static_cast<std::size_t>(dim);
    const auto wide = [&](const Term &each) {
        const Term repeated = n.make("repeat_interleave.self_int", {each, block, dim});
        return slice(repeated, axis, 0, n.size(shape[axis]));
    };
    const Term centred = n.has(3)        ? table - wide(wholes(3))
        : data.dtype == ir::DType::UInt8 ? table - middleOf(bits)
                                         : table;
    const Term rows = centred * wide(n[2]);
    return {n.make("index.Tensor", {rows, N::list(std::vector{cast(n[1], ir::DType::Int64)})})};
}

// ---- numbers in scales

/// Computes (q - zero)·scale of the inputs at these positions; scale and zero are a number, or a vector with one per
/// column.
Term realOf(N &n, std::size_t whole, std::size_t scale, std::size_t zero)
{
    const auto given = n.tensor(scale);
    if (given.rank() > 1 || given.dtype != ir::DType::Float32)
        n.refuse("its scales are not one for all");
    return cast(centred(n, whole, zero, 1), ir::DType::Float32) * n[scale];
}

Parts inScale(N &n, const Term &real, std::size_t scale, std::size_t zero)
{
    return requantized(n, real / n[scale], zero);
}

/// Takes (A, scale, zero, B, scale, zero, scale, zero).
template <char operation>
Parts qlinearBinary(N &n)
{
    const Term a = realOf(n, 0, 1, 2), b = realOf(n, 3, 4, 5);
    return inScale(n, operation == '+' ? a + b : a * b, 6, 7);
}

/// Takes (X, scale, zero, scale, zero), as all rules below for which no other list is given.
Parts qlinearSigmoid(N &n) { return inScale(n, applied("sigmoid", realOf(n, 0, 1, 2)), 3, 4); }

Parts qlinearLeakyRelu(N &n)
{
    const ir::Operand slope = n.number("alpha", 0.01);
    return inScale(n, n.make("leaky_relu", {realOf(n, 0, 1, 2), slope}), 3, 4);
}

/// Makes a softmax over an axis. If the attribute `opset` is below 13, it runs over this axis and all after it as one.
Parts qlinearSoftmax(N &n)
{
    const auto x = n.tensor(0);
    const std::int64_t dim = n.dimension("axis", -1);
    const Term real = realOf(n, 0, 1, 2);
    if (n.integer("opset", 13) >= 13 || dim + 1 == std::ssize(x.shape))
        return inScale(n, n.make("softmax.int", {real, dim}), 3, 4);
    const Term flat = n.make("flatten.using_ints", {real, dim, -1});
    return inScale(n, reshape(n.make("softmax.int", {flat, -1}), x.shape), 3, 4);
}

Parts qlinearAveragePool(N &n) { return inScale(n, averagePooled(n, realOf(n, 0, 1, 2)), 3, 4); }

Parts qlinearGlobalAveragePool(N &n)
{
    const std::size_t rank = n.tensor(0).rank(), first = n.integer("channels_last", 0) != 0 ? 1 : 2;
    const Numbers dims = consecutive(first, first + rank - std::min<std::size_t>(rank, 2));
    if (dims.empty())
        return n.refuse("its input has nothing but channels");
    return inScale(n, mean(realOf(n, 0, 1, 2), dims, true), 3, 4);
}

Parts qlinearReduceMean(N &n)
{
    const auto axes = n.knownIntegers("axes");
    const Numbers dims = axes && !axes->empty() ? *axes : n.allDimensions();
    return inScale(n, mean(realOf(n, 0, 1, 2), dims, n.integer("keepdims", 1) != 0), 3, 4);
}

/// Takes (scale, zero, then X, scale, zero for each input).
Parts qlinearConcat(N &n)
{
    std::vector<Term> all;
    for (std::size_t i = 2; i + 2 < n.inputCount(); i += 3)
        all.push_back(realOf(n, i, i + 1, i + 2));
    return all.empty() ? Parts{} : inScale(n, concat(all, n.integer("axis", 0)), 0, 1);
}

/// Takes (condition, X, scale, zero, Y, scale, zero, scale, zero).
Parts qlinearWhere(N &n)
{
    const Term x = realOf(n, 1, 2, 3), y = realOf(n, 4, 5, 6);
    return inScale(n, where(n[0], x, y), 7, 8);
}

/// Takes (A, scale, zero, B, scale, zero, C, scale, zero). C has the scale of the product. If the result's scale is
/// left out, the result is a float.
Parts quantizedGemm(N &n)
{
    const auto turned = [&](const Term &x, std::string_view attribute) {
        return n.integer(attribute, 0) != 0 ? n.make("t", {x}) : x;
    };
    if (n.has(5) && n.tensor(5).rank() > 0 && n.integer("transB", 0) != 0)
        return n.refuse("its zero points are one for each row of its second factor");
    const Term a = centred(n, 0, 2), b = centred(n, 3, 5, 1);
    const Term left = turned(a, "transA"), right = turned(b, "transB");
    Term whole = matmul(left, right);
    if (n.has(6))
        whole = whole + n[6];
    const Term real = cast(whole, ir::DType::Float32) * (n[1] * n[4] * n.number("alpha", 1));
    return n.has(7) ? inScale(n, real, 7, 8) : Parts{real};
}

/// Takes (A, B, scale of A, scale of B, zero of A, zero of B, bias).
Parts matMulIntegerToFloat(N &n)
{
    const Term a = centred(n, 0, 4), b = centred(n, 1, 5, 1);
    const Term whole = matmul(a, b);
    const Term real = cast(whole, ir::DType::Float32) * (n[2] * n[3]);
    return {n.has(6) ? real + n[6] : real};
}

/// Takes (A, B, scale, zero, bias), where A is quantized by its own range.
Parts dynamicQuantizeMatMul(N &n)
{
    if (n.dtype(0) != ir::DType::Float32)
        return n.refuse("it is not of float32");
    const DynamicRange range = dynamicRange(n, n[0]);
    const Term a = cast(range.whole - range.zero, ir::DType::Int32);
    const Term real = cast(matmul(a, centred(n, 1, 3, 1)), ir::DType::Float32) * (range.scale * n[2]);
    return {n.has(4) ? real + n[4] : real};
}

/// Takes (A, zero, B, zero).
Parts mulInteger(N &n)
{
    const Term a = centred(n, 0, 1), b = centred(n, 2, 3);
    return {a * b};
}

constexpr OnnxLowering microsoftQuantizedLowerings[] = {
    {"com.microsoft::DynamicQuantizeMatMul", dynamicQuantizeMatMul},
    {"com.microsoft::GatherBlockQuantized", gatherBlockQuantized},
    {"com.microsoft::MatMulIntegerToFloat", matMulIntegerToFloat},
    {"com.microsoft::MatMulNBits", matMulNBits},
    {"com.microsoft::MulInteger", mulInteger},
    {"com.microsoft::QGemm", quantizedGemm},
    {"com.microsoft::QLinearAdd", qlinearBinary<'+'>},
    {"com.microsoft::QLinearAveragePool", qlinearAveragePool},
    {"com.microsoft::QLinearConcat", qlinearConcat},
    {"com.microsoft::QLinearGlobalAveragePool", qlinearGlobalAveragePool},
    {"com.microsoft::QLinearLeakyRelu", qlinearLeakyRelu},
    {"com.microsoft::QLinearMul", qlinearBinary<'*'>},
    {"com.microsoft::QLinearReduceMean", qlinearReduceMean},
    {"com.microsoft::QLinearSigmoid", qlinearSigmoid},
    {"com.microsoft::QLinearSoftmax", qlinearSoftmax},
    {"com.microsoft::QLinearWhere", qlinearWhere},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules {

Family microsoftQuantized() { return {.fromOnnx = to_aten::microsoftQuantizedLowerings}; }

} // namespace cutaway::rules
