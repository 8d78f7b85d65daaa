// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/excerpt.h"

#include <cstdint>

namespace cutaway::sequence {

/// A summary of a graph for lists of steps, found by scanning its text once: a hundred megabytes take a second, where
/// making models of them would take many.
struct Outline {
    std::uint64_t nodes = 0; ///< the number of nodes of the model that the reader makes of the text
    /// Equal for graphs with the same inputs, nodes (name, target, arguments, annotation) and results, whatever their
    /// comments, line breaks and statements that free values.
    std::uint64_t fingerprint = 0;
    bool isWhole = false; ///< whether the text contains the results of the outermost graph
    bool operator==(const Outline &) const = default;
};

/// Returns the outline of a graph: Python code as print_readable() and `code` have it, or the list of str(graph).
Outline outlineOf(const Excerpt &text);

} // namespace cutaway::sequence
