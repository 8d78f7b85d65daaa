// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/ir/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::diff {

/// One of the two compared functions. What it refers to must outlive the comparison.
struct Side {
    const ir::Model &model;
    const analysis::Analysis &analysis;

    const ir::Function &function() const { return model.at(analysis.function); }
    const ir::Graph &graph() const { return function().graph; }
};

struct Options {
    bool useNames = true; ///< match by module paths and names where structure is ambiguous
};

/// One difference, as texts; "" on a side that has no value.
struct Change {
    enum class Kind : std::uint8_t { Operator, Argument, Source, Weight, Type };
    Kind kind = Kind::Argument;
    std::string what; ///< "stride", "output 0"
    std::string before, after;
    bool operator==(const Change &) const = default;
};
std::string_view name(Change::Kind kind); ///< "source"

/// Why two nodes were matched.
enum class Reason : std::uint8_t {
    Surroundings, ///< the same label, and the same nodes before and behind
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

/// A node of each side; nothing: of outputs.
struct NodePair {
    std::optional<ir::NodeId> a, b;
};

/// Weights of matched nodes or of a group that cannot be compared, and why.
struct NotCompared {
    NodePair nodes;
    std::string what; ///< "weight"
    std::string reason;
};

/// Groups of nodes that compute the same: a scaled dot product attention and its matrix products.
struct Group {
    std::vector<ir::NodeId> a, b;
    std::string_view reason;
};

/// Counts of differences in a module, those inside it included.
struct ModuleChanges {
    std::string path; ///< "" is the model
    std::size_t changed = 0, onlyA = 0, onlyB = 0;
    bool operator==(const ModuleChanges &) const = default;
};

/// One total of both functions.
struct Figure {
    std::string_view name; ///< "flops"
    ir::Dim before, after;
    ir::Dim beforeAtLeast = std::int64_t{0}, afterAtLeast = std::int64_t{0}; ///< where it is not known
};

struct Difference {
    std::vector<Pair> pairs; ///< in the order of A
    std::vector<Group> groups;
    std::vector<ir::NodeId> onlyA, onlyB;
    std::vector<NotCompared> notCompared;
    std::vector<Change> signature;      ///< inputs and outputs of the functions; the weights of files without a graph
    std::vector<ModuleChanges> modules; ///< modules with differences, outer before inner
    std::vector<Figure> totals;
    /// Both sides are written node for node alike. If not, views, conversions and sizes are not compared, and groups
    /// are different ways to write the same computation.
    bool isExact = true;

    bool isEqual() const;                                   ///< nothing that was compared differs
    bool isComplete() const { return notCompared.empty(); } ///< everything was compared
};

/// Compares two states of one graph before and after passes, matching nodes by their ids. Exact.
Difference compareStates(const Side &before, const Side &after);

/// Compares two functions of one model, two files or two dialects. About O(n log n); see diff.cpp.
Difference compare(const Side &a, const Side &b, const Options &options = {});

} // namespace cutaway::diff
