// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/places.h"
#include "core/ops/compute/tensor_rules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace cutaway::compute {

namespace {

/// Whether an element comes before another one; a NaN comes after all numbers.
template <class T>
bool comesBefore(T a, T b)
{
    if constexpr (std::is_same_v<T, double>)
        if (std::isnan(a) || std::isnan(b))
            return !std::isnan(a) && std::isnan(b);
    return a < b;
}

template <class T>
bool areEqual(T a, T b)
{
    return !comesBefore(a, b) && !comesBefore(b, a);
}

/// Returns for each lane its positions in the order of their elements, stable for equal ones.
std::vector<Places> orders(const Array &x, const Lanes &lanes, bool isDescending)
{
    std::vector<Places> result;
    std::visit(
        [&](const auto &list) {
            for (std::int64_t lane = 0; lane < lanes.count(); ++lane) {
                Places order(static_cast<std::size_t>(lanes.along));
                std::iota(order.begin(), order.end(), 0);
                std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
                    const auto first = list[lanes.place(lane, a)], second = list[lanes.place(lane, b)];
                    return isDescending ? comesBefore(second, first) : comesBefore(first, second);
                });
                result.push_back(std::move(order));
            }
        },
        x.elements);
    return result;
}

bool isTie(const Array &x, std::size_t a, std::size_t b)
{
    return std::visit([&](const auto &list) { return areEqual(list[a], list[b]); }, x.elements);
}

/// The chosen elements along an axis, `count` from the `first` in order on, and their positions in the lane.
struct Chosen {
    Array values, positions;
};

Chosen chosenOf(const Array &x, std::size_t axis, const std::vector<Places> &orders, std::size_t first,
                std::size_t count)
{
    const Lanes lanes = lanesOf(x.shape, axis);
    Sizes shape = x.shape;
    shape[axis] = static_cast<std::int64_t>(count);
    const Lanes target = lanesOf(shape, axis);
    Places places(static_cast<std::size_t>(countOf(shape)));
    std::vector<Whole> positions(places.size());
    for (std::int64_t lane = 0; lane < lanes.count(); ++lane)
        for (std::size_t k = 0; k < count; ++k) {
            const std::int64_t position = orders[static_cast<std::size_t>(lane)][first + k];
            const std::size_t to = target.place(lane, static_cast<std::int64_t>(k));
            positions[to] = position;
            places[to] = static_cast<std::int64_t>(lanes.place(lane, position));
        }
    return {pickedAt(x, shape, places), Array{ir::DType::Int64, shape, std::move(positions)}};
}

/// Whether a chosen element is equal to its neighbour in the order, so that another choice would be as good.
bool hasTies(const Array &x, std::size_t axis, const std::vector<Places> &orders, std::size_t first, std::size_t count)
{
    const Lanes lanes = lanesOf(x.shape, axis);
    for (std::int64_t lane = 0; lane < lanes.count(); ++lane) {
        const Places &order = orders[static_cast<std::size_t>(lane)];
        const std::size_t from = first == 0 ? 0 : first - 1;
        for (std::size_t k = from; k < first + count && k + 1 < order.size(); ++k)
            if (isTie(x, lanes.place(lane, order[k]), lanes.place(lane, order[k + 1])))
                return true;
    }
    return false;
}

/// Returns the tensor to sort: a single number becomes a vector.
Array asVector(const Array &x) { return x.shape.empty() ? reshaped(x, {1}) : x; }

std::optional<Chosen> sorted(const Call &call)
{
    const Array *x = call.array(0);
    const auto isDescending = call.flag("descending", false);
    const Array own = x ? asVector(*x) : Array();
    const auto axis = x ? call.axis("dim", "", -1, own.shape.size()) : std::nullopt;
    if (!axis || !isDescending)
        return std::nullopt;
    auto chosen = chosenOf(own, *axis, orders(own, lanesOf(own.shape, *axis), *isDescending), 0,
                           static_cast<std::size_t>(own.shape[*axis]));
    chosen.values.shape = chosen.positions.shape = x->shape;
    return chosen;
}

Answer answered(Chosen chosen) { return Values{Value(std::move(chosen.values)), Value(std::move(chosen.positions))}; }

} // namespace

Answer sort(const Call &call)
{
    auto chosen = sorted(call);
    return chosen ? answered(std::move(*chosen)) : std::nullopt;
}

Answer argsort(const Call &call)
{
    auto chosen = sorted(call);
    return chosen ? answer(std::move(chosen->positions)) : std::nullopt;
}

/// Computes the largest elements; ONNX takes the first of equal ones, while torch does not specify which.
Answer topk(const Call &call)
{
    const Array *x = call.array(0);
    const Array *k = call.isOnnx() && call.facts().has("k") ? call.array("k") : call.array(1);
    const auto wantsLargest = call.flag("largest", "largest", true), isSorted = call.flag("sorted", "sorted", true);
    const auto axis = x ? call.axis("dim", "axis", -1, x->shape.size()) : std::nullopt;
    if (!areKnown(axis, wantsLargest) || !isWhole(k) || k->count() != 1 || isSorted != true)
        return std::nullopt;
    const std::int64_t count = k->as<Whole>().front();
    if (count < 0 || count > x->shape[*axis])
        return std::nullopt;
    const auto order = orders(*x, lanesOf(x->shape, *axis), *wantsLargest);
    if (!call.isOnnx() && hasTies(*x, *axis, order, 0, static_cast<std::size_t>(count)))
        return std::nullopt;
    return answered(chosenOf(*x, *axis, order, 0, static_cast<std::size_t>(count)));
}

namespace {

/// Whether any element is a NaN.
bool holdsNaN(const Array &x)
{
    return !x.isWhole() && std::ranges::any_of(x.as<double>(), [](double element) { return std::isnan(element); });
}

/// Returns the element at the position nth(size) of the sorted order along "dim", or of all elements without "dim". It
/// is not defined which of several equal elements that is.
Answer nthOf(const Call &call, const std::function<std::size_t(std::size_t)> &nth)
{
    const Array *x = call.array(0);
    const auto keeps = call.flag("keepdim", false);
    if (!x || x->count() == 0 || !keeps)
        return std::nullopt;
    const bool isOfAll = !call.facts().has("dim");
    const Array own = isOfAll ? reshaped(*x, {static_cast<std::int64_t>(x->count())}) : asVector(*x);
    const auto axis = call.axis("dim", "", 0, own.shape.size());
    if (!axis || holdsNaN(own))
        return std::nullopt;
    const auto along = static_cast<std::size_t>(own.shape[*axis]);
    const std::size_t at = nth(along);
    if (at >= along)
        return std::nullopt;
    const auto order = orders(own, lanesOf(own.shape, *axis), false);
    Chosen chosen = chosenOf(own, *axis, order, at, 1);
    if (!isOfAll && hasTies(own, *axis, order, at, 1))
        return std::nullopt;
    for (Array *array : {&chosen.values, &chosen.positions}) {
        if (isOfAll || x->shape.empty())
            array->shape.clear();
        else if (!*keeps)
            array->shape.erase(array->shape.begin() + static_cast<std::ptrdiff_t>(*axis));
    }
    return call.resultCount() > 1 ? answered(std::move(chosen)) : answer(std::move(chosen.values));
}

} // namespace

/// Returns the element in the middle; the lower one if there are two.
Answer median(const Call &call)
{
    return nthOf(call, [](std::size_t count) { return (count - 1) / 2; });
}

Answer kthSmallest(const Call &call)
{
    const auto k = call.facts().integer("k");
    return k && *k >= 1 ? nthOf(call, [&](std::size_t) { return static_cast<std::size_t>(*k - 1); }) : std::nullopt;
}

// ---- sets

namespace {

/// The distinct slices of a tensor, in some order.
struct Distinct {
    Places first;   ///< by distinct slice: the index of its first occurrence
    Places inverse; ///< by slice: the index of its value among the distinct slices
    Places counts;  ///< by distinct slice: how often it occurs
};

template <class T>
std::vector<std::vector<T>> slicesOf(const std::vector<T> &elements, const Lanes &lanes)
{
    std::vector<std::vector<T>> slices(static_cast<std::size_t>(lanes.along));
    for (std::int64_t i = 0; i < lanes.along; ++i)
        for (std::int64_t lane = 0; lane < lanes.count(); ++lane)
            slices[static_cast<std::size_t>(i)].push_back(elements[lanes.place(lane, i)]);
    return slices;
}

template <class T>
std::optional<Distinct> distinctOf(const std::vector<std::vector<T>> &slices, bool isSorted)
{
    std::map<std::vector<T>, std::size_t> known;
    Distinct result;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        if constexpr (std::is_floating_point_v<T>)
            if (std::ranges::any_of(slices[i], [](T element) { return std::isnan(element); }))
                return std::nullopt; // whether two NaNs are equal depends on the implementation
        const auto [place, isNew] = known.try_emplace(slices[i], result.first.size());
        if (isNew) {
            result.first.push_back(static_cast<std::int64_t>(i));
            result.counts.push_back(0);
        }
        ++result.counts[place->second];
        result.inverse.push_back(static_cast<std::int64_t>(place->second));
    }
    if (!isSorted)
        return result;
    Distinct ordered;
    Places rank(result.first.size());
    for (const auto &[slice, which] : known) {
        rank[which] = std::ssize(ordered.first);
        ordered.first.push_back(result.first[which]);
        ordered.counts.push_back(result.counts[which]);
    }
    for (const std::int64_t which : result.inverse)
        ordered.inverse.push_back(rank[static_cast<std::size_t>(which)]);
    return ordered;
}

template <class T>
Distinct runsOf(const std::vector<std::vector<T>> &slices)
{
    Distinct result;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        if (i == 0 || slices[i] != slices[i - 1]) {
            result.first.push_back(static_cast<std::int64_t>(i));
            result.counts.push_back(0);
        }
        ++result.counts.back();
        result.inverse.push_back(std::ssize(result.first) - 1);
    }
    return result;
}

Array vectorOf(Places elements)
{
    const auto count = std::ssize(elements);
    return {ir::DType::Int64, {count}, std::move(elements)};
}

/// Returns the results of aten::_unique2, unique_dim and unique_consecutive: the distinct slices, for each slice the
/// index of its value among them, and how often each occurs. The last two are empty where they are not asked for.
Values torchResults(const Call &call, Array slices, const Distinct &found, const std::optional<Sizes> &flattened)
{
    const bool asksAlways = !flattened; // kernels for slices return these even if they are not asked for
    const bool wantsInverse = asksAlways || call.flag("return_inverse", false).value_or(false);
    const bool wantsCounts = asksAlways || call.flag("return_counts", false).value_or(false);
    Array inverse = vectorOf(wantsInverse ? found.inverse : Places());
    if (wantsInverse && flattened)
        inverse.shape = *flattened;
    return {Value(std::move(slices)), Value(std::move(inverse)),
            Value(vectorOf(wantsCounts ? found.counts : Places()))};
}

} // namespace

Answer unique(const Call &call)
{
    const Array *x = call.array(0);
    const bool isConsecutive = call.facts().name().contains("consecutive");
    const bool isFlat = !call.facts().has(call.isOnnx() ? "axis" : "dim");
    const auto isSorted = call.flag("sorted", "sorted", true);
    const bool isOrderDefined = isConsecutive || call.isOnnx() || isSorted == true;
    if (!x || !isOrderDefined || !isSorted)
        return std::nullopt;
    const Array own = isFlat ? reshaped(*x, {static_cast<std::int64_t>(x->count())}) : *x;
    const auto axis = call.axis("dim", "axis", 0, own.shape.size());
    if (!axis)
        return std::nullopt;
    const auto found = std::visit(
        [&](const auto &list) -> std::optional<Distinct> {
            const auto slices = slicesOf(list, lanesOf(own.shape, *axis));
            return isConsecutive ? std::optional(runsOf(slices)) : distinctOf(slices, *isSorted);
        },
        own.elements);
    if (!found)
        return std::nullopt;
    Array slices = slicesAt(own, *axis, found->first);
    Values results = call.isOnnx()
        ? Values{Value(std::move(slices)), Value(vectorOf(found->first)), Value(vectorOf(found->inverse)),
                 Value(vectorOf(found->counts))}
        : torchResults(call, std::move(slices), *found, isFlat ? std::optional(x->shape) : std::nullopt);
    results.resize(std::max<std::size_t>(call.resultCount(), 1));
    return results;
}

// ---- places in sorted sequences

namespace {

/// Returns the index of a key among sorted edges, before or after equal ones. The search halves like torch's, so that
/// NaNs and unsorted edges also give torch's result.
std::int64_t insertionPoint(std::span<const double> edges, double key, bool goesBehind)
{
    std::size_t first = 0, last = edges.size();
    while (first < last) {
        const std::size_t middle = first + (last - first) / 2;
        const bool isBefore = goesBehind ? edges[middle] > key : edges[middle] >= key;
        (isBefore ? last : first) = isBefore ? middle : middle + 1;
    }
    return static_cast<std::int64_t>(first);
}

/// Whether the rows of edges fit the values: there is one for each row of the values, or a single one for all values.
bool areOfTheseRows(const Sizes &values, const Sizes &edges)
{
    return edges.size() == 1
        || (values.size() == edges.size() && std::equal(edges.begin(), edges.end() - 1, values.begin()));
}

} // namespace

Answer searchSorted(const Call &call)
{
    const bool isBucketize = !call.facts().position({"sorted_sequence"});
    const Array *sequence = call.array(isBucketize ? "boundaries" : "sorted_sequence"), *values = call.array("self");
    const auto isRight = call.flag("right", false);
    const std::string_view side = isBucketize ? "" : call.facts().text("side");
    if (!areKnown(sequence, values, isRight) || call.facts().has("sorter") || sequence->shape.empty())
        return std::nullopt;
    if (!areOfTheseRows(values->shape, sequence->shape))
        return std::nullopt;
    const bool goesBehind = *isRight || side == "right";
    const auto along = static_cast<std::size_t>(sequence->shape.back());
    const std::vector<double> edges = floatsOf(*sequence), keys = floatsOf(*values);
    const std::size_t perRow =
        sequence->shape.size() == 1 ? keys.size() : static_cast<std::size_t>(values->shape.back());
    std::vector<Whole> found;
    for (std::size_t i = 0; i < keys.size(); ++i)
        found.push_back(insertionPoint(std::span(edges).subspan(i / perRow * along, along), keys[i], goesBehind));
    return answer(Array{ir::DType::Int64, values->shape, std::move(found)});
}

Answer bincount(const Call &call)
{
    const Array *x = call.array(0), *weights = call.array("weights");
    const auto least = call.integer("minlength", "", 0);
    if (!x || !x->isWhole() || !least || (call.facts().has("weights") && !weights))
        return std::nullopt;
    const auto values = x->as<Whole>();
    constexpr Whole most = 1 << 24;
    if (*least > most || std::ranges::any_of(values, [](Whole a) { return a < 0 || a > most; })
        || (weights && weights->count() != values.size()))
        return std::nullopt;
    const Whole length = std::max(*least, values.empty() ? 0 : std::ranges::max(values) + 1);
    std::vector<double> sums(static_cast<std::size_t>(length));
    const std::vector<double> added = weights ? floatsOf(*weights) : std::vector<double>(values.size(), 1.0);
    for (std::size_t i = 0; i < values.size(); ++i)
        sums[static_cast<std::size_t>(values[i])] += added[i];
    return answer(Array{ir::DType::Float64, {length}, std::move(sums)});
}

} // namespace cutaway::compute
