// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/selection.h"

#include <functional>
#include <optional>
#include <vector>

namespace cutaway::views {

/// The selections that the user has visited, in order, and the user's position among them.
class Visits {
public:
    struct Visit {
        ir::FunctionId function;
        Selection selection;
        bool operator==(const Visit &) const = default;
    };

    /// Adds a visit, unless it is the present one. If the user has gone back, the visits after the present one are
    /// forgotten.
    void add(const Visit &visit);
    /// Returns the index of the first visit for which `isThere` is true, or nothing. The search starts `first` visits
    /// after the present one (before it if negative), and goes back if `by` is -1, forward if it is 1.
    std::optional<std::size_t> find(std::ptrdiff_t first, int by,
                                    const std::function<bool(const Visit &)> &isThere) const;
    /// Makes a visit the present one, and returns it.
    Visit take(std::size_t visit);

private:
    std::vector<Visit> m_all;
    std::size_t m_present = 0; ///< the index of the visit that is selected, or was last
};

} // namespace cutaway::views
