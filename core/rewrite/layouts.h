// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"

namespace cutaway::rewrite {

/// Decides which of the strides that analysis derived are certain. Analysis predicts strides as PyTorch's kernels
/// choose them on a CPU, which is good enough for memory; but other versions and devices choose differently (attention,
/// recurrences), and the caller chooses the strides of inputs for which the file records none. A pass may only rely on
/// strides that no choice can change.
class Layouts {
public:
    /// Examines the function in its present state.
    explicit Layouts(analysis::Reading &reading);

    /// Whether a tensor certainly lies row by row, without gaps.
    bool isRowMajor(ir::ValueId value);
    /// Whether the derived strides of a tensor are certain, as those of a row-major tensor are.
    bool isKnown(ir::ValueId value);
    /// Returns the tensor fact of a value, with strides; for a value that set() was called for, the fact of the value
    /// with the same strides. nullptr if there is none.
    const ops::TensorFact *laidOut(ir::ValueId value) const;
    /// Records that `made`, a value that the pass made, has the strides of another one, unless they are recorded
    /// already.
    void set(ir::ValueId made, ir::ValueId like) { m_like.try_emplace(made, like); }
    /// Records that `made`, a value that the pass made, certainly lies row by row.
    void setRowMajor(ir::ValueId made) { m_like.try_emplace(made, std::nullopt); }

private:
    bool isCertain(const ir::NodeRef &node, const ops::TensorFact &result);
    bool certainlyCopies(const ir::NodeRef &node, const ops::Operator &row);
    const ops::TensorFact *tensor(ir::ValueId value) const;

    analysis::Reading &m_reading;
    std::vector<bool> m_isKnown; ///< by ValueId
    /// By new value: the value with the same strides; nullopt if it lies row by row.
    std::unordered_map<ir::ValueId, std::optional<ir::ValueId>> m_like;
};

} // namespace cutaway::rewrite
