// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/ir/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::diff {

/// One of two functions that are compared. What it refers to must outlive the comparison.
struct Side {
    const ir::Model &model;
    const analysis::Analysis &analysis;

    const ir::Function &function() const { return model.at(analysis.function); }
    const ir::Graph &graph() const { return function().graph; }
};

struct Options {
    bool useNames = true; ///< module paths and names help where structure leaves a choice
};

/// One thing that differs, as texts; "" where a side has none.
struct Change {
    enum class Kind : std::uint8_t { Operator, Argument, Source, Weight, Type };
    Kind kind = Kind::Argument;
    std::string what; ///< "stride", "output 0"
    std::string before, after;
    bool operator==(const Change &) const = default;
};
std::string_view name(Change::Kind kind); ///< "source"

/// Why two nodes are taken for the same.
enum class Reason : std::uint8_t {
    Surroundings, ///< the same label, and so is everything before and behind
    Order,        ///< the best of what stands between two pairs
    Place,        ///< other operators, but the same producers and consumers
};
std::string_view sentence(Reason reason); ///< "same surroundings"

struct Pair {
    ir::NodeId a, b;
    Reason reason = Reason::Surroundings;
    double score = 0; ///< how much of what can agree does: 0 to 1
    std::vector<Change> changes;
};

/// Nodes that do the same together: a scaled dot product attention and its matrix products.
struct Group {
    std::vector<ir::NodeId> a, b;
    std::string_view reason;
};

/// What differs in a module, those inside it included.
struct ModuleChanges {
    std::string path; ///< "" is the model
    std::size_t changed = 0, onlyA = 0, onlyB = 0;
    bool operator==(const ModuleChanges &) const = default;
};

/// A figure of both functions.
struct Figure {
    std::string_view name; ///< "flops"
    ir::Dim before, after;
};

struct Difference {
    std::vector<Pair> pairs; ///< in the order of A
    std::vector<Group> groups;
    std::vector<ir::NodeId> onlyA, onlyB;
    std::vector<Change> signature;      ///< inputs and outputs of the functions
    std::vector<ModuleChanges> modules; ///< those in which something differs, outer before inner
    std::vector<Figure> totals;
    /// Both are written alike, node for node. Else views, conversions and sizes are not compared, and groups are ways
    /// to write the same.
    bool isExact = true;

    bool isEqual() const;
};

/// Compares two states of one graph, as passes leave it: which nodes are the same is known by their ids. Exact.
Difference compareStates(const Side &before, const Side &after);

/// Compares two functions: of one model, of two files, of two dialects. About O(n log n); see diff.cpp.
Difference compare(const Side &a, const Side &b, const Options &options = {});

} // namespace cutaway::diff
