// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/random.h"

#include "core/ops/creation.h"
#include "core/ops/elementwise.h"

namespace cutaway::ops {

namespace {

using ir::DType;

template <DType dtype>
Answer ofSize(const Call &call)
{
    return created(asInts(call.any({"size", "shape"})), dtypeOr(call, dtype));
}

Answer permutation(const Call &call)
{
    return created(std::vector{call.size("n").value_or(ir::UnknownDim{})}, dtypeOr(call, DType::Int64));
}

/// Returns a tensor with the first argument's shape, whose dtype may be given.
Answer drawnLike(const Call &call)
{
    const Operands operands{&call[0u]};
    return elementwise(call, operands, dtypeOr(call, call.dtypeOf(0u)));
}

/// Mean and deviation are tensors or numbers; if both are numbers, the size is given.
Answer normal(const Call &call)
{
    const TensorFact *mean = call.tensor("mean");
    const TensorFact *deviation = call.tensor("std");
    if (isInPlace(call) || call.has("self"))
        return likeFirst(call);
    if (!mean && !deviation)
        return ofSize<DType::Float32>(call);
    const Operands operands{&call["mean"], &call["std"]};
    return elementwise(call, operands, (mean ? mean : deviation)->dtype);
}

/// Returns the requested number of samples from each row of weights.
Answer multinomial(const Call &call)
{
    const ir::Shape *weights = call.shape(0u);
    const auto dtype = call.isOnnx() ? dtypeOr(call, DType::Int32) : DType::Int64;
    if (!weights)
        return unknown("weights rank unknown");
    if (weights->empty() || weights->size() > 2)
        return wrong("weights of shape " + ir::print(*weights) + ", expected are one or two dimensions");
    ir::Shape shape = *weights;
    if (call.isOnnx())
        shape.back() = call.has("sample_size") ? call.size("sample_size").value_or(ir::UnknownDim{}) : std::int64_t{1};
    else
        shape.back() = call.size("num_samples").value_or(ir::UnknownDim{});
    return {tensorFact(dtype, std::move(shape))};
}

Answer onnxRandom(const Call &call) { return created(call.sizes("shape"), dtypeOr(call, DType::Float32)); }

constexpr Operator randomRows[] = {
    Operator("aten::rand aten::randn", Category::Creation, Pattern::Creating, ofSize<DType::Float32>, onePerResult,
             {.effect = Effect::Random}),
    Operator("aten::randint", Category::Creation, Pattern::Creating, ofSize<DType::Int64>, onePerResult,
             {.effect = Effect::Random}),
    Operator("aten::randperm", Category::Creation, Pattern::Creating, permutation, onePerResult,
             {.effect = Effect::Random}),
    Operator(
        "aten::rand_like aten::randn_like aten::randint_like aten::bernoulli onnx::Bernoulli onnx::RandomNormalLike "
        "onnx::RandomUniformLike",
        Category::Creation, Pattern::Creating, drawnLike, onePerResult, {.effect = Effect::Random}),
    Operator("onnx::RandomNormal onnx::RandomUniform", Category::Creation, Pattern::Creating, onnxRandom, onePerResult,
             {.effect = Effect::Random}),
    Operator("prims::uniform prims::normal", Category::Creation, Pattern::Creating, ofSize<DType::Float32>,
             onePerResult, {.effect = Effect::Random}),
    Operator("prims::inductor_random prims::inductor_seed prims::inductor_seeds prims::inductor_lookup_seed "
             "prims::inductor_randint",
             Category::Creation, Pattern::Creating, nullptr, onePerResult, {.effect = Effect::Random}),
    Operator("aten::normal aten::normal_functional", Category::Creation, Pattern::Creating, normal, onePerResult,
             {.effect = Effect::Random}),
    Operator("aten::multinomial onnx::Multinomial", Category::Creation, Pattern::Creating, multinomial, onePerResult,
             {.effect = Effect::Random}),
    Operator("aten::poisson aten::exponential aten::geometric aten::cauchy aten::log_normal aten::random aten::uniform "
             "aten::_standard_gamma aten::_sample_dirichlet",
             Category::Creation, Pattern::Creating, likeFirst, onePerResult, {.effect = Effect::Random}),
    Operator("aten::binomial", Category::Creation, Pattern::Creating, pointwise<2, ResultType::First>, onePerResult,
             {.effect = Effect::Random}),
};

} // namespace

std::span<const Operator> randomOperators() { return randomRows; }

} // namespace cutaway::ops
