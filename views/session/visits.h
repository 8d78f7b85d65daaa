// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/selection.h"

#include <functional>
#include <optional>
#include <vector>

namespace cutaway::views {

/// Everything that was selected, in that order, and where the user is in it.
class Visits {
public:
    struct Visit {
        ir::FunctionId function;
        Selection selection;
        bool operator==(const Visit &) const = default;
    };

    /// Adds a visit unless the user is there. If the user has gone back, the visits after the present one are
    /// forgotten.
    void add(const Visit &visit);
    /// Returns the first visit that `isThere` from `first` steps (0: the present one) on, by -1 or 1.
    std::optional<std::size_t> find(std::ptrdiff_t first, int by,
                                    const std::function<bool(const Visit &)> &isThere) const;
    /// Goes to a visit.
    Visit take(std::size_t visit);

private:
    std::vector<Visit> m_all;
    std::size_t m_present = 0; ///< the one that is selected, or was last
};

} // namespace cutaway::views
