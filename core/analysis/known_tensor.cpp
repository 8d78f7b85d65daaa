// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/known_tensor.h"

#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>

namespace cutaway::analysis {

bool isContradiction(const ops::TensorFact &derived, const ops::TensorFact &recorded)
{
    if (derived.dtype && recorded.dtype && derived.dtype != recorded.dtype)
        return true;
    if (!derived.shape || !recorded.shape)
        return false;
    return derived.shape->size() != recorded.shape->size()
        || !std::ranges::equal(*derived.shape, *recorded.shape,
                               [](const ir::Dim &a, const ir::Dim &b) { return !ops::isDifferent(a, b); });
}

bool isWhollyKnown(const ops::Fact &fact, const ir::Type &type)
{
    if (const ops::TensorFact *tensor = ops::asTensor(fact))
        return tensor->dtype && tensor->shape && std::ranges::all_of(*tensor->shape, ops::isKnown);
    return !fact.as<ops::AnyFact>()
        || !(std::holds_alternative<ir::UnknownType>(type) || std::holds_alternative<ir::TensorType>(type));
}

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
