// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/survey/record.h"
#include "core/survey/request.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <vector>

namespace cutaway::survey {

/// The processes that a survey uses.
struct Workers {
    std::vector<std::string> command;         ///< the command that starts a program which calls serve()
    unsigned count = 1;                       ///< the number of processes at the same time
    std::chrono::milliseconds limit{60'000};  ///< the limit for one model
    std::optional<std::uint64_t> memory = {}; ///< limit of a worker's memory in bytes
};

/// Receives the record of each model, in the order in which they are ready. An error ends the survey.
using TakeRecord = std::function<Result<void>(const std::filesystem::path &model, const Record &record)>;

/// Surveys the models in processes, each of which takes one model after the other. If a process crashes, hangs or takes
/// too much memory, the model's record says so, and the next model gets a new process. A model whose process crashed is
/// tried once more, in a new process: the reason may have been a remnant of the model before, or another program that
/// ended the process. Errors: those of `take`; Backend: workers cannot be started; Cancelled.
Result<void> surveyAll(const std::vector<std::filesystem::path> &models, const Request &request, const Workers &workers,
                       const Task &task, const TakeRecord &take);

/// Serves as a worker: reads a request (a line of JSON), then paths that each end in a zero byte, and writes a line of
/// JSON for each. Returns at the end of the input.
int serve(int input, int output);

} // namespace cutaway::survey
