// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/walk.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace cutaway::analysis {

/// The writes of code to lists, tensors and attributes.
class Writes {
public:
    /// Replaces the fact `held` by `value`, or by the join of both if the code is only possibly reached. Returns
    /// whether `held` has changed.
    bool write(ops::Fact &held, ops::Fact value, Reached reached)
    {
        if (reached == Reached::Never)
            return false;
        if (reached == Reached::Possibly)
            value = ops::join(held, value);
        if (value == held)
            return false;
        held = std::move(value);
        ++m_changes;
        return true;
    }
    /// Notes that a called function has changed one of its arguments.
    void noteChange() { ++m_changes; }
    std::uint64_t changes() const { return m_changes; }

private:
    std::uint64_t m_changes = 0;
};

/// The values whose tensors have known elements, by the tensors' storages: code that writes to one of them may change
/// all values in the same storage. Weights are not followed, as all of them have one storage number.
class TrackedElements {
public:
    void note(ir::ValueId value, const ops::Fact &fact)
    {
        ops::forEachTensor(fact, [&](const ops::TensorFact &tensor) {
            if (!tensor.elements || tensor.storage <= ops::StorageNumber::Weights)
                return;
            std::vector<ir::ValueId> &values = m_values[tensor.storage];
            if (values.empty() || values.back() != value)
                values.push_back(value);
        });
    }
    /// Returns the values with tensors in `storage`, and forgets them.
    std::vector<ir::ValueId> take(ops::StorageNumber storage)
    {
        const auto found = m_values.find(storage);
        return found == m_values.end() ? std::vector<ir::ValueId>() : std::exchange(found->second, {});
    }

private:
    std::unordered_map<ops::StorageNumber, std::vector<ir::ValueId>> m_values;
};

} // namespace cutaway::analysis
