// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/softmax_arguments.h"
#include "core/ops/compute/rules.h"

#include <algorithm>
#include <cmath>

namespace cutaway::compute {

namespace {

void takeSoftmax(std::span<double> x, bool isLog)
{
    const double largest = x.empty() ? 0 : std::ranges::max(x);
    double sum = 0;
    for (const double a : x)
        sum += std::exp(a - largest);
    for (double &a : x)
        a = isLog ? a - largest - std::log(sum) : std::exp(a - largest) / sum;
}

/// Calls change(lane) for the elements along an axis, once for each index of the other axes.
template <class Change>
void alongAxis(std::vector<double> &floats, std::int64_t along, std::int64_t inner, const Change &change)
{
    std::vector<double> lane(static_cast<std::size_t>(along));
    const auto outer = along * inner == 0 ? 0 : std::ssize(floats) / (along * inner);
    for (std::int64_t i = 0; i < outer * inner; ++i) {
        const auto place = [&](std::int64_t k) {
            return static_cast<std::size_t>((i / inner * along + k) * inner + i % inner);
        };
        for (std::int64_t k = 0; k < along; ++k)
            lane[static_cast<std::size_t>(k)] = floats[place(k)];
        change(lane);
        for (std::int64_t k = 0; k < along; ++k)
            floats[place(k)] = lane[static_cast<std::size_t>(k)];
    }
}

Answer softmaxOf(const Call &call, bool isLog)
{
    const ops::SoftmaxArguments given = ops::softmaxArguments(call.facts());
    const Array *x = call.array(given.input);
    if (!x || !given.axis)
        return std::nullopt;
    const Sizes shape = x->shape.empty() ? Sizes{1} : x->shape;
    const auto axis = ops::dimension(*given.axis, shape.size());
    if (!axis)
        return std::nullopt;
    const auto behind = shape.begin() + static_cast<std::ptrdiff_t>(*axis);
    const std::int64_t inner = given.flattens ? 1 : countOf({behind + 1, shape.end()});
    const std::int64_t along = given.flattens ? countOf({behind, shape.end()}) : *behind;
    std::vector<double> floats = floatsOf(*x);
    alongAxis(floats, along, inner, [&](std::span<double> lane) { takeSoftmax(lane, isLog); });
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

} // namespace

Answer softmax(const Call &call) { return softmaxOf(call, false); }

Answer logSoftmax(const Call &call) { return softmaxOf(call, true); }

} // namespace cutaway::compute
