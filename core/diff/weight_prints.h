// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/hash.h"
#include "core/ir/model.h"

#include <optional>
#include <unordered_map>

namespace cutaway::diff {

/// What weights are made of, each looked at once. Sizes of 1 and the order of the dimensions do not count, so that a
/// transposed weight has the prints of the plain one.
class WeightPrints {
public:
    explicit WeightPrints(const ir::Model &model) : m_model(model) { }

    Hash shape(ir::TensorId tensor) const;
    /// Of some elements along the diagonal, in any layout the same ones; nothing if they cannot be read.
    std::optional<Hash> content(ir::TensorId tensor);

private:
    std::optional<Hash> read(ir::TensorId tensor) const;

    const ir::Model &m_model;
    std::unordered_map<ir::TensorId, std::optional<Hash>> m_contents;
};

} // namespace cutaway::diff
