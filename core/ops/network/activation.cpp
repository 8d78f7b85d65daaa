// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/activation.h"

#include "core/ops/arguments/softmax_arguments.h"
#include "core/ops/compute/rules.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/elementwise.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/facts/size_algebra.h"

#include <cmath>

namespace cutaway::ops {

namespace {

using enum ResultType;

/// max(0, x). Its elements are followed, because graphs apply it to sizes now and then.
Answer rectified(const Call &call)
{
    const Operands operands{&call[0u]};
    return elementwise(call, operands, dtypeOf(call, operands, First), [](std::span<const ir::Dim> row) {
        return compute(Arithmetic::Maximum, row[0], std::int64_t{0});
    });
}

/// Returns the input's shape with half the size along `dim`: one half gates the other.
Answer halved(const Call &call, std::int64_t dim)
{
    const TensorFact *self = call.tensor(0u);
    if (!self || !self->shape)
        return unknown("input rank unknown");
    const auto axis = dimension(dim, self->shape->size());
    if (!axis)
        return wrong("there is no dimension " + std::to_string(dim) + " in " + ir::print(*self->shape));
    TensorFact result = tensorFact(self->dtype, self->shape);
    ir::Dim &size = result.shape.edit()[*axis];
    if (isOne(modulo(size, std::int64_t{2})))
        return wrong("cannot halve a dimension of size " + ir::print(size));
    const ir::Dim two = std::int64_t{2};
    size = quotient({&size, 1}, {&two, 1});
    return {result};
}

Answer gated(const Call &call)
{
    const auto dim = call.integer("dim");
    return dim ? halved(call, *dim) : unknown("dimension unknown");
}

Answer biasSplitGelu(const Call &call) { return halved(call, -1); }

/// Returns a result of the requested dtype, or else of the input's.
Answer softmax(const Call &call)
{
    const auto asked = softmaxArguments(call).dtype;
    const Operands operands{&call[0u]};
    return elementwise(call, operands, asked ? *asked : call.dtypeOf(0u));
}

Answer softmaxGradient(const Call &call)
{
    const TensorFact *gradient = call.tensor(0u);
    return {tensorFact(call.dtype("input_dtype"), gradient ? gradient->shape : std::nullopt)};
}

/// The five operations of an element: maximum, difference, exponential, sum, quotient.
constexpr CostRule softmaxCost = perElement<5>;

// Dropout is the identity in evaluation. In training it draws random numbers and scales with them.

/// The second result is a mask of booleans.
Answer withMask(const Call &call)
{
    const Operands operands{&call[0u]};
    Answer answer = elementwise(call, operands, call.dtypeOf(0u));
    TensorFact mask = *asTensor(answer.facts[0]);
    mask.dtype = ir::DType::Bool;
    answer.facts.push_back(std::move(mask));
    answer.facts.resize(call.resultCount());
    return answer;
}

/// ONNX's mask was of the data's type before opset 10.
Answer onnxDropout(const Call &call)
{
    Answer answer = withMask(call);
    if (answer.facts.size() > 1 && call.opset() < 10)
        answer.facts[1] = answer.facts[0];
    return answer;
}

/// Returns a mask with one bit per element, in words of 32.
Answer withBitMask(const Call &call)
{
    Answer answer = likeFirst(call);
    const TensorFact *output = asTensor(answer.facts[0]);
    ir::Shape words{output->shape ? ceilDivide(elementsOf(*output->shape), std::int64_t{32})
                                  : ir::Dim(ir::UnknownDim{})};
    answer.facts.push_back(tensorFact(ir::DType::UInt32, std::move(words)));
    answer.facts.resize(call.resultCount());
    return answer;
}

/// Adds a second result, which keeps for the gradient what the first result is computed from.
Answer withBuffer(const Call &call)
{
    Answer answer = likeFirst(call);
    answer.facts.push_back(Fact(answer.facts[0]));
    return answer;
}

Answer withNoise(const Call &call)
{
    Answer answer = likeFirst(call);
    const TensorFact *noise = call.tensor("noise");
    answer.facts.push_back(noise ? Fact(tensorFact(noise->dtype, noise->shape)) : Fact());
    return answer;
}

constexpr Operator activationRows[] = {
    Operator("aten::relu onnx::Relu", Category::Activation, Pattern::Pointwise, rectified, onePerResult,
             {.compute = compute::unary<compute::relu>, .onQuantized = OnQuantized::KeepsSteps, .roundsOnce = true}),
    Operator("torch.nn.functional::softsign torch.nn.functional::tanhshrink torch.nn.functional::dropout1d "
             "torch.nn.functional::dropout2d torch.nn.functional::dropout3d",
             Category::Activation, Pattern::Pointwise, likeFirst, unknownOther),
    Operator("torch.nn.functional::softmin", Category::Activation, Pattern::AlongAxis, likeFirst, unknownOther),
    Operator("aten::relu6", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::unary<compute::relu6>,
              .formula = "clamp(self, 0, 6)",
              .onQuantized = OnQuantized::RoundsAgain}),
    Operator("aten::threshold onnx::ThresholdedRelu", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::threshold,
              .formula = "where(self <= threshold, value if isFloating(self) else cast(value, dtype(self)), self)",
              .onQuantized = OnQuantized::RoundsAgain}),
    Operator("aten::leaky_relu onnx::LeakyRelu", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::leakyRelu, .onQuantized = OnQuantized::RoundsAgain}),
    Operator("aten::_prelu_kernel", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.formula = "where(self > 0, self, weight * self)"}),
    Operator("aten::prelu onnx::PRelu", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::prelu,
              .demand = demand::slope,
              .cpuAutocast = CastTo::Lower,
              .cudaAutocast = CastTo::Lower}),
    Operator("aten::elu onnx::Elu", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::elu,
              .formula = "where(self > 0, self * scale, expm1(self * input_scale) * (alpha * scale))"}),
    Operator("aten::selu onnx::Selu", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::selu, .formula = "elu(self, 1.6732632423543772, 1.0507009873554805)"}),
    Operator("aten::celu onnx::Celu", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::celu, .formula = "elu(self, alpha, 1, 1 / alpha) if alpha != 0"}),
    Operator("aten::gelu onnx::Gelu", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::gelu}),
    Operator("com.microsoft::Gelu", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::gelu}),
    Operator("com.microsoft::FastGelu com.microsoft::BiasGelu com.microsoft::QuickGelu", Category::Activation,
             Pattern::Pointwise, likeFirst, onePerResult),
    Operator("aten::silu", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::unary<compute::silu>, .formula = "self * sigmoid(self)"}),
    Operator("aten::mish onnx::Mish", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::unary<compute::mish>, .formula = "self * tanh(softplus(self))"}),
    Operator("aten::hardswish onnx::HardSwish", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::unary<compute::hardSwish>, .formula = "self * clamp(self + 3, 0, 6) / 6"}),
    Operator("aten::hardsigmoid onnx::HardSigmoid", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::hardSigmoid,
              .formula = "clamp(self + 3, 0, 6) / 6",
              .onQuantized = OnQuantized::TakesUnit}),
    Operator("onnx::Swish", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::swish}),
    Operator("aten::hardtanh", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::hardTanh, .onQuantized = OnQuantized::RoundsAgain}),
    Operator("onnx::Softsign", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::unary<compute::softSign>}),
    Operator("aten::log_sigmoid", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::unary<compute::logSigmoid>, .formula = "minimum(self, 0) - log1p(exp(-abs(self)))"}),
    Operator("aten::hardshrink", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::hardShrink, .formula = "where(abs(self) <= lambd, 0, self)"}),
    Operator(
        "aten::softshrink", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
        {.compute = compute::softShrink, .formula = "where(abs(self) > lambd, self - sign(self) * lambd, self * 0)"}),
    Operator("onnx::Shrink", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::shrink}),
    Operator("onnx::ParametricSoftplus onnx::ScaledTanh", Category::Activation, Pattern::Pointwise, likeFirst,
             onePerResult),
    Operator(
        "aten::softplus onnx::Softplus", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
        {.compute = compute::softplus,
         .formula = "scaled = self * beta; where(scaled > threshold, self, log1p(exp(scaled)) / beta) if beta != 0",
         .cudaAutocast = CastTo::Float32}),
    Operator(
        "aten::sigmoid=special_expit onnx::Sigmoid", Category::Activation, Pattern::Pointwise,
        unary<Function::Nothing, Float>, onePerResult,
        {.kind = kind::sigmoid, .compute = compute::unary<compute::sigmoid>, .onQuantized = OnQuantized::TakesUnit}),
    Operator("aten::tanh onnx::Tanh prims::tanh", Category::Activation, Pattern::Pointwise,
             unary<Function::Nothing, Float>, onePerResult,
             {.compute = compute::unary<std::tanh>, .onQuantized = OnQuantized::TakesSigned}),
    Operator(
        "aten::logit=special_logit", Category::Activation, Pattern::Pointwise, unary<Function::Nothing, Float>,
        onePerResult,
        {.compute = compute::logit,
         .formula = "x = clamp(self, eps, 1 - eps) if not (eps is None) and eps >= 0 else self; log(x / (1 - x))"}),
    Operator("aten::log_sigmoid_forward", Category::Activation, Pattern::Pointwise, withBuffer, onePerResult),
    Operator("aten::rrelu aten::rrelu_with_noise", Category::Activation, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::rrelu,
              .formula = "leaky_relu(self, (lower + upper) / 2) if not training",
              .effect = Effect::Random}),
    Operator("aten::rrelu_with_noise_functional", Category::Activation, Pattern::Pointwise, withNoise, onePerArgument,
             {.effect = Effect::Random}),
    Operator(
        "aten::glu", Category::Activation, Pattern::AlongAxis, gated, onePerResult,
        {.compute = compute::glu,
         .formula =
             "half = size(self, dim) // 2; slice(self, dim, 0, half) * sigmoid(slice(self, dim, half, 2 * half))"}),
    Operator("com.microsoft::BiasSplitGelu", Category::Activation, Pattern::Pointwise, biasSplitGelu, perElement<2>),
    Operator("com.microsoft::BiasAdd", Category::Activation, Pattern::Pointwise, likeFirst, perElement<2>),
    Operator("aten::sigmoid_backward aten::tanh_backward aten::hardsigmoid_backward aten::hardswish_backward "
             "aten::threshold_backward aten::leaky_relu_backward aten::gelu_backward aten::silu_backward "
             "aten::mish_backward "
             "aten::softplus_backward aten::softshrink_backward aten::hardshrink_backward aten::hardtanh_backward "
             "aten::log_sigmoid_backward aten::logit_backward aten::rrelu_with_noise_backward",
             Category::Activation, Pattern::Pointwise, pointwise<2, ResultType::Promoted>, perElement<2>),
    Operator("aten::elu_backward", Category::Activation, Pattern::Pointwise, likeFirst, perElement<2>),
    Operator("aten::glu_jvp", Category::Activation, Pattern::Pointwise, likeFirst, perElement<3>),

    Operator("aten::softmax onnx::Softmax", Category::Activation, Pattern::AlongAxis, softmax, softmaxCost,
             {.kind = kind::softmax,
              .compute = compute::softmax,
              .demand = demand::axis,
              .cudaAutocast = CastTo::Float32UnlessTyped}),
    Operator("aten::special_softmax aten::_softmax", Category::Activation, Pattern::AlongAxis, softmax, softmaxCost,
             {.kind = kind::softmax, .compute = compute::softmax}),
    Operator("aten::_safe_softmax", Category::Activation, Pattern::AlongAxis, softmax, softmaxCost,
             {.kind = kind::softmax,
              .compute = compute::softmax,
              .formula = "where(all(self == -inf, dim, True), 0, softmax(self, dim, dtype=dtype))"}),
    Operator("aten::_masked_softmax com.microsoft::BiasSoftmax", Category::Activation, Pattern::Pointwise, softmax,
             softmaxCost),
    Operator("aten::log_softmax onnx::LogSoftmax", Category::Activation, Pattern::AlongAxis, softmax, softmaxCost,
             {.kind = kind::logSoftmax,
              .compute = compute::logSoftmax,
              .demand = demand::axis,
              .cudaAutocast = CastTo::Float32UnlessTyped}),
    Operator("aten::special_log_softmax aten::_log_softmax", Category::Activation, Pattern::AlongAxis, softmax,
             softmaxCost, {.kind = kind::logSoftmax, .compute = compute::logSoftmax}),
    Operator("aten::_sparse_softmax aten::_sparse_log_softmax", Category::Activation, Pattern::Pointwise),

    Operator("aten::dropout aten::feature_dropout", Category::Activation, Pattern::Pointwise, likeFirst, nullptr,
             {.kind = kind::dropout,
              .compute = compute::dropout,
              .effect = Effect::Random,
              .place = placeOfUntrainedDropout,
              .onQuantized = OnQuantized::KeepsSteps}),
    Operator("aten::alpha_dropout aten::feature_alpha_dropout", Category::Activation, Pattern::Pointwise, likeFirst,
             nullptr,
             {.kind = kind::dropout,
              .compute = compute::dropout,
              .effect = Effect::Random,
              .place = placeOfUntrainedDropout}),
    Operator("aten::native_dropout_backward aten::_masked_scale", Category::Activation, Pattern::Pointwise,
             pointwise<1, ResultType::Float>, onePerResult),
    Operator("aten::_softmax_backward_data aten::_log_softmax_backward_data", Category::Activation, Pattern::Pointwise,
             softmaxGradient, softmaxCost),
    Operator("aten::native_dropout", Category::Activation, Pattern::Pointwise, withMask, nullptr,
             {.kind = kind::dropout, .compute = compute::dropout, .effect = Effect::Random}),
    Operator("com.microsoft::BiasDropout", Category::Activation, Pattern::Pointwise, withMask, nullptr,
             {.effect = Effect::Random}),
    Operator("aten::_fused_dropout", Category::Activation, Pattern::Pointwise, nullptr, nullptr,
             {.effect = Effect::Random}),
    Operator("onnx::Dropout", Category::Activation, Pattern::Pointwise, onnxDropout, nullptr,
             {.kind = kind::dropout,
              .compute = compute::dropout,
              .effect = Effect::Random,
              .demand = demand::droppedShare,
              .place = placeOfUntrainedDropout}),
    Operator("com.microsoft::BitmaskDropout com.microsoft::BitmaskBiasDropout", Category::Activation,
             Pattern::Pointwise, withBitMask, nullptr, {.effect = Effect::Random}),
};

} // namespace

std::span<const Operator> activationOperators() { return activationRows; }

} // namespace cutaway::ops
