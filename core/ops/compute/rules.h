// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/call.h"
#include "core/ops/compute/numbers.h"
#include "core/ops/operator.h"

/// Compute rules, which rows name as `compute`. They return nothing if an argument that they need is not known, or for
/// a case that they do not support. Results need not have their dtype yet, and are converted to it.
namespace cutaway::compute {

// elementwise.cpp, comparison.cpp: rules made of functions of numbers. Operands are broadcast and have the dtype of the
// result.
Answer unaryOf(const Call &call, const Unary &function);
Answer predicateOf(const Call &call, bool (*holds)(double));
Answer binaryOf(const Call &call, const Binary &function);
Answer accumulatedOf(const Call &call, const Binary &function);
Answer comparisonOf(const Call &call, const Binary &function);

template <double (*function)(double)>
Answer unary(const Call &call)
{
    return unaryOf(call, {function, nullptr});
}
template <const Unary &function>
Answer unary(const Call &call)
{
    return unaryOf(call, function);
}
template <bool (*holds)(double)>
Answer predicate(const Call &call)
{
    return predicateOf(call, holds);
}
template <const Binary &function>
Answer binary(const Call &call)
{
    return binaryOf(call, function);
}
/// Applies `function` to all inputs, from left to right.
template <const Binary &function>
Answer accumulated(const Call &call)
{
    return accumulatedOf(call, function);
}
/// Compares with a function for floats and integers alike, such as std::less{}. The operands have the dtype that they
/// promote to.
template <auto function>
Answer comparison(const Call &call)
{
    return comparisonOf(call,
                        {[](double a, double b) { return function(a, b) ? 1.0 : 0.0; },
                         [](Whole a, Whole b) -> MaybeWhole { return function(a, b); }});
}
inline constexpr auto logicalXor = [](auto a, auto b) { return (a != 0) != (b != 0); };

Answer averageOfAll(const Call &call);      ///< onnx::Mean
Answer bitShift(const Call &call);          ///< onnx::BitShift
Answer isInfiniteAsAsked(const Call &call); ///< onnx::IsInf
Answer isClose(const Call &call);
Answer isIn(const Call &call);
Answer isSame(const Call &call, bool wanted);
template <bool wanted>
Answer sameness(const Call &call) ///< whether two tensors are the same one or, if `wanted` is false, are not
{
    return isSame(call, wanted);
}
Answer lerp(const Call &call);
Answer nanToNumber(const Call &call);
Answer overwrite(const Call &call); ///< aten::copy
Answer addcdiv(const Call &call);
Answer addcmul(const Call &call);
Answer addScaled(const Call &call); ///< a + alpha·b
Answer bitNot(const Call &call);
Answer clamp(const Call &call);
Answer divideAsAsked(const Call &call); ///< rounds by `rounding_mode`
Answer maskedFill(const Call &call);
Answer onnxModulo(const Call &call);
Answer roundToEven(const Call &call);
Answer subtractScaled(const Call &call);         ///< a - alpha·b
Answer subtractScaledReversed(const Call &call); ///< b - alpha·a
Answer where(const Call &call);

// activation.cpp
Answer celu(const Call &call);
Answer elu(const Call &call);
Answer gelu(const Call &call);
Answer glu(const Call &call);
Answer hardShrink(const Call &call);
Answer hardSigmoid(const Call &call);
Answer hardTanh(const Call &call);
Answer leakyRelu(const Call &call);
Answer logit(const Call &call);
Answer prelu(const Call &call);
Answer rrelu(const Call &call); ///< in evaluation, not in training
Answer selu(const Call &call);
Answer shrink(const Call &call); ///< onnx::Shrink
Answer softShrink(const Call &call);
Answer softplus(const Call &call);
Answer swish(const Call &call); ///< onnx::Swish
Answer threshold(const Call &call);

// reduction.cpp
Answer reductionOf(const Call &call, const Reduction &function);
template <const Reduction &function>
Answer reduction(const Call &call)
{
    return reductionOf(call, function);
}
Answer cumulativeExtreme(const Call &call); ///< aten::cummax, cummin
Answer cumulativeProduct(const Call &call);
Answer cumulativeSum(const Call &call);
Answer hardmax(const Call &call);
Answer meanWithVariance(const Call &call); ///< aten::var_mean, std_mean
Answer norm(const Call &call);
Answer smallestAndLargest(const Call &call);  ///< aten::aminmax
Answer largestWithPosition(const Call &call); ///< the largest element, or along a dimension with positions
Answer smallestWithPosition(const Call &call);
Answer standardDeviation(const Call &call);
Answer variance(const Call &call);

// normalization.cpp, softmax.cpp
Answer batchNorm(const Call &call);
Answer groupNorm(const Call &call);
Answer instanceNorm(const Call &call);
Answer layerNorm(const Call &call);
Answer logSoftmax(const Call &call);
Answer rmsNorm(const Call &call);
Answer softmax(const Call &call);

// matrix_product.cpp
Answer attention(const Call &call);
Answer gemm(const Call &call); ///< alpha·a·b + beta·c, also linear and addmm
Answer matmul(const Call &call);

// convolution.cpp, pooling.cpp
Answer convolution(const Call &call);
Answer adaptiveAveragePool(const Call &call);
Answer adaptiveMaxPool(const Call &call);
Answer averagePool(const Call &call);
Answer maxPool(const Call &call);

// quantization.cpp
Answer dequantize(const Call &call);
Answer fakeQuantize(const Call &call);
Answer quantizeDecomposed(const Call &call); ///< quantize_per_tensor and quantize_per_channel
Answer quantize(const Call &call);

// creation.cpp: the shape is the one that the shape rule derives.
Answer filledWith(const Call &call, std::int64_t value);
template <std::int64_t value>
Answer filledWith(const Call &call)
{
    return filledWith(call, value);
}
Answer filledWithArgument(const Call &call, std::size_t position);
template <std::size_t position>
Answer filledWithArgument(const Call &call)
{
    return filledWithArgument(call, position);
}
Answer arange(const Call &call);
Answer constant(const Call &call);
Answer constantOfShape(const Call &call);
Answer ofNumber(const Call &call);      ///< makes a tensor of one number
Answer uninitialized(const Call &call); ///< a tensor of which all elements are written before any is read

// view.cpp
Answer sameElements(const Call &call); ///< the same elements in the derived shape: views, copies, conversions
Answer same(const Call &call);         ///< the argument itself, a tensor or not
Answer chunk(const Call &call);
Answer dropout(const Call &call); ///< in evaluation, not in training
Answer expand(const Call &call);
Answer flip(const Call &call);
Answer narrow(const Call &call);
Answer onnxCast(const Call &call);
Answer permute(const Call &call);
Answer repeat(const Call &call);
Answer reshape(const Call &call);
Answer select(const Call &call);
Answer slice(const Call &call);
Answer split(const Call &call);
Answer transpose(const Call &call);
Answer reversedDimensions(const Call &call);
Answer transposeLast(const Call &call); ///< exchanges the last two dimensions; a vector stays as it is
Answer unbind(const Call &call);

// joining.cpp, padding.cpp
Answer concatenate(const Call &call);
Answer embedding(const Call &call);
Answer gather(const Call &call);
Answer indexSelect(const Call &call);
Answer lowerTriangle(const Call &call);
Answer pad(const Call &call);
Answer stack(const Call &call);
Answer upperTriangle(const Call &call);

// container.cpp
bool passesOn(ops::ComputeRule rule,
              const ops::Call &call); ///< whether the results are or contain the arguments themselves, not copies
Answer construct(const Call &call);   ///< a list or tuple
Answer append(const Call &call);
Answer asItIs(const Call &call); ///< returns the first argument, unless it is None
Answer cleared(const Call &call);
Answer copiedList(const Call &call);
Answer extend(const Call &call);
Answer insertItem(const Call &call);
Answer listItem(const Call &call);
Answer slicedList(const Call &call);
Answer listLength(const Call &call); ///< the length as a tensor
Answer optionalValue(const Call &call);
Answer popItem(const Call &call);
Answer removeItem(const Call &call);
Answer reversed(const Call &call);
Answer setItem(const Call &call);
Answer unpack(const Call &call);
Answer deviceOf(const Call &call); ///< the CPU, where everything is evaluated
template <bool isCpu>
Answer liesOnCpu(const Call &)
{
    return Values{Value(ops::Fact(ops::boolFact(isCpu)))};
}
Answer typeOfDevice(const Call &call);     ///< the name of the device's type
bool isAboutDevice(ops::ComputeRule rule); ///< whether the result depends on the device
Answer item(const Call &call);             ///< the only element of a tensor, as a number
Answer toBool(const Call &call);           ///< like item(), as a bool
Answer toFloat(const Call &call);          ///< like item(), as a float
Answer toInt(const Call &call);            ///< like item(), as an int, or as a bool if the element is one

} // namespace cutaway::compute
