// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/known_tensor.h"

#include "core/ops/dim_arithmetic.h"

namespace cutaway::report {

KnownTensor knownOf(const Sizes &sizes, const ir::Type &recorded, const ops::Fact *derived)
{
    KnownTensor known;
    const auto *declared = std::get_if<ir::TensorType>(&recorded);
    const ops::TensorFact *found = derived ? ops::asTensor(*derived) : nullptr;
    known.isTensor = declared || found;
    if (found) {
        known.dtype = found->dtype;
        known.shape = found->shape;
    }
    if (!declared)
        return known;
    if (!known.dtype)
        known.dtype = declared->dtype;
    if (!declared->shape)
        return known;
    const ir::Shape shape = sizes.of(*declared->shape);
    if (!known.shape)
        known.shape = shape;
    else if (shape.size() == known.shape->size())
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (!ops::isKnown((*known.shape)[i]))
                (*known.shape)[i] = shape[i];
    return known;
}

} // namespace cutaway::report
