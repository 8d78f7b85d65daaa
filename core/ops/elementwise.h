// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/number_arithmetic.h"
#include "core/ops/operator.h"

/// The rules of operators that treat each element by itself: the operands' shapes are broadcast, small integer tensors
/// and numbers keep their values, and an in-place operator returns the tensor that it writes to.
namespace cutaway::ops {

using Operands = boost::container::small_vector<const Fact *, 3>;

/// How the dtype of a result follows from the operands.
enum class ResultType : std::uint8_t {
    Promoted, ///< torch.result_type of the operands; in ONNX all operands have the same type
    Float,    ///< like Promoted, but float32 for integers in PyTorch
    Boolean,
    First, ///< the first operand's type
};

/// The first `count` arguments; all that are given if `count` is 0.
Operands operandsOf(const Call &call, std::size_t count);
std::optional<ir::DType> dtypeOf(const Call &call, std::span<const Fact *const> operands, ResultType result);

/// Returns one result of the shape that the operands broadcast to.
Answer elementwise(const Call &call, std::span<const Fact *const> operands, std::optional<ir::DType> dtype);
/// Computes an element of the result from those of the operands.
using ElementRule = std::function<ir::Dim(std::span<const ir::Dim>)>;
/// Returns one result whose elements `element` computes if those of the operands are known.
Answer elementwise(const Call &call, std::span<const Fact *const> operands, std::optional<ir::DType> dtype,
                   const ElementRule &element);

/// Whether the call computes with tensors, not numbers; if its operands are unknown, the overload decides.
bool isOfTensors(const Call &call, std::span<const Fact *const> operands);

/// Whether an operator of Python has an operand of which nothing is known, so that it may compute with anything.
bool isOfAnything(const Call &call, std::span<const Fact *const> operands);

/// Whether the operator writes its result to its first argument: "add_".
bool isInPlace(const Call &call);

Answer binaryOf(const Call &call, Arithmetic op, ResultType result);
Answer unaryOf(const Call &call, Function function, ResultType result);

// Shape rules.
Answer identity(const Call &call);  ///< the fact of the first argument
Answer likeFirst(const Call &call); ///< a tensor of the first argument's dtype and shape

template <Arithmetic op, ResultType result = ResultType::Promoted>
Answer binary(const Call &call)
{
    return binaryOf(call, op, result);
}

template <Function function, ResultType result = ResultType::First>
Answer unary(const Call &call)
{
    return unaryOf(call, function, result);
}

/// Returns one result of the first `count` arguments (0: all), broadcast; elements of small tensors are not followed.
template <std::size_t count, ResultType result>
Answer pointwise(const Call &call)
{
    const Operands operands = operandsOf(call, count);
    return elementwise(call, operands, dtypeOf(call, operands, result));
}

/// The cost of `count` operations for each element of the first result.
template <std::int64_t count>
Cost perElement(const Call &, std::span<const Fact> results)
{
    const TensorFact *tensor = results.empty() ? nullptr : asTensor(results[0]);
    if (!tensor)
        return {};
    return {std::int64_t{0}, tensor->shape ? times(elementsOf(*tensor->shape), count) : ir::Dim(ir::UnknownDim{})};
}

} // namespace cutaway::ops
