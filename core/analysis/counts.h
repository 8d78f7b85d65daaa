// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <cstdint>

namespace cutaway::analysis {

/// Every named tensor of a kind in full, also where tensors share a storage. Sums that do not fit are `saturated`.
struct TensorCount {
    std::int64_t elements = 0;
    std::int64_t tensors = 0;
    std::int64_t bytes = 0;
    std::int64_t storageBytes = 0; ///< what the storages take in the files, shared ones once
};

struct Counts {
    TensorCount parameters;
    TensorCount buffers;
    TensorCount constants;
    std::int64_t storageBytes = 0; ///< of all kinds together, shared ones once

    /// Whether a sum did not fit and so is not a count.
    bool overflows() const;
};

/// Sparse tensors are left out of elements, tensors and bytes, and so are the parts of sparse and quantized ones.
Counts countTensors(const ir::Model &model);

/// Nodes of a function and of the regions within.
std::int64_t countNodes(const ir::Graph &graph);

} // namespace cutaway::analysis
