// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/process.h"
#include "core/survey/request.h"

namespace cutaway::survey {

/// Returns the program to start once more: the running one, or "cutaway-cli" on PATH if that is a Python interpreter.
std::string ownProgram();

/// Runs ownProgram() with these arguments and the request's sizes and inputs, within the request's limit. Errors: those
/// of runProcess().
Result<ProcessOutput> runOwnProgram(std::vector<std::string> arguments, const Request &request);

/// Returns why the program failed on a model: its last line, without the names of the program and the model.
std::string reasonOf(const ProcessOutput &output, const std::string &path);
/// Returns "it took more than 60 seconds".
std::string timeoutText(const Request &request);

} // namespace cutaway::survey
