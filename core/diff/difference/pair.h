// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::diff {

/// The part of a weight or value that a change affects.
enum class Extent : std::uint8_t {
    Whole,     ///< all of it, as its shape or its operator
    Elements,  ///< the elements of a weight differ; its type differs in precision at most
    Precision, ///< a weight is rounded to another floating dtype, a value is of another floating dtype
};

/// A difference between the nodes of a pair, as texts; the text is "" on a side that has no value.
struct Change {
    enum class Kind : std::uint8_t { Operator, Argument, Source, Weight, Type };
    Kind kind = Kind::Argument;
    std::string what; ///< "stride", "output 0"
    std::string before, after;
    Extent extent = Extent::Whole;
    bool operator==(const Change &) const = default;
};
std::string_view name(Change::Kind kind); ///< "source"

/// Why two nodes were matched.
enum class Reason : std::uint8_t {
    Surroundings, ///< the labels are equal, and so are the nodes before and after
    Order,        ///< the best alignment between two matched pairs
    Place,        ///< different operators with the same producers and consumers
};
std::string_view sentence(Reason reason); ///< "same surroundings"

struct Pair {
    ir::NodeId a, b;
    Reason reason = Reason::Surroundings;
    double score = 0; ///< the share of compared properties that agree: 0 to 1
    std::vector<Change> changes;
};

/// A node of each side; nothing for an output of the function.
struct NodePair {
    std::optional<ir::NodeId> a, b;
};

/// Weights of matched nodes that cannot be compared, and why.
struct NotCompared {
    NodePair nodes;
    std::string what; ///< "weight"
    std::string reason;
};

/// An operand or result of two matched nodes that seems to be the same on both sides, though no check proves it.
struct NotProven {
    NodePair nodes;
    std::string what;   ///< "input 0", "result"
    std::string reason; ///< "it is too much to compute"
};

} // namespace cutaway::diff
