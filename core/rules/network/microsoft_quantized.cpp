// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/checked.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"
#include "core/rules/whole_numbers.h"
#include "core/rules/windowed.h"

#include <array>

// ONNX Runtime's operators of whole numbers with scales, as arithmetic: x = (q - zero point)·scale, and back.

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;
using Numbers = N::Numbers;

// ---- packed weights

/// Numbers of a few bits, the lowest first in each byte, one for each element of the last dimension.
Term unpacked(N &n, const Term &bytes, std::int64_t bits)
{
    const auto packed = n.d.tensor(bytes);
    if (!packed || bits == 8)
        return bytes;
    std::vector<Term> parts;
    for (std::int64_t shift = 0; shift < 8; shift += bits) {
        const Term moved =
            shift == 0 ? bytes : n.d.make("bitwise_right_shift.Tensor_Scalar", {bytes, ir::Operand(shift)});
        parts.push_back(n.d.make("bitwise_and.Scalar", {moved, ir::Operand((std::int64_t{1} << bits) - 1)}));
    }
    ir::Shape shape = packed->shape;
    shape.back() = ops::times(shape.back(), 8 / bits);
    return n.d.reshape(n.d.make("stack", {AtenMaker::list(parts), -1}), shape);
}

/// The zero point of each block of a row, in the scales' dtype. They are packed like the weight, or floats.
std::optional<Term> zerosOfBlocks(N &n, std::int64_t rows, std::int64_t blocks, std::int64_t bits)
{
    const auto given = n.tensor(3), scales = n.tensor(2);
    if (!given || !scales)
        return std::nullopt;
    const ir::Shape shape{rows, blocks, std::int64_t{1}};
    if (ir::isFloating(given->dtype))
        return n.d.reshape(n.d.cast(n.input(3), scales->dtype), shape);
    const std::int64_t bytes = (blocks * bits + 7) / 8;
    const Term all = unpacked(n, n.d.reshape(n.input(3), {rows, bytes}), bits);
    return n.d.reshape(n.d.cast(n.d.slice(all, 1, 0, blocks), scales->dtype), shape);
}

/// (A, B, scales, zero points, group indices, bias): A times the transposed B, whose rows are blocks of whole numbers.
Parts matMulNBits(N &n)
{
    const auto b = n.tensor(1), scales = n.tensor(2);
    const std::int64_t k = n.integer("K", 0), rows = n.integer("N", 0), bits = n.integer("bits", 4),
                       size = n.integer("block_size", 0);
    if (!b || !scales || k < 1 || rows < 1 || size < 1 || (bits != 2 && bits != 4 && bits != 8))
        return {};
    if (n.has(4))
        return n.refuse("its columns are in groups of another order");
    const std::int64_t blocks = (k - 1) / size + 1;
    const auto elements = checkedMultiply(blocks, size);
    if (!elements || !checkedMultiply(*elements, std::int64_t{16})) // so that counts of bits fit, too
        return {};
    const ir::Shape ofBlocks{rows, blocks, size};
    Term whole = unpacked(n, n.d.reshape(n.input(1), {rows, blocks, size * bits / 8}), bits);
    whole = n.d.reshape(n.d.cast(whole, scales->dtype), ofBlocks);
    const auto zeros = n.has(3) ? zerosOfBlocks(n, rows, blocks, bits) : std::nullopt;
    if (n.has(3) && !zeros)
        return {};
    const Term centred = zeros ? whole - *zeros : whole - static_cast<double>(std::int64_t{1} << (bits - 1));
    const Term scaled = centred * n.d.reshape(n.input(2), {rows, blocks, std::int64_t{1}});
    const Term weight = n.d.slice(n.d.reshape(scaled, {rows, *elements}), 1, 0, k);
    return {n.d.make("linear", {n.input(0), weight, n.input(5)})};
}

/// Rows of a table that is quantized in blocks.
Parts gatherBlockQuantized(N &n)
{
    const auto data = n.tensor(0), scales = n.tensor(2), y = n.result();
    const std::int64_t block = n.integer("block_size", 128), bits = n.integer("bits", 4);
    const bool isPacked = data && data->dtype == ir::DType::UInt8 && bits < 8;
    if (!data || !scales || !y)
        return {};
    if (n.integer("gather_axis", 0) != 0)
        return n.refuse("it picks along another dimension than the first");
    const auto axis = n.dimension(n.integer("quantize_axis", 1));
    if (!axis || (isPacked && *axis + 1 != data->rank()) || (bits != 4 && bits != 8))
        return {};
    const auto dim = static_cast<std::int64_t>(*axis);
    const auto wholes = [&](std::size_t position) -> std::optional<Term> {
        const auto given = wholeInput(n, position);
        return given && isPacked ? std::optional(unpacked(n, *given, bits)) : given;
    };
    const auto table = wholes(0);
    if (!table || !n.d.tensor(*table))
        return {};
    const ir::Dim size = n.d.tensor(*table)->shape[*axis];
    const auto wide = [&](const Term &each) {
        const Term repeated = n.d.make("repeat_interleave.self_int", {each, block, dim});
        return n.d.slice(repeated, *axis, 0, n.d.size(size));
    };
    Term centred = n.d.cast(*table, scales->dtype);
    if (n.has(3)) {
        const auto zeros = wholes(3);
        if (!zeros)
            return {};
        centred = centred - wide(n.d.cast(*zeros, scales->dtype));
    } else if (isPacked || data->dtype == ir::DType::UInt8) {
        centred = centred - static_cast<double>(std::int64_t{1} << (bits - 1));
    }
    const Term rows = centred * wide(n.input(2));
    return {n.d.make("index.Tensor", {rows, AtenMaker::list(std::vector{n.d.cast(n.input(1), ir::DType::Int64)})})};
}

// ---- numbers in scales

/// (q - zero point)·scale of the inputs at these positions; each is for all, or for each column.
std::optional<Term> realOf(N &n, std::size_t whole, std::size_t scale, std::size_t zero)
{
    const auto given = n.tensor(scale);
    const auto data = centred(n, whole, zero, 1);
    if (!given || given->rank() > 1 || given->dtype != ir::DType::Float32 || !data)
        return std::nullopt;
    return n.d.cast(*data, ir::DType::Float32) * n.input(scale);
}

Parts inScale(N &n, const Term &real, std::size_t scale, std::size_t zero)
{
    return requantized(n, real / n.input(scale), zero);
}

constexpr std::string_view severalSteps = "its scales or zero points are not one for all";

/// (A, scale, zero, B, scale, zero, scale, zero)
template <char operation>
Parts qlinearBinary(N &n)
{
    const auto a = realOf(n, 0, 1, 2), b = realOf(n, 3, 4, 5);
    return a && b ? inScale(n, operation == '+' ? *a + *b : *a * *b, 6, 7) : n.refuse(std::string(severalSteps));
}

/// (X, scale, zero, scale, zero): of one tensor.
template <class Make>
Parts qlinearUnary(N &n, const Make &make)
{
    const auto x = realOf(n, 0, 1, 2);
    return x ? inScale(n, make(*x), 3, 4) : n.refuse(std::string(severalSteps));
}

Parts qlinearSigmoid(N &n)
{
    return qlinearUnary(n, [](const Term &x) { return applied("sigmoid", x); });
}

Parts qlinearLeakyRelu(N &n)
{
    return qlinearUnary(n,
                        [&](const Term &x) { return n.d.make("leaky_relu", {x, ir::Operand(n.real("alpha", 0.01))}); });
}

/// An attribute says which version of ONNX's Softmax it is.
Parts qlinearSoftmax(N &n)
{
    const auto x = n.tensor(0);
    const auto axis = n.dimension(n.integer("axis", -1));
    if (!x || !axis)
        return {};
    const auto dim = static_cast<std::int64_t>(*axis);
    return qlinearUnary(n, [&](const Term &each) {
        if (n.integer("opset", 13) >= 13 || *axis + 1 == x->rank())
            return n.d.make("softmax.int", {each, dim});
        const Term flat = n.d.make("flatten.using_ints", {each, dim, -1});
        return n.d.reshape(n.d.make("softmax.int", {flat, -1}), x->shape);
    });
}

Parts qlinearAveragePool(N &n)
{
    const auto x = realOf(n, 0, 1, 2);
    const auto made = x ? averagePooled(n, *x) : std::nullopt;
    return made ? inScale(n, *made, 3, 4) : Parts{};
}

Parts qlinearGlobalAveragePool(N &n)
{
    const auto x = n.tensor(0);
    if (!x || x->rank() < 3)
        return {};
    const std::size_t first = n.integer("channels_last", 0) != 0 ? 1 : 2;
    Numbers dims;
    for (std::size_t i = first; i < first + x->rank() - 2; ++i)
        dims.push_back(static_cast<std::int64_t>(i));
    return qlinearUnary(n, [&](const Term &each) { return n.d.mean(each, dims, true); });
}

Parts qlinearReduceMean(N &n)
{
    const auto axes = n.integers("axes");
    const Numbers dims = axes && !axes->empty() ? *axes : n.allDimensions();
    return qlinearUnary(n, [&](const Term &each) { return n.d.mean(each, dims, n.integer("keepdims", 1) != 0); });
}

/// (scale, zero, and X, scale, zero of each)
Parts qlinearConcat(N &n)
{
    std::vector<Term> all;
    for (std::size_t i = 2; i + 2 < n.inputCount(); i += 3) {
        const auto each = realOf(n, i, i + 1, i + 2);
        if (!each)
            return n.refuse(std::string(severalSteps));
        all.push_back(*each);
    }
    return all.empty() ? Parts{} : inScale(n, n.d.make("cat", {AtenMaker::list(all), n.integer("axis", 0)}), 0, 1);
}

/// (condition, X, scale, zero, Y, scale, zero, scale, zero)
Parts qlinearWhere(N &n)
{
    const auto x = realOf(n, 1, 2, 3), y = realOf(n, 4, 5, 6);
    return x && y ? inScale(n, where(n.input(0), *x, *y), 7, 8) : n.refuse(std::string(severalSteps));
}

/// (A, scale, zero, B, scale, zero, C, scale, zero): C is of the product's scale. Without a result's scale it is real.
Parts quantizedGemm(N &n)
{
    const auto turned = [&](const Term &x, std::string_view attribute) {
        return n.integer(attribute, 0) != 0 ? n.d.make("t", {x}) : x;
    };
    const auto a = centred(n, 0, 2), b = centred(n, 3, 5, 1);
    if (!a || !b || !n.tensor(1) || !n.tensor(4)
        || (n.has(5) && n.tensor(5)->rank() > 0 && n.integer("transB", 0) != 0))
        return n.refuse(std::string(severalSteps));
    Term whole = n.d.matmul(turned(*a, "transA"), turned(*b, "transB"));
    if (n.has(6))
        whole = whole + n.input(6);
    const Term real = n.d.cast(whole, ir::DType::Float32) * (n.input(1) * n.input(4) * n.real("alpha", 1));
    return n.has(7) ? inScale(n, real, 7, 8) : Parts{real};
}

/// (A, B, scale of A, scale of B, zero of A, zero of B, bias)
Parts matMulIntegerToFloat(N &n)
{
    const auto a = centred(n, 0, 4), b = centred(n, 1, 5, 1);
    if (!a || !b)
        return n.refuse(std::string(severalSteps));
    const Term real = n.d.cast(n.d.matmul(*a, *b), ir::DType::Float32) * (n.input(2) * n.input(3));
    return {n.has(6) ? real + n.input(6) : real};
}

/// (A, B, scale, zero, bias): A is quantized by its own range.
Parts dynamicQuantizeMatMul(N &n)
{
    const auto b = centred(n, 1, 3, 1);
    const auto x = n.tensor(0);
    if (!b || !x || x->dtype != ir::DType::Float32)
        return n.refuse(std::string(severalSteps));
    const DynamicRange range = dynamicRange(n, n.input(0));
    const Term a = n.d.cast(range.whole - range.zero, ir::DType::Int32);
    const Term real = n.d.cast(n.d.matmul(a, *b), ir::DType::Float32) * (range.scale * n.input(2));
    return {n.has(4) ? real + n.input(4) : real};
}

/// (A, zero, B, zero)
Parts mulInteger(N &n)
{
    const auto a = centred(n, 0, 1), b = centred(n, 2, 3);
    return a && b ? Parts{*a * *b} : n.refuse(std::string(severalSteps));
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
