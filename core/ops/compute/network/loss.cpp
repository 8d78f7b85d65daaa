// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/loss.h"

#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/numbers.h"
#include "core/ops/compute/places.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace cutaway::compute {

std::optional<LossReduction> lossReductionOf(const Call &call)
{
    const std::string_view text = call.isOnnx() ? call.facts().text("reduction") : "";
    if (call.isOnnx())
        return text == "none" ? LossReduction::None : text == "sum" ? LossReduction::Sum : LossReduction::Mean;
    const auto number = call.facts().integer("reduction");
    return number && *number >= 0 && *number <= 2 ? std::optional(static_cast<LossReduction>(*number)) : std::nullopt;
}

std::optional<Array> reducedLoss(const Call &call, std::vector<double> losses, Sizes shape, double divisor)
{
    const auto reduction = lossReductionOf(call);
    if (!reduction)
        return std::nullopt;
    if (*reduction == LossReduction::None)
        return Array{ir::DType::Float64, std::move(shape), std::move(losses)};
    const double total = sum.real(losses);
    return filled(ir::DType::Float64, {}, *reduction == LossReduction::Sum ? total : total / divisor);
}

namespace {

/// Classes along dimension 1, with a target for each lane and a weight for each class.
struct Classes {
    Lanes lanes;
    std::vector<std::int64_t> targets; ///< the class for each lane; negative targets are ignored
    std::vector<double> weights;       ///< the weight of each class
};

std::optional<Classes> classesOf(const Call &call, const Array &scores)
{
    const Array *targets = call.array(1), *weights = call.array(2);
    if (!isWhole(targets) || scores.shape.size() < 2 || call.isUnknown(2))
        return std::nullopt;
    Classes classes{lanesOf(scores.shape, 1), {}, {}};
    const bool ignores = call.facts().has("ignore_index");
    const auto ignored = call.integer("ignore_index", "ignore_index", 0);
    if (!ignored || static_cast<std::int64_t>(targets->count()) != classes.lanes.count())
        return std::nullopt;
    for (const Whole target : targets->as<Whole>()) {
        const bool isIgnored = ignores && target == *ignored;
        if (!isIgnored && (target < 0 || target >= classes.lanes.along))
            return std::nullopt;
        classes.targets.push_back(isIgnored ? -1 : target);
    }
    classes.weights =
        weights ? floatsOf(*weights) : std::vector<double>(static_cast<std::size_t>(classes.lanes.along), 1.0);
    return std::ssize(classes.weights) == classes.lanes.along ? std::optional(std::move(classes)) : std::nullopt;
}

/// Returns the sum of the weights of all targets that are not ignored.
double weightOf(const Classes &classes)
{
    double total = 0;
    for (const std::int64_t target : classes.targets)
        total += target < 0 ? 0 : classes.weights[static_cast<std::size_t>(target)];
    return total;
}

/// Returns the losses of class targets, -weight·log p; the share `smoothing` of each is spread evenly over all classes.
std::optional<Array> lossOf(const Call &call, const Classes &classes, const std::vector<double> &logarithms,
                            Sizes shape, double smoothing = 0)
{
    std::vector<double> losses;
    for (std::int64_t lane = 0; lane < classes.lanes.count(); ++lane) {
        const std::int64_t target = classes.targets[static_cast<std::size_t>(lane)];
        double even = 0;
        for (std::int64_t i = 0; i < classes.lanes.along && smoothing != 0 && target >= 0; ++i)
            even -= logarithms[classes.lanes.place(lane, i)] * classes.weights[static_cast<std::size_t>(i)]
                / static_cast<double>(classes.lanes.along);
        losses.push_back(target < 0 ? 0
                                    : -logarithms[classes.lanes.place(lane, target)] * (1 - smoothing)
                                 * classes.weights[static_cast<std::size_t>(target)]);
        losses.back() += smoothing * even;
    }
    return reducedLoss(call, std::move(losses), std::move(shape), weightOf(classes));
}

/// Returns the scores with a batch dimension, which those of a single sample lack.
Array inBatch(const Array &scores)
{
    return scores.shape.size() == 1 ? reshaped(scores, {1, scores.shape.front()}) : scores;
}

/// The logarithms of the softmax over dimension 1.
std::vector<double> logSoftmaxOf(const Array &scores)
{
    const Lanes lanes = lanesOf(scores.shape, 1);
    std::vector<double> floats = floatsOf(scores);
    for (std::int64_t lane = 0; lane < lanes.count(); ++lane) {
        double top = -std::numeric_limits<double>::infinity(), total = 0;
        for (std::int64_t i = 0; i < lanes.along; ++i)
            top = std::max(top, floats[lanes.place(lane, i)]);
        for (std::int64_t i = 0; i < lanes.along; ++i)
            total += std::exp(floats[lanes.place(lane, i)] - top);
        for (std::int64_t i = 0; i < lanes.along; ++i)
            floats[lanes.place(lane, i)] -= top + std::log(total);
    }
    return floats;
}

} // namespace

/// Returns the loss; a second result is the sum of the weights of all targets that are not ignored.
Answer negativeLogLikelihood(const Call &call)
{
    const Array *x = call.array(0), *targets = call.array(1);
    const auto scores = x ? std::optional(inBatch(*x)) : std::nullopt;
    const auto classes = scores ? classesOf(call, *scores) : std::nullopt;
    auto loss = classes ? lossOf(call, *classes, floatsOf(*scores), targets->shape) : std::nullopt;
    if (!loss || call.resultCount() < 2)
        return answer(std::move(loss));
    // A loss that is not reduced has no use for the sum of weights: torch makes it 0 for a batch and does not set it
    // for images, but computes it for a single sample.
    const bool isReduced = lossReductionOf(call) != LossReduction::None;
    Values results{Value(std::move(*loss))};
    if (isReduced || x->shape.size() < 3)
        results.emplace_back(
            filled(ir::DType::Float64, {}, isReduced || x->shape.size() == 1 ? weightOf(*classes) : 0.0));
    return results;
}

/// Returns the loss, and the logarithms of the softmax over the classes.
Answer softmaxCrossEntropy(const Call &call)
{
    const Array *x = call.array(0), *targets = call.array(1);
    const auto classes = x ? classesOf(call, *x) : std::nullopt;
    if (!classes)
        return std::nullopt;
    std::vector<double> logarithms = logSoftmaxOf(*x);
    auto loss = lossOf(call, *classes, logarithms, targets->shape);
    if (!loss)
        return std::nullopt;
    Values results{Value(std::move(*loss)), Value(Array{ir::DType::Float64, x->shape, std::move(logarithms)})};
    results.resize(std::clamp<std::size_t>(call.resultCount(), 1, 2));
    return results;
}

namespace {

/// Returns the loss for targets that are probabilities of the classes and have the shape of the scores.
Answer crossEntropyOfProbabilities(const Call &call, const Array &scores, const Array &targets, double smoothing)
{
    const Lanes lanes = lanesOf(scores.shape, 1);
    const Array *weights = call.array(2);
    const std::vector<double> logarithms = logSoftmaxOf(scores), wanted = floatsOf(targets),
                              factors = weights ? floatsOf(*weights) : std::vector<double>();
    if (call.facts().has(2) && std::ssize(factors) != lanes.along)
        return std::nullopt;
    const auto classCount = static_cast<double>(lanes.along);
    std::vector<double> losses;
    for (std::int64_t lane = 0; lane < lanes.count(); ++lane) {
        double loss = 0;
        for (std::int64_t i = 0; i < lanes.along; ++i) {
            const std::size_t at = lanes.place(lane, i);
            const double share = wanted[at] * (1 - smoothing) + smoothing / classCount;
            loss -= share * logarithms[at] * (factors.empty() ? 1 : factors[static_cast<std::size_t>(i)]);
        }
        losses.push_back(loss);
    }
    Sizes shape = targets.shape;
    shape.erase(shape.begin() + (shape.size() > 1 ? 1 : 0));
    return answer(reducedLoss(call, std::move(losses), std::move(shape), static_cast<double>(lanes.count())));
}

} // namespace

Answer crossEntropy(const Call &call)
{
    const Array *x = call.array(0), *targets = call.array(1);
    const auto smoothing = call.number("label_smoothing", "", 0);
    if (!x || x->isWhole() || x->shape.empty() || !targets || !smoothing)
        return std::nullopt;
    const Array scores = inBatch(*x);
    if (!targets->isWhole())
        return targets->shape == x->shape ? crossEntropyOfProbabilities(call, scores, *targets, *smoothing)
                                          : std::nullopt;
    const auto classes = classesOf(call, scores);
    return classes ? answer(lossOf(call, *classes, logSoftmaxOf(scores), targets->shape, *smoothing)) : std::nullopt;
}

// ---- losses of each element

namespace {

/// The first arguments of a loss, broadcast to one shape.
struct LossOperands {
    Sizes shape;
    std::vector<std::vector<double>> each;
};

std::optional<LossOperands> lossOperands(const Call &call, std::size_t count)
{
    std::vector<Sizes> shapes;
    for (std::size_t i = 0; i < count; ++i) {
        if (!call.array(i))
            return std::nullopt;
        shapes.push_back(call.array(i)->shape);
    }
    auto shape = broadcastShape(shapes);
    LossOperands operands;
    for (std::size_t i = 0; i < count && shape; ++i)
        operands.each.push_back(floatsOf(*broadcast(*call.array(i), *shape)));
    operands.shape = shape.value_or(Sizes());
    return shape ? std::optional(std::move(operands)) : std::nullopt;
}

/// Returns function(input, target) of all elements times `weights`, if these are given, reduced.
template <class Function>
Answer elementLosses(const Call &call, const Function &function, const std::optional<std::vector<double>> &weights = {})
{
    const auto operands = lossOperands(call, 2);
    if (!operands)
        return std::nullopt;
    std::vector<double> losses;
    for (std::size_t i = 0; i < operands->each[0].size(); ++i)
        losses.push_back(function(operands->each[0][i], operands->each[1][i]) * (weights ? (*weights)[i] : 1));
    const auto count = static_cast<double>(losses.size());
    return answer(reducedLoss(call, std::move(losses), operands->shape, count));
}

/// Returns the argument `name`, broadcast to the shape of the losses; an inner nothing if it is not given, an outer one
/// if it is not known.
std::optional<std::optional<std::vector<double>>> factorsAt(const Call &call, std::string_view name)
{
    const auto operands = lossOperands(call, 2);
    if (!call.facts().has(name))
        return std::optional<std::vector<double>>();
    const Array *given = call.array(name);
    const auto whole = given && operands ? broadcast(*given, operands->shape) : std::nullopt;
    return whole ? std::optional(std::optional(floatsOf(*whole))) : std::nullopt;
}

} // namespace

Answer absoluteLoss(const Call &call)
{
    return elementLosses(call, [](double x, double y) { return std::abs(x - y); });
}

Answer squaredLoss(const Call &call)
{
    return elementLosses(call, [](double x, double y) { return (x - y) * (x - y); });
}

/// smooth_l1_loss and huber_loss: a parabola near zero and straight lines outside. They differ by a factor.
Answer smoothLoss(const Call &call)
{
    const bool isHuber = call.facts().name() == "huber_loss";
    const auto width = call.number(isHuber ? "delta" : "beta", "", 1);
    if (!width || *width < 0)
        return std::nullopt;
    return elementLosses(call, [&](double x, double y) {
        const double size = std::abs(x - y);
        if (isHuber)
            return size <= *width ? 0.5 * size * size : *width * (size - 0.5 * *width);
        return size < *width ? 0.5 * size * size / *width : size - 0.5 * *width;
    });
}

Answer softMarginLoss(const Call &call)
{
    return elementLosses(call, [](double x, double y) { return std::log1p(std::exp(-x * y)); });
}

Answer divergenceLoss(const Call &call)
{
    const auto isLogarithm = call.flag("log_target", false);
    if (!isLogarithm)
        return std::nullopt;
    return elementLosses(call, [&](double x, double y) {
        if (*isLogarithm)
            return std::exp(y) * (y - x);
        return xLogY.real(y, y) - y * x;
    });
}

/// Logarithms are limited to at least -100, as in torch.
Answer binaryCrossEntropy(const Call &call)
{
    const auto weights = factorsAt(call, "weight");
    if (!weights)
        return std::nullopt;
    return elementLosses(
        call,
        [](double x, double y) {
            return -y * std::max(std::log(x), -100.0) - (1 - y) * std::max(std::log1p(-x), -100.0);
        },
        *weights);
}

Answer binaryCrossEntropyOfScores(const Call &call)
{
    const auto weights = factorsAt(call, "weight"), positive = factorsAt(call, "pos_weight");
    const auto operands = lossOperands(call, 2);
    if (!weights || !positive || !operands)
        return std::nullopt;
    std::vector<double> losses;
    for (std::size_t i = 0; i < operands->each[0].size(); ++i) {
        const double x = operands->each[0][i], y = operands->each[1][i];
        const double factor = *positive ? 1 + ((**positive)[i] - 1) * y : 1;
        const double loss = (1 - y) * x + factor * (std::log1p(std::exp(-std::abs(x))) + std::max(-x, 0.0));
        losses.push_back(loss * (*weights ? (**weights)[i] : 1));
    }
    const auto count = static_cast<double>(losses.size());
    return answer(reducedLoss(call, std::move(losses), operands->shape, count));
}

Answer hingeEmbeddingLoss(const Call &call)
{
    const auto margin = call.number("margin", "", 1);
    if (!margin)
        return std::nullopt;
    return elementLosses(
        call, [&](double x, double y) { return (y != 1 ? std::max(*margin - x, 0.0) : 0) + (y != -1 ? x : 0); });
}

Answer poissonLoss(const Call &call)
{
    const auto isLogarithm = call.flag("log_input", true), isFull = call.flag("full", false);
    const auto epsilon = call.number("eps", "", 1e-8);
    if (!isLogarithm || !isFull || !epsilon)
        return std::nullopt;
    return elementLosses(call, [&](double x, double y) {
        const double loss = *isLogarithm ? std::exp(x) - y * x : x - y * std::log(x + *epsilon);
        const bool isApproximated = *isFull && y > 1; // the term that `full` adds is Stirling's approximation
        return loss + (isApproximated ? y * std::log(y) - y + 0.5 * std::log(2 * std::numbers::pi * y) : 0);
    });
}

/// max(0, -target·(first - second) + margin)
Answer rankingLoss(const Call &call)
{
    const auto margin = call.number("margin", "", 0);
    const auto operands = lossOperands(call, 3);
    if (!margin || !operands)
        return std::nullopt;
    std::vector<double> losses;
    for (std::size_t i = 0; i < operands->each[0].size(); ++i)
        losses.push_back(
            std::max(-operands->each[2][i] * (operands->each[0][i] - operands->each[1][i]) + *margin, 0.0));
    const auto count = static_cast<double>(losses.size());
    return answer(reducedLoss(call, std::move(losses), operands->shape, count));
}

} // namespace cutaway::compute
