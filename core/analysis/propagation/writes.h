// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/walk.h"

#include <utility>

namespace cutaway::analysis {

/// What code writes to: lists, tensors, attributes.
class Writes {
public:
    /// Whether `held` is another fact now.
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
    /// A called function has changed what it was given.
    void noteChange() { ++m_changes; }
    std::uint64_t changes() const { return m_changes; }

private:
    std::uint64_t m_changes = 0;
};

} // namespace cutaway::analysis
