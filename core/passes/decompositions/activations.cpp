// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition_rules.h"

namespace cutaway::passes {

namespace {

using D = Decomposition;

Parts prelu(D &d)
{
    const Term x = d["self"], weight = d["weight"];
    const auto shape = d.tensor(x), slopes = d.tensor(weight);
    if (!shape || !slopes || shape->dtype != slopes->dtype || slopes->rank() > 1)
        return {};
    Term slope = weight;
    if (slopes->rank() == 1 && shape->rank() != 1) {
        ir::Shape wide(shape->rank(), ops::one);
        if (shape->rank() > 1)
            wide[1] = slopes->shape.front();
        slope = d.reshape(weight, wide);
    }
    return {where(compared("gt", x, d.term(0.0)), x, slope * x)};
}

constexpr DecompositionRule activationRules[] = {
    {"aten::prelu", prelu},
};

} // namespace

std::span<const DecompositionRule> activationDecompositions() { return activationRules; }

} // namespace cutaway::passes
