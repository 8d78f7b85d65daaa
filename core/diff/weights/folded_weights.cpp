// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/weights/folded_weights.h"

#include "core/base/result.h"
#include "core/diff/weights/rounding.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/normalization_arguments.h"

#include <algorithm>
#include <cmath>

namespace cutaway::diff {

namespace {

std::unexpected<Error> notFolded(const char *reason)
{
    return std::unexpected(Error{ErrorKind::Unreadable, reason, {}});
}

Result<std::vector<double>> numbersOf(const Operands &side, ir::TensorId tensor)
{
    CUTAWAY_TRY(auto numbers, ir::numbersOf(side.model(), tensor));
    if (auto *floats = std::get_if<std::vector<double>>(&numbers))
        return std::move(*floats);
    return notFolded("the weights are not of a floating dtype");
}

/// Returns an argument with a number per channel. `defaultNumber` stands for each number of a tensor that is omitted.
Result<std::vector<double>> channelNumbers(Operands &side, const ir::NodeRef &node, ops::Position position,
                                           std::size_t channels, double defaultNumber)
{
    const ir::Operand *operand = side.argument(node, position);
    if (!operand || operand->as<ir::None>())
        return std::vector<double>(channels, defaultNumber);
    const auto weight = side.readWeight(*operand);
    if (!weight)
        return notFolded("a weight is computed by the model");
    auto numbers = numbersOf(side, weight->tensor);
    if (numbers && numbers->size() != channels)
        return notFolded("the weights have other sizes");
    return numbers;
}

std::uint64_t countDiffering(const std::vector<double> &a, const std::vector<double> &b, double rounding)
{
    if (a.size() != b.size())
        return std::max(a.size(), b.size());
    double largest = 0;
    for (const double x : a)
        largest = std::max(largest, std::isfinite(x) ? std::abs(x) : 0);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double allowed = rounding * (std::abs(a[i]) + 1e-2 * largest);
        count += a[i] == b[i] || std::abs(a[i] - b[i]) <= allowed || (std::isnan(a[i]) && std::isnan(b[i])) ? 0 : 1;
    }
    return count;
}

} // namespace

Result<ConvolutionWeights> weightsOf(Operands &side, const ir::NodeRef &convolution)
{
    const auto given = ops::convolutionArguments(side.call(convolution));
    const ir::Operand *operand = given ? side.argument(convolution, given->weight) : nullptr;
    const auto weight = operand ? side.readWeight(*operand) : std::nullopt;
    if (!weight || weight->isTransposed || given->transposed != false)
        return notFolded("the convolution's weight is not the file's as it lies, or transposed");
    const std::vector<std::int64_t> &shape = side.model().at(weight->tensor).shape;
    CUTAWAY_TRY(auto numbers, numbersOf(side, weight->tensor));
    const auto channels = shape.empty() ? 0 : static_cast<std::size_t>(shape.front());
    if (channels == 0 || numbers.size() % channels != 0)
        return notFolded("the convolution has no channels");
    CUTAWAY_TRY(auto bias, channelNumbers(side, convolution, given->bias, channels, 0));
    return ConvolutionWeights{weight->tensor, std::move(numbers), std::move(bias)};
}

Result<ConvolutionWeights> foldedWeights(Operands &side, const ir::NodeRef &convolution,
                                         const ir::NodeRef &normalization)
{
    auto weights = weightsOf(side, convolution);
    if (!weights)
        return weights;
    const std::size_t channels = weights->bias.size();
    const auto given = ops::normalizationArguments(side.call(normalization));
    if (given.useInputStats != false || !given.epsilon || !*given.epsilon)
        return notFolded("the normalization is not that of an inference");
    const double epsilon = **given.epsilon;
    CUTAWAY_TRY(const auto scale, channelNumbers(side, normalization, given.weight, channels, 1));
    CUTAWAY_TRY(const auto shift, channelNumbers(side, normalization, given.bias, channels, 0));
    CUTAWAY_TRY(const auto mean, channelNumbers(side, normalization, given.mean, channels, 0));
    CUTAWAY_TRY(const auto variance, channelNumbers(side, normalization, given.variance, channels, 1));
    const std::size_t inner = weights->weight.size() / channels;
    for (std::size_t c = 0; c < channels; ++c) {
        const double factor = scale[c] / std::sqrt(variance[c] + epsilon);
        for (std::size_t i = 0; i < inner; ++i)
            weights->weight[c * inner + i] *= factor;
        weights->bias[c] = (weights->bias[c] - mean[c]) * factor + shift[c];
    }
    return weights;
}

std::uint64_t countDiffering(const ConvolutionWeights &a, const ConvolutionWeights &b, ir::DType dtype)
{
    const double rounding = roundingOf(dtype);
    return countDiffering(a.weight, b.weight, rounding) + countDiffering(a.bias, b.bias, rounding);
}

bool areFoldedAlike(const ConvolutionWeights &a, const ConvolutionWeights &b)
{
    constexpr double fewRoundings = 1e-6;
    return countDiffering(a.weight, b.weight, fewRoundings) + countDiffering(a.bias, b.bias, fewRoundings) == 0;
}

} // namespace cutaway::diff
