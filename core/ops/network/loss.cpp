// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/loss.h"

#include "core/base/formatted.h"
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/facts/broadcast.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/network/matrix_shape.h"
#include "core/ops/torch/determinism.h"

#include <array>

namespace cutaway::ops {

namespace {

using ir::Shape;

/// Whether the losses are reduced, by at::Reduction's numbers or ONNX's texts. The default is the mean in both.
enum class LossReduction : std::uint8_t { No, Yes };

std::optional<LossReduction> lossReduction(const Call &call)
{
    if (call.isOnnx())
        return call.text("reduction") == "none" ? LossReduction::No : LossReduction::Yes;
    const auto number = call.integer("reduction");
    return number ? std::optional(*number == 0 ? LossReduction::No : LossReduction::Yes) : std::nullopt;
}

/// Returns one loss, or `each` if losses are not reduced.
Answer lossOf(const Call &call, std::optional<ir::DType> dtype, std::optional<Shape> each)
{
    const auto mode = lossReduction(call);
    if (!mode)
        return onlyType(dtype, "reduction unknown");
    if (*mode == LossReduction::Yes)
        return {tensorFact(dtype, Shape{})};
    if (!each)
        return onlyType(dtype, "shape of the input or the target unknown");
    return {tensorFact(dtype, std::move(each))};
}

/// How the result's dtype follows: a margin makes floats of integers, a distance makes complex numbers real, and some
/// operators have the dtype of the input whatever the target's is.
enum class Computed : std::uint8_t { Promoted, Float, Distance, Input };

std::optional<ir::DType> typeOf(const Call &call, std::size_t count, Computed computed)
{
    std::array<const Fact *, 3> facts{};
    for (std::size_t i = 0; i < count; ++i)
        facts[i] = &call[i];
    const auto promoted = computed == Computed::Input ? call.dtypeOf(0u) : resultType(std::span(facts).first(count));
    if (!promoted)
        return std::nullopt;
    const ir::DType dtype = computed == Computed::Distance ? realType(*promoted) : *promoted;
    return computed == Computed::Float || computed == Computed::Input ? floatType(dtype) : dtype;
}

/// Returns the loss of the first `count` arguments, broadcast: mse_loss, kl_div, margin_ranking_loss.
template <std::size_t count, Computed computed = Computed::Promoted>
Answer elementwiseLoss(const Call &call)
{
    std::array<const Shape *, count> shapes{};
    bool areKnown = true;
    for (std::size_t i = 0; i < count; ++i) {
        shapes[i] = call.shape(i);
        areKnown = areKnown && shapes[i];
    }
    auto each = areKnown ? broadcast(shapes) : std::nullopt;
    if (areKnown && !each)
        return wrong(formatted("cannot broadcast {} with {}", ir::print(*shapes[0]), ir::print(*shapes[1])));
    return lossOf(call, typeOf(call, count, computed), std::move(each));
}

/// cosine_embedding_loss: a loss of pairs of vectors. Its losses have the shape of the target, to which all operands
/// without their last dimension broadcast.
Answer embeddingLoss(const Call &call)
{
    const Shape *target = call.shape(2u);
    return lossOf(call, typeOf(call, 2, Computed::Float), target ? std::optional(*target) : std::nullopt);
}

Answer tripletLoss(const Call &call)
{
    std::optional<Shape> each;
    if (const Shape *a = call.shape(0u), *b = call.shape(1u); a && b)
        each = broadcast(*a, *b);
    if (each && !each->empty())
        each->pop_back();
    const auto dtype = typeOf(call, 3, Computed::Distance);
    return lossOf(call, dtype ? std::optional(floatType(*dtype)) : std::nullopt, std::move(each));
}

/// Returns a loss per sample: multi_margin_loss, multilabel_margin_loss.
Answer sampleLoss(const Call &call)
{
    const Shape *input = call.shape(0u);
    std::optional<Shape> each;
    if (input)
        each = input->size() > 1 ? Shape{input->front()} : Shape{};
    return lossOf(call, call.dtypeOf(0u), std::move(each));
}

Answer multilabelForward(const Call &call)
{
    Answer answer = sampleLoss(call);
    const TensorFact *target = call.tensor(1u);
    if (answer.facts.size() == 1)
        answer.facts.emplace_back(tensorFact(call.dtypeOf(0u), target ? target->shape : std::nullopt));
    return answer;
}

/// Returns the shape without the dimension of classes, which is the second one or, without a batch, the only one.
std::optional<Shape> withoutClasses(const Shape *input)
{
    if (!input)
        return std::nullopt;
    Shape each = *input;
    if (!each.empty())
        each.erase(each.begin() + (each.size() > 1 ? 1 : 0));
    return each;
}

/// nll_loss, cross_entropy_loss: one class per element of the target.
Answer classLoss(const Call &call) { return lossOf(call, call.dtypeOf(0u), withoutClasses(call.shape(0u))); }

/// classLoss() and, as a second result, the sum of the weights that were used.
Answer classLossForward(const Call &call)
{
    Answer answer = classLoss(call);
    answer.facts.resize(1);
    answer.facts.emplace_back(tensorFact(call.dtypeOf(0u), Shape{}));
    return answer;
}

/// ONNX's operator also returns the logarithms of the probabilities.
Answer softmaxCrossEntropy(const Call &call)
{
    Answer answer = classLoss(call);
    answer.facts.resize(1);
    if (const TensorFact *scores = call.tensor(0u))
        answer.facts.emplace_back(tensorFact(scores->dtype, scores->shape));
    return answer;
}

/// Returns the shape of one loss per sequence, for an input [time, batch, classes]; a single sequence has no batch.
std::optional<Shape> perSequence(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input || input->size() < 2)
        return std::nullopt;
    return input->size() == 2 ? Shape{} : Shape{(*input)[1]};
}

Answer ctcLoss(const Call &call) { return lossOf(call, call.dtypeOf(0u), perSequence(call)); }

/// The loss is not reduced; the second result holds what the backward pass needs.
Answer ctcLossForward(const Call &call)
{
    auto each = perSequence(call);
    if (!each)
        return onlyType(call.dtypeOf(0u), "probabilities shape unknown");
    return {tensorFact(call.dtypeOf(0u), std::move(each)), tensorFact(call.dtypeOf(0u))};
}

/// The mean is written to the beginning of the memory that was made for all differences.
Place placeOfReduced(const Call &call, const TensorFact &result, std::size_t)
{
    const TensorFact *a = call.tensor(0u), *b = call.tensor(1u);
    const auto shape = a && b && a->shape && b->shape ? broadcast(*a->shape, *b->shape) : std::nullopt;
    return {.bytes = bytesOf(tensorFact(result.dtype, shape))};
}

constexpr Operator lossRows[] = {
    Operator("aten::mse_loss", Category::Reduction, Pattern::Combining, elementwiseLoss<2>, onePerArgument,
             {.compute = compute::squaredLoss,
              .formula = "distance = self - target; reduced(distance * distance)",
              .place = placeOfReduced,
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::smooth_l1_loss", Category::Reduction, Pattern::Combining, elementwiseLoss<2>, onePerArgument,
             {.compute = compute::smoothLoss,
              .formula = "size = abs(self - target); reduced(size if beta == 0 else where(size < beta, size * size * "
                         "0.5 / beta, size - 0.5 * beta))",
              .place = placeOfReduced,
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::soft_margin_loss", Category::Reduction, Pattern::Combining, elementwiseLoss<2, Computed::Input>,
             onePerArgument,
             {.compute = compute::softMarginLoss,
              .formula = "reduced(log1p(exp(-target * self)))",
              .place = placeOfReduced,
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::binary_cross_entropy", Category::Reduction, Pattern::Combining, elementwiseLoss<2>, onePerArgument,
             {.compute = compute::binaryCrossEntropy,
              .formula = "loss = (target - 1) * maximum(log1p(-self), -100) - target * maximum(log(self), -100); "
                         "reduced(loss if weight is None else loss * weight)",
              .place = placeOfReduced,
              .domains = shareFirst,
              .cpuAutocast = CastTo::Float32}),
    Operator("aten::huber_loss", Category::Reduction, Pattern::Combining, elementwiseLoss<2, Computed::Input>,
             onePerArgument,
             {.compute = compute::smoothLoss,
              .formula = "size = abs(self - target); reduced(where(size <= delta, size * size * 0.5, (size - 0.5 * "
                         "delta) * delta))",
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator(
        "aten::kl_div", Category::Reduction, Pattern::Combining, elementwiseLoss<2>, onePerArgument,
        {.compute = compute::divergenceLoss,
         .formula = "reduced(exp(target) * (target - self) if log_target else xlogy(target, target) - target * self)",
         .cpuAutocast = CastTo::Float32,
         .cudaAutocast = CastTo::Float32}),
    Operator("aten::binary_cross_entropy_with_logits", Category::Reduction, Pattern::Combining, elementwiseLoss<2>,
             onePerArgument,
             {.compute = compute::binaryCrossEntropyOfScores,
              .formula = "share = log_sigmoid(self) if pos_weight is None else ((pos_weight - 1) * target + 1) * "
                         "log_sigmoid(self); loss = (1 - target) * self - share; reduced(loss if weight is None else "
                         "loss * weight)",
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::l1_loss", Category::Reduction, Pattern::Combining, elementwiseLoss<2, Computed::Distance>,
             onePerArgument,
             {.compute = compute::absoluteLoss,
              .formula = "reduced(abs(self - target))",
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::hinge_embedding_loss", Category::Reduction, Pattern::Combining, elementwiseLoss<2, Computed::Input>,
             onePerArgument,
             {.compute = compute::hingeEmbeddingLoss,
              .formula = "reduced(where(target != 1, clamp(margin - self, 0), 0) + where(target != -1, self, 0))",
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::poisson_nll_loss", Category::Reduction, Pattern::Combining, elementwiseLoss<2, Computed::Float>,
             onePerArgument,
             {.compute = compute::poissonLoss,
              .formula = "loss = exp(input) - target * input if log_input else input - target * log(input + eps); "
                         "stirling = target * log(target) - target + 0.5 * log(2 * pi * target); "
                         "reduced(loss + where(target <= 1, 0, stirling) if full else loss)",
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::margin_ranking_loss", Category::Reduction, Pattern::Combining, elementwiseLoss<3, Computed::Float>,
             onePerArgument,
             {.compute = compute::rankingLoss,
              .formula = "reduced(clamp(-target * (input1 - input2) + margin, 0))",
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::cosine_embedding_loss", Category::Reduction, Pattern::Combining, embeddingLoss, onePerArgument,
             {.formula =
                  "sizes = (sum(input1 * input1, [-1]) + 1e-12) * (sum(input2 * input2, [-1]) + 1e-12); "
                  "cosine = sum(input1 * input2, [-1]) / sqrt(sizes); "
                  "reduced(where(target == 1, 1 - cosine, 0) + where(target == -1, clamp(cosine - margin, 0), 0))",
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::triplet_margin_loss", Category::Reduction, Pattern::Combining, tripletLoss, onePerArgument,
             {.formula = "near = pairwise_distance(anchor, positive, p, eps); "
                         "far = pairwise_distance(anchor, negative, p, eps); "
                         "least = minimum(far, pairwise_distance(positive, negative, p, eps)) if swap else far; "
                         "reduced(clamp(near + margin - least, 0))",
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::multi_margin_loss aten::multilabel_margin_loss", Category::Reduction, Pattern::Combining,
             sampleLoss, onePerArgument, {.cpuAutocast = CastTo::Float32, .cudaAutocast = CastTo::Float32}),
    Operator("aten::multilabel_margin_loss_forward", Category::Reduction, Pattern::Combining, multilabelForward,
             onePerArgument, {.cpuAutocast = CastTo::Float32}),
    Operator("aten::nll_loss aten::nll_loss_nd", Category::Reduction, Pattern::Combining, classLoss, onePerArgument,
             {.compute = compute::negativeLogLikelihood,
              .domains = classesOfLoss,
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::nll_loss2d", Category::Reduction, Pattern::Combining, classLoss, onePerArgument,
             {.compute = compute::negativeLogLikelihood,
              .formula = "nll_loss_nd(self, target, weight, reduction, ignore_index)",
              .domains = classesOfLoss,
              .variesOnCuda = variesAlways,
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::cross_entropy_loss torch.nn.functional::cross_entropy", Category::Reduction, Pattern::Combining,
             classLoss, onePerArgument,
             {.compute = compute::crossEntropy,
              .domains = classesOfLoss,
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator("onnx::NegativeLogLikelihoodLoss", Category::Reduction, Pattern::Combining, classLoss, onePerArgument,
             {.compute = compute::negativeLogLikelihood, .demand = demand::classTargets, .domains = classesOfLoss}),
    Operator("aten::nll_loss_forward", Category::Reduction, Pattern::Combining, classLossForward, onePerArgument,
             {.compute = compute::negativeLogLikelihood, .domains = classesOfLoss}),
    Operator("aten::nll_loss2d_forward", Category::Reduction, Pattern::Combining, classLossForward, onePerArgument,
             {.compute = compute::negativeLogLikelihood, .domains = classesOfLoss, .variesOnCuda = variesAlways}),
    Operator("onnx::SoftmaxCrossEntropyLoss", Category::Reduction, Pattern::Combining, softmaxCrossEntropy,
             onePerArgument,
             {.compute = compute::softmaxCrossEntropy, .demand = demand::classTargets, .domains = classesOfLoss}),
    Operator("aten::ctc_loss", Category::Reduction, Pattern::Combining, ctcLoss, onePerArgument,
             {.compute = compute::sequenceLoss, .cpuAutocast = CastTo::Float32}),
    Operator("aten::_ctc_loss aten::_cudnn_ctc_loss aten::miopen_ctc_loss", Category::Reduction, Pattern::Combining,
             ctcLossForward, onePerArgument),
};

} // namespace

std::span<const Operator> lossOperators() { return lossRows; }

} // namespace cutaway::ops
