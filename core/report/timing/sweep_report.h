// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/sweep.h"
#include "core/base/json_writer.h"

namespace cutaway::report {

/// The document of `inspect --sweep --json`, schema "cutaway.sweep/1": a point per value; a figure that is no number is
/// null, and `unbound` names the symbols that keep it from being one.
std::string sweepJson(const ir::Model &model, const analysis::Sweep &sweep, const analysis::Device *device);
/// The members of that object that are about the sweep, as the member "sweep" of a report.
void writeSweep(JsonWriter &out, const analysis::Sweep &sweep, const analysis::Device *device);

/// A row per value, with a header; a figure that is no number is empty.
std::string sweepCsv(const analysis::Sweep &sweep);

/// For a person at a terminal.
std::string sweepText(const analysis::Sweep &sweep, const analysis::Device *device);

/// The symbols that the figures of a sweep still have in them.
std::set<std::string> unboundSymbols(const analysis::Sweep &sweep);

} // namespace cutaway::report
