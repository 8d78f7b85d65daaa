// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network_rules.h"
#include "core/ops/compute/places.h"

#include <algorithm>
#include <cmath>

namespace cutaway::compute {

namespace {

/// Classes along dimension 1, a target and a weight for each place.
struct Classes {
    Lanes lanes;
    std::vector<std::int64_t> targets; ///< by lane; negative: it does not count
    std::vector<double> weights;       ///< by class
};

std::optional<Classes> classesOf(const Call &call, const Array &scores)
{
    const Array *targets = call.array(1), *weights = call.array(2);
    if (!targets || !targets->isWhole() || scores.shape.size() < 2 || (call.facts().has(2) && !weights))
        return std::nullopt;
    Classes classes{lanesOf(scores.shape, 1), {}, {}};
    const bool ignores = call.facts().has("ignore_index");
    const auto ignored = call.integer("", "ignore_index", 0);
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

/// The weighted negative of the logarithm at each target: all, their sum, or their weighted mean.
std::optional<Array> lossOf(const Call &call, const Classes &classes, const std::vector<double> &logarithms,
                            Sizes shape)
{
    std::vector<double> losses;
    double weights = 0, sum = 0;
    for (std::int64_t lane = 0; lane < classes.lanes.count(); ++lane) {
        const std::int64_t target = classes.targets[static_cast<std::size_t>(lane)];
        const double weight = target < 0 ? 0 : classes.weights[static_cast<std::size_t>(target)];
        losses.push_back(target < 0 ? 0 : -logarithms[classes.lanes.place(lane, target)] * weight);
        weights += weight;
        sum += losses.back();
    }
    const std::string_view reduction = call.facts().text("reduction");
    if (reduction == "none")
        return Array{ir::DType::Float64, std::move(shape), std::move(losses)};
    return filled(ir::DType::Float64, {}, reduction == "sum" ? sum : sum / weights);
}

} // namespace

Answer negativeLogLikelihood(const Call &call)
{
    const Array *x = call.array(0), *targets = call.array(1);
    const auto classes = x ? classesOf(call, *x) : std::nullopt;
    return classes ? answer(lossOf(call, *classes, floatsOf(*x), targets->shape)) : std::nullopt;
}

/// The loss and the logarithms of the softmax over the classes.
Answer softmaxCrossEntropy(const Call &call)
{
    const Array *x = call.array(0), *targets = call.array(1);
    const auto classes = x ? classesOf(call, *x) : std::nullopt;
    if (!classes)
        return std::nullopt;
    const Lanes &lanes = classes->lanes;
    std::vector<double> floats = floatsOf(*x);
    for (std::int64_t lane = 0; lane < lanes.count(); ++lane) {
        double top = -std::numeric_limits<double>::infinity(), sum = 0;
        for (std::int64_t i = 0; i < lanes.along; ++i)
            top = std::max(top, floats[lanes.place(lane, i)]);
        for (std::int64_t i = 0; i < lanes.along; ++i)
            sum += std::exp(floats[lanes.place(lane, i)] - top);
        for (std::int64_t i = 0; i < lanes.along; ++i)
            floats[lanes.place(lane, i)] -= top + std::log(sum);
    }
    auto loss = lossOf(call, *classes, floats, targets->shape);
    if (!loss)
        return std::nullopt;
    Values results{Value(std::move(*loss)), Value(Array{ir::DType::Float64, x->shape, std::move(floats)})};
    results.resize(std::clamp<std::size_t>(call.resultCount(), 1, 2));
    return results;
}

} // namespace cutaway::compute
