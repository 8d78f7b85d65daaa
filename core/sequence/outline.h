// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/excerpt.h"

#include <cstdint>

namespace cutaway::sequence {

/// A summary of a graph for lists of steps, found by scanning its text once: a hundred megabytes take a second, where
/// making models of them would take many.
struct Outline {
    std::uint64_t nodes = 0; ///< as many as the model that formats make of the text has
    /// Equal for graphs with the same inputs, nodes (name, target, arguments, annotation) and results, however they are
    /// commented, wrapped and freed.
    std::uint64_t fingerprint = 0;
    bool isWhole = false; ///< the outermost graph ends with its results
    bool operator==(const Outline &) const = default;
};

/// The outline of one graph: Python code as print_readable() and `code` have it, or the list that str(graph) prints.
Outline outlineOf(const Excerpt &text);

} // namespace cutaway::sequence
