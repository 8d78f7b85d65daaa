// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/run/timing.h"

#include <string>

namespace cutaway::report {

/// A profiled function with its analysis.
struct TimedFunction {
    const ir::Model &model;
    const analysis::Analysis &analysis;
    const run::Timing &timing;

    const ir::Graph &graph() const { return model.at(analysis.function).graph; }
};

/// Returns the document of `profile --json`, schema "cutaway.profile/1", and the report for a terminal.
std::string timingJson(const TimedFunction &function);
std::string timingText(const TimedFunction &function);
/// Returns a table with a row per node.
std::string timingCsv(const TimedFunction &function);
/// Returns one run in the format of browsers' trace viewers.
std::string timingTrace(const TimedFunction &function);

} // namespace cutaway::report
