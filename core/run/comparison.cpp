// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/comparison.h"

#include "core/ir/tensors/sizes.h"
#include "core/tensor/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::run {

namespace {

using protocol::Tensor;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Returns the cosine of two vectors, which are scaled by their largest number so that nothing overflows.
double cosineOf(const std::vector<double> &a, const std::vector<double> &b)
{
    const auto largest = [](const std::vector<double> &numbers) {
        double most = 0;
        for (const double x : numbers)
            most = std::max(most, std::abs(x));
        return most;
    };
    const double scaleA = largest(a), scaleB = largest(b);
    if (scaleA == 0 || scaleB == 0)
        return scaleA == scaleB ? 1 : 0;
    double product = 0, squaresA = 0, squaresB = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double x = a[i] / scaleA, y = b[i] / scaleB;
        product += x * y;
        squaresA += x * x;
        squaresB += y * y;
    }
    return product / std::sqrt(squaresA * squaresB);
}

void addDifference(Distance &distance, double a, double b, const Tolerance &tolerance)
{
    ++distance.elements;
    if (a == b || (std::isnan(a) && std::isnan(b)))
        return;
    const double absolute = std::isnan(a - b) ? infinite : std::abs(a - b);
    const double largest = std::max(std::abs(a), std::abs(b));
    distance.maxAbsolute = std::max(distance.maxAbsolute, absolute);
    distance.maxRelative = std::max(distance.maxRelative, std::isfinite(largest) ? absolute / largest : infinite);
    if (!std::isfinite(a) || !(absolute <= tolerance.atol + tolerance.rtol * std::abs(a)))
        ++distance.outside;
}

std::optional<Distance> distanceOfTexts(const Tensor &a, const Tensor &b)
{
    const auto before = protocol::textsOf(a), after = protocol::textsOf(b);
    if (!before || !after)
        return std::nullopt;
    Distance distance;
    for (std::size_t i = 0; i < before->size(); ++i)
        addDifference(distance, 0, (*before)[i] == (*after)[i] ? 0 : infinite, {});
    return distance;
}

/// Whether both outputs are None, or both are empty.
bool areEmpty(const Output &a, const Output &b)
{
    const auto *x = std::get_if<Opaque>(&a.content), *y = std::get_if<Opaque>(&b.content);
    return x && y && x->what == y->what && (x->what == "None" || x->what.starts_with("empty "));
}

std::string typeText(const Output &output)
{
    if (const auto *opaque = std::get_if<Opaque>(&output.content))
        return opaque->what;
    const auto &tensor = std::get<Tensor>(output.content);
    return std::string(ir::name(tensor.dtype)) + ir::printSizes(tensor.shape);
}

} // namespace

void Distance::add(const Distance &other)
{
    maxAbsolute = std::max(maxAbsolute, other.maxAbsolute);
    maxRelative = std::max(maxRelative, other.maxRelative);
    cosine = std::fmin(cosine, other.cosine);
    outside += other.outside;
    elements += other.elements;
}

std::optional<Distance> distance(const Tensor &a, const Tensor &b, const Tolerance &tolerance)
{
    if (a.shape != b.shape)
        return std::nullopt;
    if (a.dtype == ir::DType::String && b.dtype == ir::DType::String)
        return distanceOfTexts(a, b);
    const auto before = tensor::numbersOf(a), after = tensor::numbersOf(b);
    if (!before || !after || before->size() != after->size())
        return std::nullopt;
    Distance distance;
    for (std::size_t i = 0; i < before->size(); ++i)
        addDifference(distance, (*before)[i], (*after)[i], tolerance);
    distance.cosine = cosineOf(*before, *after);
    return distance;
}

Compared compare(const Output &a, const Output &b, const Tolerance &tolerance)
{
    Compared compared{a.name, b.name, std::nullopt, {}};
    const auto *before = std::get_if<Tensor>(&a.content), *after = std::get_if<Tensor>(&b.content);
    if (before && after)
        compared.distance = distance(*before, *after, tolerance);
    else if (areEmpty(a, b))
        compared.distance = Distance();
    if (!compared.distance)
        compared.reason = typeText(a) + " and " + typeText(b) + " are not comparable";
    return compared;
}

std::vector<Compared> compare(const Outcome &a, const Outcome &b, const Tolerance &tolerance)
{
    const auto hasName = [](const Outcome &outcome, const std::string &name) {
        return std::ranges::contains(outcome.outputs, name, &Output::name);
    };
    const bool haveNames = std::ranges::all_of(a.outputs, [&](const Output &each) { return hasName(b, each.name); });
    const auto partner = [&](std::size_t i) {
        return haveNames ? std::ranges::find(b.outputs, a.outputs[i].name, &Output::name)
                         : b.outputs.begin() + static_cast<std::ptrdiff_t>(std::min(i, b.outputs.size()));
    };
    std::vector<Compared> all;
    for (std::size_t i = 0; i < a.outputs.size(); ++i)
        all.push_back(partner(i) == b.outputs.end()
                          ? Compared{a.outputs[i].name, {}, std::nullopt, "missing on the other side"}
                          : compare(a.outputs[i], *partner(i), tolerance));
    for (std::size_t i = 0; i < b.outputs.size(); ++i)
        if (haveNames ? !hasName(a, b.outputs[i].name) : i >= a.outputs.size())
            all.push_back({{}, b.outputs[i].name, std::nullopt, "missing on the other side"});
    return all;
}

} // namespace cutaway::run
