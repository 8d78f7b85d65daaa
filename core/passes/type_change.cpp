// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/type_change.h"

#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>

namespace cutaway::passes {

bool contradict(const ops::Fact &before, const ops::Fact &after)
{
    const ops::TensorFact *a = ops::asTensor(before);
    const ops::TensorFact *b = ops::asTensor(after);
    if (!a || !b)
        return false;
    if (a->dtype && b->dtype && a->dtype != b->dtype)
        return true;
    if (!a->shape || !b->shape)
        return false;
    return !std::ranges::equal(*a->shape, *b->shape, [](const ir::Dim &x, const ir::Dim &y) {
        return !ops::number(x) || !ops::number(y) || ops::number(x) == ops::number(y);
    });
}

} // namespace cutaway::passes
