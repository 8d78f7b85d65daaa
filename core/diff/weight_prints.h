// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/hash.h"
#include "core/ir/model.h"

#include <optional>
#include <unordered_map>

namespace cutaway::diff {

/// Hashes of weights, each computed once. Dimensions of size 1 and the order of dimensions are ignored, so that a
/// transposed weight has the same hashes.
class WeightPrints {
public:
    explicit WeightPrints(const ir::Model &model) : m_model(model) { }

    Hash shape(ir::TensorId tensor) const;
    /// Hashes some elements along the diagonal, which are the same in any layout; nothing if they cannot be read.
    std::optional<Hash> content(ir::TensorId tensor);

private:
    std::optional<Hash> read(ir::TensorId tensor) const;

    const ir::Model &m_model;
    std::unordered_map<ir::TensorId, std::optional<Hash>> m_contents;
};

} // namespace cutaway::diff
