// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/process.h"
#include "core/survey/record.h"

namespace cutaway::survey {

/// Returns the running program, to be started once more; in Python, where it cannot be started, "cutaway-cli" on PATH.
std::string ownProgram();

/// Runs ownProgram() with these arguments and the request's sizes and inputs, within the request's limit. Errors: those
/// of runProcess().
Result<ProcessOutput> runOwnProgram(std::vector<std::string> arguments, const Request &request);

/// Returns why the program failed on a model: its last line, without its name and the model's.
std::string reasonOf(const ProcessOutput &output, const std::string &path);
/// "it took more than 60 seconds"
std::string timeoutText(const Request &request);

} // namespace cutaway::survey
