// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// Values of an argument for which the results are defined and ordinary, both ends included: indices that are there,
/// variances above 0. Test data is drawn from it.
struct Domain {
    std::size_t argument;                 ///< position, see Position
    double low, high;                     ///< low <= high
    std::optional<std::size_t> item = {}; ///< the item, for a list argument
};
/// Returns the domains of the arguments for which not every value will do.
using DomainRule = std::vector<Domain> (*)(const Call &call);

// Rules. They return nothing where a size is not known.
std::vector<Domain> positiveFirst(const Call &call);      ///< 1/16 to 1: roots, logarithms
std::vector<Domain> aboveOneFirst(const Call &call);      ///< 1 to 2
std::vector<Domain> shareFirst(const Call &call);         ///< 0 to 1: probabilities
std::vector<Domain> positiveDivisor(const Call &call);    ///< 1/4 to 2 for the second argument
std::vector<Domain> positiveVariance(const Call &call);   ///< 1/4 to 1 for a normalization's variance
std::vector<Domain> rowsOfTable(const Call &call);        ///< indices of an embedding's rows
std::vector<Domain> indicesAlongDim(const Call &call);    ///< indices of gather, index_select, scatter: along one dim
std::vector<Domain> indicesOfDims(const Call &call);      ///< indices of x[a, None, b]: a list, one for each dim
std::vector<Domain> indicesOfAll(const Call &call);       ///< indices of take: into the tensor as a vector
std::vector<Domain> indicesOfPositions(const Call &call); ///< indices of GatherND, ScatterND: within the smallest dim
std::vector<Domain> classesOfOneHot(const Call &call);
std::vector<Domain> classesOfLoss(const Call &call); ///< targets that name a class of the second dimension

} // namespace cutaway::ops
