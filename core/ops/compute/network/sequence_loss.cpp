// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/loss.h"
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/numbers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

// The loss of sequences by the forward sums of connectionist temporal classification (Graves et al., 2006).

namespace cutaway::compute {

namespace {

constexpr double impossible = -std::numeric_limits<double>::infinity();

/// Returns the logarithm of the probability that these labels are the output, after repetitions are merged and blanks
/// removed. logProbability(step, class) is that of a class at a step.
double logProbabilityOf(const std::vector<std::int64_t> &labels, std::int64_t blank, std::int64_t steps,
                        const std::function<double(std::int64_t, std::int64_t)> &logProbability)
{
    std::vector<std::int64_t> states{blank};
    for (const std::int64_t label : labels)
        states.insert(states.end(), {label, blank});
    std::vector<double> here(states.size(), impossible);
    for (std::size_t s = 0; s < std::min<std::size_t>(2, states.size()) && steps > 0; ++s)
        here[s] = logProbability(0, states[s]);
    for (std::int64_t t = 1; t < steps; ++t) {
        std::vector<double> next(states.size(), impossible);
        for (std::size_t s = 0; s < states.size(); ++s) {
            double all = here[s];
            if (s >= 1)
                all = logAddExp.real(all, here[s - 1]);
            if (s >= 2 && states[s] != blank && states[s] != states[s - 2])
                all = logAddExp.real(all, here[s - 2]);
            next[s] = all + logProbability(t, states[s]);
        }
        here = std::move(next);
    }
    return states.size() > 1 ? logAddExp.real(here.back(), here[here.size() - 2]) : here.back();
}

/// Reads integers that are given as a list or a tensor.
std::optional<std::vector<std::int64_t>> countsAt(const Call &call, std::size_t position)
{
    if (const Array *array = call.array(position); array && array->isWhole())
        return std::vector<std::int64_t>(array->as<Whole>().begin(), array->as<Whole>().end());
    return call.integers(position);
}

/// Returns the labels of each sequence, which `targets` holds as rows of a matrix or one sequence after the other.
std::optional<std::vector<std::vector<std::int64_t>>> labelsOf(const Array &targets,
                                                               const std::vector<std::int64_t> &lengths)
{
    std::vector<std::vector<std::int64_t>> all;
    std::int64_t start = 0;
    const auto count = static_cast<std::int64_t>(targets.count());
    for (const std::int64_t length : lengths) {
        if (length < 0 || length > count - start || (targets.shape.size() == 2 && length > targets.shape[1]))
            return std::nullopt;
        const auto first = targets.as<Whole>().begin() + start;
        all.emplace_back(first, first + length);
        start += targets.shape.size() == 2 ? targets.shape[1] : length;
    }
    return all;
}

/// The arguments of aten::ctc_loss.
struct LabelledSequences {
    const Array &logProbabilities;                 ///< [steps, batch, classes]
    std::vector<std::int64_t> steps;               ///< the number of steps of each sequence
    std::vector<std::vector<std::int64_t>> labels; ///< the labels of each sequence
    std::int64_t blank;
    bool dropsInfinite;

    std::int64_t batch() const { return logProbabilities.shape[1]; }
    std::int64_t classes() const { return logProbabilities.shape[2]; }
    double logProbability(std::int64_t step, std::size_t sequence, std::int64_t label) const
    {
        const std::int64_t row = step * batch() + static_cast<std::int64_t>(sequence);
        return logProbabilities.as<double>()[static_cast<std::size_t>(row * classes() + label)];
    }
    /// Whether there are steps and labels for each sequence, and all are in range.
    bool isSound() const
    {
        const auto isStep = [&](std::int64_t count) { return count >= 1 && count <= logProbabilities.shape[0]; };
        const auto isClass = [&](std::int64_t label) { return label >= 0 && label < classes(); };
        const auto isLabel = [&](std::int64_t label) { return isClass(label) && label != blank; };
        return isClass(blank) && std::ssize(steps) == batch() && steps.size() == labels.size()
            && std::ranges::all_of(steps, isStep)
            && std::ranges::all_of(labels, [&](const auto &own) { return std::ranges::all_of(own, isLabel); });
    }
};

std::optional<LabelledSequences> labelledSequencesOf(const Call &call)
{
    const Array *x = call.array(0), *targets = call.array(1);
    auto steps = countsAt(call, 2);
    const auto lengths = countsAt(call, 3);
    const auto blank = call.integer("blank", "", 0);
    const auto dropsInfinite = call.flag("zero_infinity", false);
    if (!hasRank(x, 3) || x->isWhole() || !isWhole(targets) || !areKnown(steps, lengths, blank, dropsInfinite))
        return std::nullopt;
    auto labels = labelsOf(*targets, *lengths);
    if (!labels)
        return std::nullopt;
    LabelledSequences sequences{*x, std::move(*steps), std::move(*labels), *blank, *dropsInfinite};
    return sequences.isSound() ? std::optional(std::move(sequences)) : std::nullopt;
}

} // namespace

/// aten::ctc_loss of [steps, batch, classes]. For the mean, each loss is divided by the number of its labels first.
Answer sequenceLoss(const Call &call)
{
    const auto given = labelledSequencesOf(call);
    const auto reduction = lossReductionOf(call);
    if (!given || !reduction)
        return std::nullopt;
    std::vector<double> losses;
    for (std::size_t i = 0; i < given->steps.size(); ++i) {
        const auto logProbability = [&](std::int64_t t, std::int64_t label) {
            return given->logProbability(t, i, label);
        };
        const double loss = -logProbabilityOf(given->labels[i], given->blank, given->steps[i], logProbability);
        losses.push_back(given->dropsInfinite && std::isinf(loss) ? 0 : loss);
        if (*reduction == LossReduction::Mean)
            losses.back() /= static_cast<double>(std::max<std::size_t>(given->labels[i].size(), 1));
    }
    const std::int64_t batch = given->batch();
    return answer(reducedLoss(call, std::move(losses), {batch}, static_cast<double>(batch)));
}

} // namespace cutaway::compute
