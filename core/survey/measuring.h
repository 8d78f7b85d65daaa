// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/survey/record.h"

#include <chrono>

namespace cutaway::survey {

/// Errors (Usage): "torch@" names no device, the evaluator measures nothing.
Result<void> parseProfile(const std::string &profile);

/// Times one model by `profile`, in a process of its own, with the request's sizes and inputs that it has; beside it
/// the time that the request's device, or else this machine where it was measured, takes at least. Machine and request
/// are left empty. Errors: the file cannot be read; of the request.
Result<Measurement> measured(const std::string &path, const Request &request, const OpenModel &open);

/// A record of a profile as what the database keeps: also of a worker that crashed or took too long.
Measurement measurementOf(const Record &record, const Request &request, const std::string &machine);
/// Of a machine that was lost, or of a worker that its scheduler gave up.
Measurement withoutMeasurement(Measurement::State state, std::string message, const Request &request,
                               const std::string &machine);

/// The name of this machine, as profiles have it.
std::string hostName();

/// How long a worker may take for a model: a profile has its own limit within.
std::chrono::milliseconds workerLimit(const Request &request);

} // namespace cutaway::survey
