// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/outline.h"
#include "core/report/page/page_states.h"

#include <string>
#include <vector>

namespace cutaway::report {

/// A line of a part's inspector.
struct PartRow {
    std::string key, text;
    std::string type{};                  ///< the type of the value that `text` names
    std::optional<std::uint32_t> part{}; ///< the part that computes the value
};

/// Rows about one subject, with a title.
struct PartSection {
    std::string title;
    std::vector<PartRow> rows;
};

/// The texts of a part of the drawn function.
struct PartText {
    std::string name; ///< the name of a node or module in the file, "" for other parts
    std::string what; ///< the operator, the class, or the kind of part
    std::vector<PartSection> sections;
};

/// Returns the texts of a part of the outline by its index.
PartText textOf(const PageStates &states, const layout::Outline &outline, std::uint32_t part);

} // namespace cutaway::report
