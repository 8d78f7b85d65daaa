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

/// The processes that a survey uses.
struct Workers {
    std::vector<std::string> command;         ///< starts a program that calls serve()
    unsigned count = 1;                       ///< how many processes run at a time
    std::chrono::milliseconds limit{60'000};  ///< for one model
    std::optional<std::uint64_t> memory = {}; ///< bytes that a worker may have
};

/// Gets the record of each model, in the order in which they are ready. An error ends the survey.
using TakeRecord = std::function<Result<void>(const std::filesystem::path &model, const Record &record)>;

/// Looks at each model in a process that takes one after the other. If a process crashes, hangs or takes too much
/// memory, the model's record says so, and the next model gets a new process. A model whose process crashed is tried
/// once more, in a new process: the reason may have been a remnant of the model before, or another program that ended
/// the process. Errors: those of `take`; Backend: workers cannot be started; Cancelled.
Result<void> surveyAll(const std::vector<std::filesystem::path> &models, const Request &request, const Workers &workers,
                       const Task &task, const TakeRecord &take);

/// Serves as a worker: reads a request (a line of JSON), then paths that each end in a zero byte, and writes a line of
/// JSON for each. Returns at the end of the input.
int serve(int input, int output);

} // namespace cutaway::survey
