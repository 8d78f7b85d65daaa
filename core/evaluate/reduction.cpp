// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace cutaway::evaluate {

namespace {

using FloatSpan = std::span<const double>;
using Wholes = std::span<const Whole>;

struct Reduction {
    std::string_view kind;
    double (*real)(FloatSpan);
    Whole (*whole)(Wholes) = nullptr;
    bool mayBeEmpty = true; ///< of the elements that are reduced
};

double sumOf(FloatSpan x) { return std::accumulate(x.begin(), x.end(), 0.0); }
double productOf(FloatSpan x) { return std::accumulate(x.begin(), x.end(), 1.0, std::multiplies()); }
double squaresOf(FloatSpan x) { return std::inner_product(x.begin(), x.end(), x.begin(), 0.0); }
double absolutesOf(FloatSpan x)
{
    return std::accumulate(x.begin(), x.end(), 0.0, [](double sum, double a) { return sum + std::abs(a); });
}
double meanOf(FloatSpan x) { return sumOf(x) / static_cast<double>(x.size()); }

template <bool isLargest>
std::size_t placeOfExtreme(FloatSpan x)
{
    std::size_t best = 0;
    for (std::size_t i = 1; i < x.size() && !std::isnan(x[best]); ++i)
        if (std::isnan(x[i]) || (isLargest ? x[i] > x[best] : x[i] < x[best]))
            best = i;
    return best;
}

template <bool isLargest>
double extremeOf(FloatSpan x)
{
    return x[placeOfExtreme<isLargest>(x)];
}

double logOfExponentials(FloatSpan x)
{
    const double largest = extremeOf<true>(x);
    if (std::isinf(largest))
        return largest;
    return largest + std::log(std::accumulate(x.begin(), x.end(), 0.0, [&](double sum, double a) {
               return sum + std::exp(a - largest);
           }));
}

Whole wholeSum(Wholes x)
{
    return static_cast<Whole>(std::accumulate(x.begin(), x.end(), std::uint64_t{0},
                                              [](std::uint64_t sum, Whole a) { return sum + bits(a); }));
}
Whole wholeProduct(Wholes x)
{
    return static_cast<Whole>(std::accumulate(x.begin(), x.end(), std::uint64_t{1},
                                              [](std::uint64_t product, Whole a) { return product * bits(a); }));
}

constexpr auto reductions = std::to_array<Reduction>({
    {"sum", sumOf, wholeSum},
    {"prod", productOf, wholeProduct},
    {"mean", meanOf},
    {"amax", extremeOf<true>, [](Wholes x) { return std::ranges::max(x); }, false},
    {"amin", extremeOf<false>, [](Wholes x) { return std::ranges::min(x); }, false},
    {"any", [](FloatSpan x) { return std::ranges::any_of(x, [](double a) { return a != 0; }) ? 1.0 : 0.0; }},
    {"all", [](FloatSpan x) { return std::ranges::all_of(x, [](double a) { return a != 0; }) ? 1.0 : 0.0; }},
    {"argmax", [](FloatSpan x) { return static_cast<double>(placeOfExtreme<true>(x)); }, nullptr, false},
    {"argmin", [](FloatSpan x) { return static_cast<double>(placeOfExtreme<false>(x)); }, nullptr, false},
    {"logsumexp", logOfExponentials, nullptr, false},
    {"reducelogsumexp", logOfExponentials, nullptr, false},
    {"reducelogsum", [](FloatSpan x) { return std::log(sumOf(x)); }},
    {"reducesumsquare", squaresOf},
    {"reducel1", absolutesOf},
    {"reducel2", [](FloatSpan x) { return std::sqrt(squaresOf(x)); }},
});

/// Which dimensions are reduced: none named means all, unless ONNX says that it means none.
std::optional<std::vector<bool>> reducedAxes(const Call &call, std::size_t rank)
{
    const auto &facts = call.facts();
    const bool isIndex = call.kind().starts_with("arg");
    const ops::Fact &named = !call.isOnnx() ? facts.any({"dim", "dims"})
        : isIndex                           ? facts["axis"]
        : facts.has("axes")                 ? facts["axes"]
                                            : facts[1];
    const auto dims = call.isOnnx() && isIndex && named.as<ops::NoneFact>()
        ? std::optional(std::vector<ir::Dim>{std::int64_t{0}})
        : ops::asInts(named);
    const bool isNone = named.as<ops::NoneFact>() != nullptr || (dims && dims->empty());
    if (isNone && (!isIndex || !call.isOnnx()))
        return std::vector<bool>(rank, facts.flag("noop_with_empty_axes") != true);
    std::vector<bool> chosen(rank, false);
    for (const ir::Dim &dim : dims ? *dims : std::vector<ir::Dim>{ir::UnknownDim{}}) {
        const auto number = ops::number(dim);
        const auto axis = number ? ops::dimension(*number, std::max(rank, std::size_t{1})) : std::nullopt;
        if (!axis)
            return std::nullopt;
        if (rank > 0)
            chosen[*axis] = true;
    }
    return chosen;
}

/// The tensor with what is reduced behind the rest, so that what becomes one element lies together.
Array withReducedLast(const Array &x, const std::vector<bool> &reduced)
{
    std::vector<std::size_t> order;
    for (const bool last : {false, true})
        for (std::size_t d = 0; d < x.shape.size(); ++d)
            if (reduced[d] == last)
                order.push_back(d);
    return permuted(x, order);
}

std::size_t lengthOf(const Array &x, const std::vector<bool> &reduced)
{
    std::int64_t length = 1;
    for (std::size_t d = 0; d < x.shape.size(); ++d)
        length *= reduced[d] ? x.shape[d] : 1;
    return static_cast<std::size_t>(length);
}

/// Each run of `length` elements becomes one.
template <class T, class U>
std::vector<U> perRun(std::span<const T> elements, std::size_t length, std::size_t runs,
                      U (*function)(std::span<const T>))
{
    std::vector<U> results;
    for (std::size_t i = 0; i < runs; ++i)
        results.push_back(function(elements.subspan(i * length, length)));
    return results;
}

std::optional<Array> reduced(const Array &x, const std::vector<bool> &axes, const Reduction &reduction,
                             const Sizes &shape)
{
    const Array ordered = withReducedLast(x, axes);
    const std::size_t length = lengthOf(x, axes);
    const auto runs = static_cast<std::size_t>(countOf(shape));
    if ((length == 0 && !reduction.mayBeEmpty) || runs * length != x.count())
        return std::nullopt;
    if (x.isWhole() && reduction.whole)
        return Array{x.dtype, shape, perRun(ordered.as<Whole>(), length, runs, reduction.whole)};
    const std::vector<double> floats = floatsOf(ordered);
    return Array{ir::DType::Float64, shape, perRun(FloatSpan(floats), length, runs, reduction.real)};
}

Answer reduce(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto dtype = call.dtype();
    const auto axes = x ? reducedAxes(call, x->shape.size()) : std::nullopt;
    if (!axes || !shape || !dtype)
        return std::nullopt;
    const Reduction &reduction = *std::ranges::find(reductions, call.kind(), &Reduction::kind);
    const bool isSum = call.kind() == "sum" || call.kind() == "prod";
    const auto input = isSum ? converted(*x, *dtype) : std::optional(*x);
    // Places and means of whole numbers go through doubles, which hold less.
    const bool isExact = !x->isWhole() || reduction.whole || x->dtype != ir::DType::Int64;
    return input && isExact ? answer(reduced(*input, *axes, reduction, *shape)) : std::nullopt;
}

/// aten::max and min: of all elements, or along a dimension with the places.
Answer extremeWithPlace(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    if (!x || !shape || call.facts().overload() == "other" || call.facts().overload() == "out" || call.isOnnx())
        return std::nullopt;
    const bool isMax = call.kind() == "max";
    const auto axes = reducedAxes(call, x->shape.size());
    const auto named = [](std::string_view kind) -> const Reduction & {
        return *std::ranges::find(reductions, kind, &Reduction::kind);
    };
    auto values = axes ? reduced(*x, *axes, named(isMax ? "amax" : "amin"), *shape) : std::nullopt;
    if (!values || call.resultCount() == 1)
        return answer(values);
    auto places = reduced(*x, *axes, named(isMax ? "argmax" : "argmin"), *shape);
    return places ? Answer(Values{Value(*values), Value(*places)}) : std::nullopt;
}

/// Squared distances from the mean, divided by their number less the correction.
Answer variance(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto axes = x ? reducedAxes(call, x->shape.size()) : std::nullopt;
    const auto unbiased = call.flag("unbiased", true);
    const auto correction = call.number("correction", "", unbiased == true ? 1 : 0);
    if (!axes || !shape || !unbiased || !correction || call.resultCount() != 1)
        return std::nullopt;
    const Array ordered = withReducedLast(*x, *axes);
    const std::vector<double> floats = floatsOf(ordered);
    const std::size_t length = lengthOf(*x, *axes);
    std::vector<double> results;
    for (std::size_t i = 0; i < static_cast<std::size_t>(countOf(*shape)); ++i) {
        const FloatSpan run = FloatSpan(floats).subspan(i * length, length);
        const double mean = meanOf(run);
        double sum = 0;
        for (const double a : run)
            sum += (a - mean) * (a - mean);
        const double result = sum / std::max(0.0, static_cast<double>(length) - *correction);
        results.push_back(call.kind() == "std" ? std::sqrt(result) : result);
    }
    return answer(Array{ir::DType::Float64, *shape, std::move(results)});
}

Answer cumulativeSum(const Call &call)
{
    const Array *x = call.array(0);
    const auto dtype = call.dtype();
    const auto named = call.facts().integer(1);
    if (!x || !dtype || !named || call.integer("", "reverse", 0) != 0 || call.integer("", "exclusive", 0) != 0)
        return std::nullopt;
    auto sums = converted(*x, *dtype);
    const auto axis = ops::dimension(*named, x->shape.size());
    if (!sums || !axis)
        return x->shape.empty() ? answer(sums) : std::nullopt;
    const auto step = static_cast<std::size_t>(stridesOf(x->shape)[*axis]);
    const auto along = static_cast<std::size_t>(x->shape[*axis]);
    std::visit(
        [&](auto &list) {
            for (std::size_t i = 0; i < list.size(); ++i)
                if (i / step % along != 0) {
                    if constexpr (std::is_same_v<std::remove_reference_t<decltype(list[0])>, Whole>)
                        list[i] = static_cast<Whole>(bits(list[i]) + bits(list[i - step]));
                    else
                        list[i] += list[i - step];
                }
        },
        sums->elements);
    return answer(sums);
}

constexpr auto reductionRows = std::to_array<RuleRow>({
    {"sum prod mean amax amin any all argmax argmin logsumexp reducelogsumexp reducelogsum reducesumsquare reducel1 "
     "reducel2",
     reduce},
    {"max min", extremeWithPlace},
    {"var std", variance},
    {"cumsum", cumulativeSum},
});

} // namespace

std::span<const RuleRow> reductionRules() { return reductionRows; }

} // namespace cutaway::evaluate
