// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/tensor_rules.h"

#include <algorithm>
#include <cmath>

namespace cutaway::compute {

namespace {

/// Whether both are tensors [batch…, count, size] that differ at most in their counts.
bool arePointsOfOneSpace(const Array *a, const Array *b)
{
    return a && a->shape.size() >= 2 && hasRank(b, a->shape.size()) && a->shape.back() == b->shape.back()
        && std::equal(a->shape.begin(), a->shape.end() - 2, b->shape.begin());
}

} // namespace

/// Returns the p-norms of the differences of all pairs of rows.
Answer pairDistances(const Call &call)
{
    const Array *a = call.array(0), *b = call.array(1);
    const auto p = call.number("p", "", 2);
    const auto shape = call.shape();
    if (!arePointsOfOneSpace(a, b) || !areKnown(p, shape) || *p <= 0 || std::isinf(*p))
        return std::nullopt;
    const std::vector<double> x = floatsOf(*a), y = floatsOf(*b);
    const auto n = static_cast<std::size_t>(a->shape[a->shape.size() - 2]),
               m = static_cast<std::size_t>(b->shape[b->shape.size() - 2]),
               d = static_cast<std::size_t>(a->shape.back());
    std::vector<double> result;
    for (std::size_t batch = 0; n * d > 0 && batch < x.size() / (n * d); ++batch)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < m; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < d; ++k)
                    sum += std::pow(std::abs(x[(batch * n + i) * d + k] - y[(batch * m + j) * d + k]), *p);
                result.push_back(std::pow(sum, 1 / *p));
            }
    return answer(*shape, std::move(result));
}

} // namespace cutaway::compute
