// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rules.h"

// Decompositions like those of torch/_refs/nn/functional and torch/_decomp.

namespace cutaway::rules::to_aten { // core ATen

namespace {

using D = Decomposition;

/// Reduces the losses as the argument `reduction` says: returns them unchanged, their mean or their sum.
Parts reducedLoss(D &d, const Term &loss)
{
    switch (d.integer("reduction")) {
    case 0:
        return {loss};
    case 1:
        return {applied("mean", loss)};
    case 2:
        return {d.make("sum.dim_IntList", {loss, ir::List{}})};
    default:
        return d.refuse("its reduction is not known");
    }
}

/// Returns the weights of classes in a shape in which they can be multiplied with tensors that have the classes along
/// this dimension.
Term alongClasses(const Term &weight, const D::Tensor &like, std::int64_t channel)
{
    ir::Shape shape(like.rank() - static_cast<std::size_t>(channel), ops::one);
    shape.front() = like.shape[static_cast<std::size_t>(channel)];
    return reshape(weight, shape);
}

double classCount(D &d, const D::Tensor &known, std::int64_t channel)
{
    return static_cast<double>(
        d.known(ops::number(known.shape[static_cast<std::size_t>(channel)]), "the number of classes is"));
}

/// Computes the loss for logarithms of probabilities; `target` has the indices of classes. `smoothing` is the share of
/// the loss that is spread over all classes.
Parts likelihoodLoss(D &d, const Term &logs, double smoothing = 0)
{
    const Term target = d["target"], weight = d["weight"];
    const auto known = d.tensor(logs), classes = d.tensor("target");
    if (known.rank() == 0 || classes.dtype != ir::DType::Int64 || classes.rank() + 1 != known.rank())
        return d.refuse("its target is not one class for each place");
    const std::int64_t channel = known.rank() > 1 ? 1 : 0;
    const Term counts = compared("ne", target, d.term(d.integer("ignore_index")));
    const Term safe = where(counts, target, d.scalar(std::int64_t{0}, ir::DType::Int64));
    const Term zero = d.scalar(0.0, known.dtype);
    Term loss = -squeeze(d.make("gather", {logs, channel, unsqueeze(safe, channel)}), channel);
    Term share = cast(counts, known.dtype);
    if (!weight.isNone()) {
        const Term of = d.make("index.Tensor", {weight, ir::List{{safe.operand}}});
        loss = loss * of;
        share = where(counts, of, zero);
    }
    if (smoothing != 0) {
        const Term all = weight.isNone() ? logs : logs * alongClasses(weight, known, channel);
        loss = loss * (1 - smoothing) - sum(all, {channel}, false) * (smoothing / classCount(d, known, channel));
    }
    loss = where(counts, loss, zero);
    const auto total = [&](const Term &x) { return d.make("sum.dim_IntList", {x, ir::List{}}); };
    if (d.integer("reduction") == 1)
        return {total(loss) / total(share)};
    return reducedLoss(d, loss);
}

Parts crossEntropy(D &d)
{
    const Term x = d["self"], target = d["target"];
    const auto known = d.tensor("self"), classes = d.tensor("target");
    const double smoothing = d.number("label_smoothing");
    if (known.rank() == 0)
        return d.refuse("its input has no classes");
    const std::int64_t channel = known.rank() > 1 ? 1 : 0;
    const Term logs = d.make("_log_softmax", {x, channel, false});
    if (!ir::isFloating(classes.dtype))
        return likelihoodLoss(d, logs, smoothing);
    if (known.shape != classes.shape)
        return d.refuse("its target is of another shape");
    const Term shares = smoothing == 0 ? target : target * (1 - smoothing) + smoothing / classCount(d, known, channel);
    const Term parts = d.has("weight") ? logs * shares * alongClasses(d["weight"], known, channel) : logs * shares;
    const Term loss = -sum(parts, {channel}, false);
    if (d.integer("reduction") != 1)
        return reducedLoss(d, loss);
    const auto count = known.rank() == 1 ? std::optional<std::int64_t>(1) : ir::elementCount(d.tensor(loss).shape);
    if (!count || *count < 1)
        return d.refuse("the number of its losses is not known, or 0");
    return {d.make("sum.dim_IntList", {loss, ir::List{}}) / static_cast<double>(*count)};
}

constexpr DecompositionRule lossDecompositions[] = {
    {"aten::cross_entropy_loss", crossEntropy},
    {"aten::nll_loss", [](D &d) { return likelihoodLoss(d, d["self"]); }},
    {"aten::nll_loss_nd", [](D &d) { return likelihoodLoss(d, d["self"]); }},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules {

Family loss() { return {.decompositions = to_aten::lossDecompositions}; }

} // namespace cutaway::rules
