// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace cutaway::analysis {

/// Finds tensors that are the same: tied parameters have several names and lie in the same bytes.
class TiedTensors {
public:
    explicit TiedTensors(const ir::Model &model);
    /// Returns the first tensor of the model that lies in the same bytes as `id`, with the same dtype; `id` itself if
    /// no other one does.
    ir::TensorId firstOf(ir::TensorId id) const { return m_first[id.index]; }

private:
    std::vector<ir::TensorId> m_first; ///< by TensorId
};

/// Sums over the named tensors of a kind. Each tensor counts in full, even where tensors share a storage. Sums that do
/// not fit are `saturated`.
struct TensorCount {
    std::int64_t elements = 0;
    std::int64_t tensors = 0;
    std::int64_t bytes = 0;
    std::int64_t distinctElements = 0; ///< `elements`, with tied tensors, which lie in the same bytes, counted once
    std::int64_t distinctBytes = 0;
    std::int64_t storageBytes = 0; ///< bytes that the storages take in the files, shared ones once
};

struct Counts {
    TensorCount parameters; ///< packed ones included
    TensorCount packed;     ///< the parameters that are no plain tensors, but held by objects or sparse
    TensorCount buffers;
    TensorCount constants;
    std::int64_t storageBytes = 0; ///< bytes that the storages of all kinds take in the files, shared ones once

    /// Whether a sum did not fit and so is not a count.
    bool overflows() const;
};

/// The bytes of a tensor's elements, for a sparse tensor those of its parts; nothing for strings or on overflow.
std::optional<std::int64_t> storedBytes(const ir::Model &model, const ir::Tensor &tensor);

/// Counts the tensors of a model. The parts of sparse and quantized tensors are left out of elements, tensors and
/// bytes, and so are sparse buffers and constants.
Counts countTensors(const ir::Model &model);

/// Returns the number of nodes of a function, those in regions included.
std::int64_t countNodes(const ir::Graph &graph);

} // namespace cutaway::analysis
