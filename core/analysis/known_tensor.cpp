// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/known_tensor.h"

namespace cutaway::analysis {

KnownTensor knownOf(const Sizes &sizes, const ir::Type &declared, const ops::Fact *derived)
{
    const auto *type = std::get_if<ir::TensorType>(&declared);
    const ops::TensorFact *found = derived ? ops::asTensor(*derived) : nullptr;
    if (found)
        return {true, found->dtype, found->shape};
    KnownTensor known{type != nullptr, {}, {}};
    if (derived || !type)
        return known;
    known.dtype = type->dtype;
    if (type->shape)
        known.shape = sizes.of(*type->shape);
    return known;
}

} // namespace cutaway::analysis
