// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/sweep.h"
#include "core/base/json_writer.h"

namespace cutaway::report {

/// Returns the document of `inspect --sweep --json`, schema "cutaway.sweep/1", with a point per value. A figure that is
/// not a number is null, and `unbound` names the symbols that it depends on.
std::string sweepJson(const ir::Model &model, const analysis::Sweep &sweep, const analysis::Device *device);
/// Writes an object with the members of sweepJson() that are about the sweep, as the value of "sweep" in a report.
void writeSweep(JsonWriter &out, const analysis::Sweep &sweep, const analysis::Device *device);

/// Returns a table with a header and a row per value; a figure that is not a number is empty.
std::string sweepCsv(const analysis::Sweep &sweep);

/// Returns the sweep for a terminal.
std::string sweepText(const analysis::Sweep &sweep, const analysis::Device *device);

/// Returns the symbols that a sweep's figures still depend on.
std::set<std::string> unboundSymbols(const analysis::Sweep &sweep);

} // namespace cutaway::report
