// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cutaway::cli {

/// The result of a command: a text for standard output, whether the answer is "no" (exit code 1), and remarks for
/// standard error.
struct Answer {
    std::string text;
    bool isNo = false;
    std::vector<std::string> remarks = {};
    /// Lines that show where an argument is wrong. If it is not empty, `text` is the error message (exit code 2).
    std::string wrongPlace = {};

    // NOLINTNEXTLINE(google-explicit-constructor): most commands return a text only
    Answer(std::string answer, bool no = false) : text(std::move(answer)), isNo(no) { }
};

/// Runs a command after its options are parsed.
using Action = std::function<Result<Answer>()>;

/// Declares a command's options on `command` and returns its action. `file` gets the name of the command's file, which
/// errors without a subject are about.
using Declare = Action (*)(CLI::App &command, std::string &file);

/// A command as `cutaway-cli NAME` calls it.
struct Command {
    const char *name;
    const char *description;
    Declare declare;
};

/// Returns all commands, in the order of the help text.
std::span<const Command> commands();

/// Each of these functions declares one command; see Declare.
Action declareInspect(CLI::App &command, std::string &file);
Action declarePrint(CLI::App &command, std::string &file);
Action declareDraw(CLI::App &command, std::string &file);
Action declareReport(CLI::App &command, std::string &file);
Action declarePasses(CLI::App &command, std::string &file);
Action declareSteps(CLI::App &command, std::string &file);
Action declareTrace(CLI::App &command, std::string &file);
Action declareConvert(CLI::App &command, std::string &file);
Action declareExtract(CLI::App &command, std::string &file);
Action declareReduce(CLI::App &command, std::string &file);
Action declarePartition(CLI::App &command, std::string &file);
Action declareLower(CLI::App &command, std::string &file);
Action declareTensor(CLI::App &command, std::string &file);
Action declareDiff(CLI::App &command, std::string &file);
Action declarePlugins(CLI::App &command, std::string &file);
Action declareRun(CLI::App &command, std::string &file);
Action declareCalibrate(CLI::App &command, std::string &file);
Action declareCompare(CLI::App &command, std::string &file);
Action declareProfile(CLI::App &command, std::string &file);
Action declareSimulate(CLI::App &command, std::string &file);
Action declareQuery(CLI::App &command, std::string &file);
Action declareLint(CLI::App &command, std::string &file);
Action declareSurvey(CLI::App &command, std::string &file);
Action declareDevices(CLI::App &command, std::string &file);
Action declareGitSetup(CLI::App &command, std::string &file);

} // namespace cutaway::cli
