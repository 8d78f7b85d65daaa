// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/quantization.h"

#include "core/base/formatted.h"
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/rules.h"
#include "core/ops/creation.h"
#include "core/ops/demands/demands.h"
#include "core/ops/facts/broadcast.h"
#include "core/ops/network/activation.h"
#include "core/ops/network/matrix_product.h"
#include "core/ops/network/matrix_shape.h"
#include "core/ops/network/quantization_onnx.h"
#include "core/ops/special/rules.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/ops/tensor/joining.h"

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::DType;
using ir::Shape;

/// Returns the first argument's shape with the requested dtype; if the argument is a list, a list.
Answer retyped(const Call &call, std::optional<DType> dtype)
{
    if (const auto *list = call[0u].as<SequenceFact>()) {
        SequenceFact made = *list;
        for (Fact &item : made.each())
            if (const TensorFact *tensor = asTensor(item))
                item = tensorFact(dtype, tensor->shape);
        return {made};
    }
    return {tensorFact(dtype, shapeAt(call, 0))};
}

Answer quantize(const Call &call) { return retyped(call, call.dtype("dtype")); }

Answer quantizeAffine(const Call &call) { return retyped(call, call.dtype("output_dtype")); }

Answer dequantize(const Call &call)
{
    const auto asked = call.dtype("out_dtype"), named = call.dtype("output_dtype");
    return retyped(call, asked ? asked : named ? named : std::optional(DType::Float32));
}

Answer likeQuantized(const Call &call) { return retyped(call, call.dtypeOf(0u)); }

template <DType dtype>
Answer typed(const Call &call)
{
    return retyped(call, dtype);
}

Answer likeAndMask(const Call &call)
{
    return {tensorFact(call.dtypeOf(0u), shapeAt(call, 0)), tensorFact(DType::Bool, shapeAt(call, 0))};
}

/// Returns the dtype of the integers that a quantized dtype holds; quantizedType() does the reverse.
std::optional<DType> plainType(std::optional<DType> dtype)
{
    if (!dtype)
        return std::nullopt;
    switch (*dtype) {
    case DType::QInt8:
        return DType::Int8;
    case DType::QUInt8:
    case DType::QUInt4x2:
    case DType::QUInt2x4:
        return DType::UInt8;
    case DType::QInt32:
        return DType::Int32;
    default:
        return std::nullopt;
    }
}

std::optional<DType> quantizedType(std::optional<DType> dtype)
{
    for (const DType each : {DType::QInt8, DType::QUInt8, DType::QInt32})
        if (dtype && plainType(each) == dtype)
            return each;
    return std::nullopt;
}

Answer intRepr(const Call &call) { return retyped(call, plainType(call.dtypeOf(0u))); }

Answer makeQuantized(const Call &call) { return retyped(call, quantizedType(call.dtypeOf(0u))); }

Answer emptyQuantized(const Call &call)
{
    const auto size = call.sizes("size");
    const auto dtype = call.dtype("dtype");
    return size ? Answer{tensorFact(dtype, size)} : onlyType(dtype, "size unknown");
}

/// Block floating point: returns the bytes, whose number depends on the kind of block, and the shape and strides of
/// the original, as in quantization_defs.cc of ONNX Runtime.
Answer blockQuantize(const Call &call)
{
    const Shape *shape = call.shape(0u);
    const auto rank = shape ? std::optional(Shape{static_cast<std::int64_t>(shape->size())}) : Shape{ir::UnknownDim{}};
    return {tensorFact(DType::UInt8, Shape{call.freshSize("bytes")}),
            shape ? vectorTensor(DType::Int64, {shape->begin(), shape->end()}) : tensorFact(DType::Int64, rank),
            tensorFact(DType::Int64, rank)};
}

Answer blockDequantize(const Call &call)
{
    const auto dtype = call.has("dtype") ? call.dtype("dtype") : DType::Float32;
    if (const auto shape = sizesIn(call.tensor(1u)))
        return {tensorFact(dtype, Shape(shape->begin(), shape->end()))};
    return onlyType(dtype, "shape unknown");
}

// ---- Parameters

Answer aFloat(const Call &) { return {floatFact()}; }

Answer anInt(const Call &) { return {intFact()}; }

Answer floatAndInt(const Call &) { return {floatFact(), intFact()}; }

Answer channelScales(const Call &) { return {tensorFact(DType::Float64, Shape{ir::UnknownDim{}})}; }

Answer channelZeroPoints(const Call &) { return {tensorFact(DType::Int64, Shape{ir::UnknownDim{}})}; }

Answer chosenParameters(const Call &)
{
    return {tensorFact(DType::Float64, Shape{std::int64_t{1}}), tensorFact(DType::Int64, Shape{std::int64_t{1}})};
}

Answer chosenPerToken(const Call &call)
{
    auto shape = shapeAt(call, 0);
    if (shape && !shape->empty())
        shape->back() = std::int64_t{1};
    return {tensorFact(DType::Float64, shape), tensorFact(DType::Int64, shape)};
}

// ---- Packed weights: an object that holds weight and bias

/// Returns the weight: the argument itself, or the weight in the object that was packed.
const TensorFact *weightOf(const Fact &packed)
{
    const Fact *held = heldBy(packed, "weight") ? heldBy(packed, "weight") : heldBy(packed, "w");
    const Fact *tensors = held ? nullptr : heldBy(packed, "tensors"); // a packed embedding holds a list with its table
    if (const auto *list = tensors ? tensors->as<SequenceFact>() : nullptr; list && list->each().size() == 1)
        held = &list->each().front();
    return asTensor(held ? *held : packed);
}

Answer pack(const Call &call) { return {objectFact({{"weight", call[0u]}, {"bias", call[1u]}})}; }

Answer unpackWeight(const Call &call)
{
    const Fact *weight = heldBy(call[0u], "weight"), *bias = heldBy(call[0u], "bias");
    if (!weight)
        return unknown("what was packed is not known");
    return {*weight, bias ? *bias : Fact(NoneFact{})};
}

Answer unpackRows(const Call &call)
{
    const TensorFact *weight = weightOf(call[0u]);
    return weight ? Answer{*weight} : unknown("what was packed is not known");
}

/// Returns the input's shape with `columns` as its last dimension.
Answer linearOf(const Call &call, std::optional<DType> dtype, const Dim &columns)
{
    auto shape = shapeAt(call, 0);
    if (!shape || shape->empty())
        return onlyType(dtype, "input shape unknown");
    shape->back() = columns;
    Facts facts{tensorFact(dtype, std::move(shape))};
    return isKnown(columns) ? Answer(std::move(facts))
                            : Answer(std::move(facts), unknown("what the packed weight holds is not known"));
}

Dim rowsOf(const Fact &packed)
{
    const TensorFact *weight = weightOf(packed);
    return weight && weight->shape && !weight->shape->empty() ? weight->shape->front() : Dim(ir::UnknownDim{});
}

Answer quantizedLinear(const Call &call) { return linearOf(call, call.dtypeOf(0u), rowsOf(call[1u])); }

Answer linearToFloat(const Call &call) { return linearOf(call, DType::Float32, rowsOf(call[1u])); }

Answer linearFp16(const Call &call)
{
    const TensorFact *bias = call.tensor(2u);
    const bool isKnownBias = bias && bias->shape && bias->shape->size() == 1;
    return linearOf(call, DType::Float32, isKnownBias ? bias->shape->front() : Dim(ir::UnknownDim{}));
}

Answer linearDequantized(const Call &call) { return linearOf(call, DType::Float32, rowsOf(call["W_prepack"])); }

Answer linearOfChannels(const Call &call)
{
    const auto channels = call.size("out_channel"), features = call.size("out_features");
    const auto dtype = features ? call.dtypeOf(0u) : std::optional(DType::Float32);
    return linearOf(call, dtype, channels ? *channels : features.value_or(ir::UnknownDim{}));
}

/// Counts a multiply-add per weight and row.
Dim linearWork(const Call &call, std::span<const Fact> results)
{
    const Shape *input = call.shape(0u);
    if (!input || input->empty())
        return ir::UnknownDim{};
    return times({std::int64_t{2}, onePerResult(call, results).otherFlops, input->back()});
}

Cost quantizedLinearCost(const Call &call, std::span<const Fact> results) { return {linearWork(call, results)}; }

/// Packs weights of 4 bits for a kernel that reads tiles of eight rows. A weight of bytes has two columns in each byte.
Answer packInt4(const Call &call)
{
    const Shape *weight = call.shape(0u);
    const auto tiles = call.size("innerKTiles");
    if (!weight || weight->size() != 2 || !tiles)
        return onlyType(DType::Int32, "weight shape unknown");
    const bool areBytes = call.dtypeOf(0u) == DType::UInt8;
    const Dim columns = areBytes ? times((*weight)[1], std::int64_t{2}) : (*weight)[1];
    return {tensorFact(DType::Int32,
                       Shape{floorDivide((*weight)[0], std::int64_t{8}),
                             floorDivide(columns, times(*tiles, std::int64_t{16})), std::int64_t{32},
                             floorDivide(*tiles, std::int64_t{2})})};
}

Answer packInt4ForCpu(const Call &call)
{
    const Shape *weight = call.shape(0u);
    if (!weight || weight->size() != 2)
        return onlyType(DType::UInt8, "weight shape unknown");
    return {tensorFact(DType::UInt8, Shape{(*weight)[0], floorDivide((*weight)[1], std::int64_t{2})})};
}

template <std::int64_t rowsPerTile>
Answer packedMm(const Call &call)
{
    return linearOf(call, call.dtypeOf(0u), times(rowsOf(call[1u]), rowsPerTile));
}

// ---- quantized::

Answer quantizedMatmul(const Call &call)
{
    const Shape *a = call.shape(0u), *b = call.shape(1u);
    if (!a || !b)
        return onlyType(call.dtypeOf(0u), "factor shape unknown");
    auto shape = productShape(call, *a, *b);
    if (!shape)
        return wrong(formatted("cannot multiply {} by {}", ir::print(*a), ir::print(*b)));
    return {tensorFact(call.dtypeOf(0u), std::move(shape))};
}

Cost quantizedMatmulCost(const Call &call, std::span<const Fact>)
{
    return productCost(call.shape(0u), call.shape(1u));
}

/// The operands are two tensors, or a tensor and a number in either order.
Answer quantizedBinary(const Call &call)
{
    const TensorFact *a = call.tensor(0u), *b = call.tensor(1u);
    if (!a || !b)
        return a || b ? Answer{tensorFact((a ? a : b)->dtype, (a ? a : b)->shape)} : unknown("no operand is a tensor");
    if (!a->shape || !b->shape)
        return onlyType(a->dtype, "number of dimensions of an operand unknown");
    auto shape = broadcast(*a->shape, *b->shape);
    if (!shape)
        return wrong(formatted("cannot broadcast {} with {}", ir::print(*a->shape), ir::print(*b->shape)));
    return {tensorFact(a->dtype, std::move(shape))};
}

Answer quantizedConcatenate(const Call &call)
{
    const auto parts = call.tensors("qx");
    const auto dim = call.integer("dim");
    if (!parts || parts->empty() || !parts->front() || !dim)
        return unknown("tensors to concatenate unknown");
    const auto dtype = parts->front()->dtype;
    std::optional<Shape> shape;
    for (const TensorFact *part : *parts) {
        const auto at = part && part->shape ? dimension(*dim, part->shape->size()) : std::nullopt;
        if (!at || (shape && shape->size() != part->shape->size()))
            return onlyType(dtype, "tensor shape unknown");
        if (shape)
            (*shape)[*at] = plus((*shape)[*at], (*part->shape)[*at]);
        else
            shape = part->shape;
    }
    return {tensorFact(dtype, std::move(shape))};
}

Answer packedEmbedding(const Call &call)
{
    const Shape *indices = call.shape(1u);
    const TensorFact *weight = weightOf(call[0u]);
    if (!indices)
        return onlyType(DType::Float32, "indices shape unknown");
    Shape shape = *indices;
    const bool isKnownWeight = weight && weight->shape && weight->shape->size() == 2;
    shape.push_back(isKnownWeight ? weight->shape->back() : Dim(ir::UnknownDim{}));
    return {tensorFact(DType::Float32, std::move(shape))};
}

/// Returns one row per bag. Rows of bytes are followed by their scale and offset; packed weights know their width.
template <std::int64_t elementsPerByte, std::int64_t bytesBehind>
Answer packedEmbeddingBag(const Call &call)
{
    const Shape *indices = call.shape("indices"), *offsets = call.shape("offsets");
    const TensorFact *weight = weightOf(call[0u]);
    const bool isPlain = call[0u].as<TensorFact>() != nullptr;
    Dim bags = ir::UnknownDim{}, width = ir::UnknownDim{};
    if (offsets && offsets->size() == 1)
        bags = call.flag("include_last_offset").value_or(false) ? minus(offsets->front(), std::int64_t{1})
                                                                : offsets->front();
    else if (indices && indices->size() == 2)
        bags = indices->front();
    if (weight && weight->shape && weight->shape->size() == 2)
        width = isPlain ? times(minus(weight->shape->back(), bytesBehind), elementsPerByte) : weight->shape->back();
    return {tensorFact(DType::Float32, Shape{std::move(bags), std::move(width)})};
}

constexpr Operator quantizationRows[] = {
    Operator("quantized_decomposed::quantize_per_tensor quantized_decomposed::quantize_per_channel",
             Category::Quantization, Pattern::Other, quantize, onePerArgument,
             {.compute = compute::quantizeDecomposed}),
    Operator("aten::quantize_per_tensor aten::quantize_per_tensor_dynamic aten::quantize_per_channel "
             "quantized_decomposed::quantize_per_token quantized_decomposed::quantize_per_channel_group",
             Category::Quantization, Pattern::Other, quantize, onePerArgument),
    Operator("torchao::quantize_affine", Category::Quantization, Pattern::Other, quantizeAffine, onePerArgument),
    Operator("quantized_decomposed::dequantize_per_tensor quantized_decomposed::dequantize_per_channel",
             Category::Quantization, Pattern::Other, dequantize, onePerArgument, {.compute = compute::dequantize}),
    Operator("aten::dequantize quantized_decomposed::dequantize_per_token "
             "quantized_decomposed::dequantize_per_channel_group torchao::dequantize_affine",
             Category::Quantization, Pattern::Other, dequantize, onePerArgument),
    Operator("aten::fake_quantize_per_tensor_affine", Category::Quantization, Pattern::Other, likeQuantized,
             onePerArgument,
             {.compute = compute::fakeQuantize,
              .formula = "steps = clamp(round(self * (1 / scale)) + zero_point, quant_min, quant_max); "
                         "(steps - zero_point) * scale if not isTensor(scale)",
              .cpuAutocast = CastTo::Float32}),
    Operator("aten::fake_quantize_per_channel_affine", Category::Quantization, Pattern::Other, likeQuantized,
             onePerArgument, {.compute = compute::fakeQuantize}),
    Operator("aten::_fake_quantize_learnable_per_tensor_affine aten::_fake_quantize_learnable_per_channel_affine "
             "aten::fused_moving_avg_obs_fake_quant quantized_decomposed::fake_quant_per_channel",
             Category::Quantization, Pattern::Other, likeQuantized, onePerArgument),
    Operator("aten::fake_quantize_per_tensor_affine_cachemask aten::fake_quantize_per_channel_affine_cachemask "
             "aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams aten::_fused_moving_avg_obs_fq_helper",
             Category::Quantization, Pattern::Other, likeAndMask, onePerArgument),
    Operator("aten::int_repr", Category::Quantization, Pattern::Other, intRepr),
    Operator("aten::_make_per_tensor_quantized_tensor aten::_make_per_channel_quantized_tensor", Category::Quantization,
             Pattern::Other, makeQuantized),
    Operator("aten::_empty_affine_quantized aten::_empty_per_channel_affine_quantized aten::empty_quantized",
             Category::Quantization, Pattern::Other, emptyQuantized),
    Operator("aten::q_scale", Category::Quantization, Pattern::Other, aFloat),
    Operator("aten::q_zero_point aten::q_per_channel_axis aten::qscheme", Category::Quantization, Pattern::Other,
             anInt),
    Operator("aten::q_per_channel_scales", Category::Quantization, Pattern::Other, channelScales),
    Operator("aten::q_per_channel_zero_points", Category::Quantization, Pattern::Other, channelZeroPoints),
    Operator("aten::_choose_qparams_per_tensor", Category::Quantization, Pattern::Other, floatAndInt, onePerArgument),
    Operator("quantized_decomposed::choose_qparams quantized_decomposed::choose_qparams_symmetric",
             Category::Quantization, Pattern::Other, chosenParameters, onePerArgument),
    Operator("quantized_decomposed::choose_qparams_per_token "
             "quantized_decomposed::_choose_qparams_per_token_asymmetric_impl "
             "quantized_decomposed::choose_qparams_per_token_asymmetric",
             Category::Quantization, Pattern::Other, chosenPerToken, onePerArgument),

    Operator("quantized::linear_prepack quantized::linear_prepack_fp16 _quantized::linear_prepack "
             "quantized::embedding_bag_prepack prepacked::linear_clamp_prepack",
             Category::Quantization, Pattern::Other, pack),
    Operator("quantized::linear_unpack quantized::linear_unpack_fp16", Category::Quantization, Pattern::Other,
             unpackWeight),
    Operator("quantized::embedding_bag_unpack", Category::Quantization, Pattern::Other, unpackRows),
    Operator("quantized::linear _quantized::linear", Category::MatrixProduct, Pattern::Other, quantizedLinear,
             quantizedLinearCost, {.kind = kind::linear}),
    Operator("quantized::linear_relu quantized::linear_leaky_relu quantized::linear_tanh prepacked::linear_clamp_run",
             Category::MatrixProduct, Pattern::Other, quantizedLinear, quantizedLinearCost),
    Operator("quantized::linear_dynamic quantized::linear_relu_dynamic quantized::linear_dynamic_fp16 "
             "quantized::linear_relu_dynamic_fp16 quantized::linear_dynamic_fp16_unpacked_weight "
             "_quantized::linear_dynamic",
             Category::MatrixProduct, Pattern::Other, linearToFloat, quantizedLinearCost),
    Operator("aten::fbgemm_linear_int8_weight aten::fbgemm_linear_int8_weight_fp32_activation", Category::MatrixProduct,
             Pattern::Other, linearToFloat, quantizedLinearCost),
    Operator("quantized::linear_with_input_q_dq_qweight_dq_output_fp32 "
             "quantized::linear_with_input_q_dq_qweight_dq_relu_output_fp32",
             Category::MatrixProduct, Pattern::Other, linearDequantized, quantizedLinearCost),
    Operator("aten::fbgemm_linear_fp16_weight aten::fbgemm_linear_fp16_weight_fp32_activation", Category::MatrixProduct,
             Pattern::Other, linearFp16, quantizedLinearCost),
    Operator("aten::_wrapped_quantized_linear_prepacked _quantized::_wrapped_quantized_linear_prepacked "
             "_quantized::wrapped_quantized_linear _quantized::wrapped_fbgemm_linear_fp16_weight "
             "aten::_dyn_quant_matmul_4bit",
             Category::MatrixProduct, Pattern::Other, linearOfChannels, quantizedLinearCost),
    Operator("aten::_convert_weight_to_int4pack", Category::Quantization, Pattern::Other, packInt4),
    Operator("aten::_convert_weight_to_int4pack_for_cpu", Category::Quantization, Pattern::Other, packInt4ForCpu),
    Operator("aten::_weight_int4pack_mm", Category::MatrixProduct, Pattern::Other, packedMm<8>, quantizedLinearCost),
    Operator("aten::_weight_int4pack_mm_for_cpu aten::_weight_int4pack_mm_with_scales_and_zeros",
             Category::MatrixProduct, Pattern::Other, packedMm<1>, quantizedLinearCost),
    Operator("aten::_weight_int8pack_mm", Category::MatrixProduct, Pattern::Other, packedMm<1>, quantizedLinearCost,
             {.compute = compute::productOfInt8Weights}),
    Operator("quantized::matmul", Category::MatrixProduct, Pattern::Other, quantizedMatmul, quantizedMatmulCost,
             {.kind = kind::matmul}),
    Operator("quantized::add _quantized::add", Category::Elementwise, Pattern::Pointwise, quantizedBinary, onePerResult,
             {.kind = kind::add}),
    Operator("quantized::add_scalar quantized::mul_scalar quantized::add_relu quantized::add_scalar_relu "
             "quantized::mul_relu "
             "quantized::mul_scalar_relu quantized::add_out quantized::mul_out quantized::add_relu_out "
             "quantized::mul_relu_out",
             Category::Elementwise, Pattern::Pointwise, quantizedBinary, onePerResult),
    Operator("quantized::mul", Category::Elementwise, Pattern::Pointwise, quantizedBinary, onePerResult,
             {.kind = kind::mul}),
    Operator("quantized::cat", Category::ShapeView, Pattern::Moving, quantizedConcatenate, nullptr,
             {.kind = kind::cat}),
    Operator("quantized::cat_relu quantized::cat_out quantized::cat_relu_out", Category::ShapeView, Pattern::Moving,
             quantizedConcatenate),
    Operator("quantized::embedding_byte quantized::embedding_4bit", Category::Indexing, Pattern::Picking,
             packedEmbedding),
    Operator("quantized::embedding_bag_byte quantized::embedding_bag_byte_rowwise_offsets", Category::Indexing,
             Pattern::Picking, packedEmbeddingBag<1, 8>, onePerResult),
    Operator("quantized::embedding_bag_4bit quantized::embedding_bag_4bit_rowwise_offsets", Category::Indexing,
             Pattern::Picking, packedEmbeddingBag<2, 4>, onePerResult),
    Operator("quantized::embedding_bag_2bit_rowwise_offsets", Category::Indexing, Pattern::Picking,
             packedEmbeddingBag<4, 4>, onePerResult),
    Operator(
        "quantized::celu quantized::elu quantized::hardswish quantized::leaky_relu quantized::prelu quantized::relu6 "
        "quantized::threshold",
        Category::Activation, Pattern::Pointwise, likeQuantized, onePerResult),
    Operator("quantized::clamp", Category::Activation, Pattern::Pointwise, likeQuantized, onePerResult,
             {.kind = kind::clamp}),
    Operator("quantized::sigmoid", Category::Activation, Pattern::Pointwise, likeQuantized, onePerResult,
             {.kind = kind::sigmoid}),
    Operator("quantized::softmax", Category::Activation, Pattern::AlongAxis, likeQuantized, onePerResult,
             {.kind = kind::softmax}),
    Operator("quantized::dropout", Category::Activation, Pattern::Pointwise, likeQuantized, onePerResult,
             {.kind = kind::dropout}),

    Operator("onnx::QuantizeLinear", Category::Quantization, Pattern::Other, onnxQuantize, onePerArgument,
             {.compute = compute::quantize, .demand = demand::quantization}),
    Operator("com.microsoft::QuantizeLinear", Category::Quantization, Pattern::Other, onnxQuantize, onePerArgument),
    Operator("onnx::DequantizeLinear", Category::Quantization, Pattern::Other, onnxDequantize, onePerArgument,
             {.compute = compute::dequantize, .demand = demand::quantization, .parameters = {0}}),
    Operator("com.microsoft::DequantizeLinear", Category::Quantization, Pattern::Other, onnxDequantize, onePerArgument,
             {.parameters = {0}}),
    Operator("onnx::DynamicQuantizeLinear", Category::Quantization, Pattern::Other, dynamicQuantize, onePerArgument,
             {.compute = compute::dynamicQuantize}),
    Operator("com.microsoft::QLinearAdd com.microsoft::QLinearMul", Category::Elementwise, Pattern::Pointwise,
             qlinearBinary, onePerResult, {.parameters = {0, 3}}),
    Operator("com.microsoft::QLinearSigmoid com.microsoft::QLinearLeakyRelu com.microsoft::QLinearSoftmax "
             "com.microsoft::QOrderedGelu",
             Category::Activation, Pattern::Pointwise, likeQuantized, onePerResult),
    Operator("com.microsoft::QLinearConcat", Category::ShapeView, Pattern::Moving, qlinearConcat),
    Operator("com.microsoft::QLinearWhere", Category::Elementwise, Pattern::Pointwise, qlinearWhere),
    Operator("com.microsoft::QuantizeWithOrder", Category::Quantization, Pattern::Other, orderedQuantize,
             onePerArgument),
    Operator("com.microsoft::DequantizeWithOrder", Category::Quantization, Pattern::Other, orderedDequantize,
             onePerArgument, {.parameters = {0}}),
    Operator("com.microsoft::QuantizeBFP", Category::Quantization, Pattern::Other, blockQuantize, onePerArgument),
    Operator("com.microsoft::DequantizeBFP", Category::Quantization, Pattern::Other, blockDequantize, onePerResult,
             {.parameters = {0}}),
    Operator("com.microsoft::MulInteger", Category::Elementwise, Pattern::Pointwise, integerProduct, onePerResult),

    Operator(
        "aten::choose_qparams_optimized aten::_fused_moving_avg_obs_fq_helper_functional "
        "aten::fbgemm_linear_quantize_weight aten::fbgemm_pack_gemm_matrix_fp16 aten::fbgemm_pack_quantized_matrix "
        "aten::_wrapped_linear_prepack aten::_dyn_quant_pack_4bit_weight aten::_saturate_weight_to_fp16 "
        "quantized::linear_prepack_legacy quantized::linear_prepack_fp16_legacy quantized::conv_unpack "
        "quantized::conv1d_unpack quantized::conv2d_unpack quantized::conv3d_unpack quantized::conv_transpose1d_unpack "
        "quantized::conv_transpose2d_unpack quantized::conv_transpose3d_unpack quantized::embedding_bag_byte_prepack "
        "quantized::embedding_bag_byte_unpack quantized::embedding_bag_4bit_prepack "
        "quantized::embedding_bag_4bit_unpack "
        "quantized::embedding_bag_2bit_prepack quantized::embedding_bag_2bit_unpack",
        Category::Quantization, Pattern::Other),
};

} // namespace

std::span<const Operator> quantizationOperators() { return quantizationRows; }

} // namespace cutaway::ops
