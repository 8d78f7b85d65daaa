// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/pointwise.h"

namespace cutaway::rules::to_aten {

bool isFloatInput(const OnnxNode &n)
{
    const auto x = n.knownTensor(0);
    return x && ir::isFloating(x->dtype);
}

Term alignedSecond(OnnxNode &n)
{
    const auto x = n.knownTensor(0), y = n.knownTensor(1);
    const auto axis = n.dimension(n.integer("axis", 0));
    if (n.opset() >= 7 || !n.has("axis") || !x || !y || !axis || *axis + y->rank() >= x->rank())
        return n[1];
    ir::Shape shape = y->shape;
    shape.resize(x->rank() - *axis, ir::Dim(std::int64_t{1}));
    return reshape(n[1], shape);
}

Term secondOf(OnnxNode &n)
{
    const auto x = n.knownTensor(0);
    const Term second = alignedSecond(n);
    return x && x->rank() > 0 && second.operand == n[1].operand ? n.numberOr(1) : second;
}

} // namespace cutaway::rules::to_aten
