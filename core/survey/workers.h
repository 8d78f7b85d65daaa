// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/survey/record.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <vector>

namespace cutaway::survey {

/// How a survey uses the machine.
struct Workers {
    std::vector<std::string> command;         ///< starts a program that calls serve()
    unsigned count = 1;                       ///< of processes at a time
    std::chrono::milliseconds limit{60'000};  ///< for one model
    std::optional<std::uint64_t> memory = {}; ///< bytes that a worker may have
};

/// Gets the record of each model, in the order in which they are ready. An error ends the survey.
using TakeRecord = std::function<Result<void>(const std::filesystem::path &model, const Record &record)>;

/// Looks at each model in a process that takes one after the other: one that crashes, hangs or takes too much memory is
/// a record that says so, and the next model gets a new process. What crashed is tried once more, in a new process: it
/// may have been what was left of the model before, or another program that ended it. Errors: of `take`; Backend:
/// workers cannot be started; Cancelled.
Result<void> surveyAll(const std::vector<std::filesystem::path> &models, const Request &request, const Workers &workers,
                       const Task &task, const TakeRecord &take);

/// The worker's side: reads a request (a line of JSON), then paths that each end in a zero byte, and writes a line of
/// JSON for each. Returns at the end of the input.
int serve(int input, int output);

} // namespace cutaway::survey
