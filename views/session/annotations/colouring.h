// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/measure.h"

#include <string>
#include <variant>

namespace cutaway::views {

/// Colours boxes by the category of the operator.
struct ByCategory {
    bool operator==(const ByCategory &) const = default;
};

/// Colours boxes by a column of node data: one of the user's table, or of the statistics of a run.
struct ByColumn {
    std::string name;
    bool operator==(const ByColumn &) const = default;
};

/// The way of colouring nodes that the user has chosen.
using Colouring = std::variant<ByCategory, Measure, ByColumn>;

/// Returns the name of a colouring for sessions and the command line: "category", "flops", "data.latency".
std::string print(const Colouring &colouring);
std::optional<Colouring> parseColouring(std::string_view text);
/// Returns the name of a colouring for the user: "Category", "FLOPs", "latency".
QString title(const Colouring &colouring);

/// Returns the title of a column: "Largest magnitude" for run.magnitude; its name for one of the user's table.
QString columnTitle(std::string_view column);
/// Explains a column of a run's statistics; "" for other columns.
QString columnExplanation(std::string_view column);

} // namespace cutaway::views
