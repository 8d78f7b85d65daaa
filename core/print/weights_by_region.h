// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <vector>

namespace cutaway::print {

/// The weights that a function's signature does not list (ONNX initializers), by the region they are visible in.
class WeightsByRegion {
public:
    explicit WeightsByRegion(const ir::Function &function);
    const std::vector<ir::ValueId> &of(ir::RegionId region) const { return m_values[region.index]; }

private:
    std::vector<std::vector<ir::ValueId>> m_values;
};

} // namespace cutaway::print
