// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/domains.h"

#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/facts/moved_elements.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

/// Returns the domain of indices below a size.
std::vector<Domain> below(Position argument, const std::optional<ir::Dim> &size, std::optional<std::size_t> item = {})
{
    const auto count = size ? number(*size) : std::nullopt;
    if (!argument || !count || *count < 1)
        return {};
    return {{*argument, 0, static_cast<double>(*count - 1), item}};
}

Position positionOf(const Call &call, std::initializer_list<std::string_view> names, std::size_t ofOnnx)
{
    return call.isOnnx() ? Position(ofOnnx) : call.position(names);
}

std::optional<ir::Dim> sizeAt(const ir::Shape *shape, std::size_t dim)
{
    return shape && dim < shape->size() ? std::optional((*shape)[dim]) : std::nullopt;
}

bool hasIntegers(const Call &call, std::size_t position)
{
    const auto dtype = call.dtypeOf(position);
    return dtype && ir::isInteger(*dtype);
}

} // namespace

std::vector<Domain> positiveFirst(const Call &) { return {{0, 1.0 / 16, 1}}; }
std::vector<Domain> aboveOneFirst(const Call &) { return {{0, 1, 2}}; }
std::vector<Domain> shareFirst(const Call &) { return {{0, 0, 1}}; }
std::vector<Domain> positiveDivisor(const Call &) { return {{1, 0.25, 2}}; }

std::vector<Domain> positiveVariance(const Call &call)
{
    const Position variance = normalizationArguments(call).variance;
    return variance ? std::vector<Domain>{{*variance, 0.25, 1}} : std::vector<Domain>();
}

std::vector<Domain> rowsOfTable(const Call &call)
{
    const ir::Shape *table = call.shape(positionOf(call, {"weight"}, 0));
    return below(positionOf(call, {"indices"}, 1), sizeAt(table, 0));
}

std::vector<Domain> indicesAlongDim(const Call &call)
{
    const ir::Shape *data = call.shape(0u);
    const bool hasAxis = call.has(call.isOnnx() ? "axis" : "dim");
    const auto dim = !data || (!hasAxis && !(call.isOnnx() && !data->empty()))
        ? unknown("the dimension is not known")
        : axis(hasAxis ? call[call.isOnnx() ? "axis" : "dim"] : Fact(intFact(std::int64_t{0})), data->size());
    return dim ? below(positionOf(call, {"index", "indices"}, 1), sizeAt(data, *dim)) : std::vector<Domain>();
}

std::vector<Domain> indicesOfDims(const Call &call)
{
    const ir::Shape *data = call.shape(0u);
    const Position list = call.position({"indices"});
    const auto *given = list ? call[list].as<SequenceFact>() : nullptr;
    std::vector<Domain> domains;
    if (!data || !given || !given->items())
        return domains;
    std::size_t dim = 0;
    for (std::size_t i = 0; i < given->each().size(); ++i) {
        const TensorFact *index = asTensor(given->each()[i]);
        const bool isMask = index && (index->dtype == ir::DType::Bool || index->dtype == ir::DType::UInt8);
        if (isMask && !index->shape)
            return domains;
        if (index && !isMask)
            std::ranges::copy(below(list, sizeAt(data, dim), i), std::back_inserter(domains));
        dim += isMask ? index->shape->size() : 1;
    }
    return domains;
}

std::vector<Domain> indicesOfAll(const Call &call)
{
    const ir::Shape *data = call.shape(0u);
    return data ? below(positionOf(call, {"index"}, 1), elementsOf(*data)) : std::vector<Domain>();
}

std::vector<Domain> indicesOfPositions(const Call &call)
{
    const ir::Shape *data = call.shape(0u), *positions = call.shape(1u);
    const auto depth = positions && !positions->empty() ? number(positions->back()) : std::nullopt;
    const auto batch = call.has("batch_dims") ? call.integer("batch_dims").value_or(0) : 0;
    if (!data || !depth || batch < 0 || batch + *depth > std::ssize(*data))
        return {};
    std::optional<ir::Dim> smallest;
    for (std::int64_t i = batch; i < batch + *depth; ++i) {
        const ir::Dim &size = (*data)[static_cast<std::size_t>(i)];
        if (!number(size))
            return {};
        if (!smallest || *number(size) < *number(*smallest))
            smallest = size;
    }
    return below(1, smallest);
}

std::vector<Domain> classesOfOneHot(const Call &call)
{
    return below(0, call.isOnnx() ? call.size(1u) : call.size("num_classes"));
}

std::vector<Domain> classesOfLoss(const Call &call)
{
    const ir::Shape *scores = call.shape(0u);
    if (!scores || scores->empty() || !hasIntegers(call, 1)) // cross_entropy takes probabilities, too
        return {};
    return below(1, scores->size() == 1 ? scores->front() : (*scores)[1]);
}

} // namespace cutaway::ops
