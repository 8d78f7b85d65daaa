// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "app/cli/running.h"
#include "core/run/comparison.h"

namespace cutaway::cli {

/// The models or backends that `compare` and `convert --check` run, and how far results may differ.
struct CompareOptions {
    std::string a, b; ///< files; without `b`, `a` runs on two backends or devices
    RunArguments arguments;
    bool mayFixInputs = false; ///< whether `b` may lack inputs of `a`, because its conversion has fixed their values
    run::Tolerance tolerance;
    std::uint32_t seeds = 1;
    bool values = false;
    bool json = false;
    bool csv = false; ///< whether the values are printed as CSV
};

/// Runs both sides with the same inputs and reports how far each result of `b` is from that of `a`. The answer is "no"
/// if one is too far. Errors, with the file that they are about: those of readRunning(), run::inputsAlike(),
/// backendFor() and run::Backend::run(); Usage if there are not two sides, or if no file records the sizes of an input.
Result<Answer> compareResults(const CompareOptions &options);

} // namespace cutaway::cli
