// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/comparison.h"
#include "core/run/points.h"

#include <span>
#include <string>

namespace cutaway::report {

struct RunStatistics;

/// Returns the document of `run --json`, schema "cutaway.run/1", and the report for a terminal.
std::string runJson(const run::Outcome &outcome, const RunStatistics *statistics = nullptr);
std::string runText(const run::Outcome &outcome);

/// The comparison of an intermediate value.
struct ComparedValue {
    std::string nodeA, nodeB;
    run::Compared compared;
    std::string inTable = {}; ///< the name of A's node in a table of node data
};

/// The results of two runs.
struct RunComparison {
    std::string backendA, backendB;
    run::Tolerance tolerance;
    std::vector<run::Compared> outputs;
    std::vector<ComparedValue> values; ///< in the order of A's nodes
    bool asksForValues = false;        ///< whether intermediate values are wanted, if there are any
    std::uint32_t seed = 1, seeds = 1; ///< the seed with the largest error, and the number of random seeds

    bool agrees() const;         ///< whether there are results, and all are within the tolerance
    double largestError() const; ///< returns the largest error of a result; infinite if one cannot be compared
    /// Returns the first value that does not agree; nullptr if there is none.
    const ComparedValue *firstDifference() const;
};

/// Returns the document of `compare --json`, schema "cutaway.compare/1", and the report for a terminal.
std::string comparisonJson(const RunComparison &comparison);
/// Returns the intermediate values as a table with a row per node of A, which `--data` of other commands reads: the
/// largest errors of the node's results, and the least cosine.
std::string comparisonCsv(const RunComparison &comparison);
std::string comparisonText(const RunComparison &comparison);

} // namespace cutaway::report
