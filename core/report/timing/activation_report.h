// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_writer.h"
#include "core/run/values/activations.h"

#include <span>
#include <string>

namespace cutaway::report {

/// A run with the statistics of its values.
struct RunStatistics {
    const ir::Model &model;
    ir::FunctionId function;
    const run::Activations &activations;
    std::vector<run::NotFinite> notFinite; ///< the result of run::notFinite()
};

/// Returns the report of `run --statistics` for a terminal: a line per value, and where numbers cease to be finite.
std::string statisticsText(const RunStatistics &run);
/// Returns a table with a row per node, which `--data` of other commands reads.
std::string statisticsCsv(const RunStatistics &run);
/// Returns a table of any columns of node data, with a row for each node that has a cell.
std::string columnsCsv(const ir::Graph &graph, std::span<const node_data::Column> columns);
/// Writes the members "values", "first_nan" and "first_infinity" of the current object.
void writeActivations(JsonWriter &out, const RunStatistics &run);

/// Returns lines such as "first NaN: Log 'y', 2 of 6 numbers; it reads numbers up to 3"; none if all are finite.
std::vector<std::string> notFiniteLines(const RunStatistics &run);

} // namespace cutaway::report
