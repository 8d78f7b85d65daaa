// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/known_tensor.h"

namespace cutaway::analysis {

std::optional<KnownTensor> knownTensor(const RecordedSizes &sizes, const ir::Type &declared, const ops::Fact *derived)
{
    if (const ops::TensorFact *found = derived ? ops::asTensor(*derived) : nullptr)
        return KnownTensor{found->dtype, found->shape};
    const auto *type = std::get_if<ir::TensorType>(&declared);
    if (!type)
        return std::nullopt;
    if (derived)
        return KnownTensor{};
    return KnownTensor{type->dtype, type->shape ? std::optional(sizes.of(*type->shape)) : std::nullopt};
}

} // namespace cutaway::analysis
