// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// A range of an argument's values, both ends included, for which the results are defined and ordinary: valid indices,
/// variances above 0. Test data is drawn from it.
struct Domain {
    std::size_t argument;                 ///< the argument's position among the parameters or inputs, see Position
    double low, high;                     ///< low <= high
    std::optional<std::size_t> item = {}; ///< the item that the range is of, if the argument is a list
};
/// Returns the ranges of the arguments that may not have every value.
using DomainRule = std::vector<Domain> (*)(const Call &call);

// Rules: each returns nothing where a size is not known.
std::vector<Domain> positiveFirst(const Call &call);    ///< the first argument from 1/16 to 1: roots, logarithms
std::vector<Domain> aboveOneFirst(const Call &call);    ///< the first argument from 1 to 2
std::vector<Domain> shareFirst(const Call &call);       ///< the first argument from 0 to 1: probabilities
std::vector<Domain> positiveDivisor(const Call &call);  ///< the second argument from 1/4 to 2
std::vector<Domain> positiveVariance(const Call &call); ///< a normalization's variance from 1/4 to 1
std::vector<Domain> rowsOfTable(const Call &call);      ///< indices of an embedding's rows
/// Indices of gather, index_select, scatter: along one dimension.
std::vector<Domain> indicesAlongDim(const Call &call);
std::vector<Domain> indicesOfDims(const Call &call); ///< indices of x[a, None, b]: a list with one for each dimension
std::vector<Domain> indicesOfAll(const Call &call);  ///< indices of take: into the tensor as a vector
std::vector<Domain> indicesOfPositions(const Call &call); ///< indices of GatherND, ScatterND: within the smallest dim
std::vector<Domain> classesOfOneHot(const Call &call);
std::vector<Domain> classesOfLoss(const Call &call); ///< targets that name a class of the second dimension

} // namespace cutaway::ops
