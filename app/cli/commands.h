// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <functional>
#include <span>
#include <string>

namespace CLI {
class App;
}

namespace cutaway::cli {

/// What a command answers: the text for standard output, and whether the answer is no.
struct Answer {
    std::string text;
    bool isNo = false;

    // NOLINTNEXTLINE(google-explicit-constructor): most commands answer by a text alone
    Answer(std::string answer, bool no = false) : text(std::move(answer)), isNo(no) { }
};

/// What a command does once its options are read.
using Action = std::function<Result<Answer>()>;

/// One command: its options are declared on `command`, its action is what the result does with them.
/// `file` gets the name of the file the command is about, for messages.
using Declare = Action (*)(CLI::App &command, std::string &file);

struct Command {
    const char *name;
    const char *description;
    Declare declare;
};

/// All commands, in the order of the help text.
std::span<const Command> commands();

Action declareInspect(CLI::App &command, std::string &file);
Action declarePrint(CLI::App &command, std::string &file);
Action declareDraw(CLI::App &command, std::string &file);
Action declareReport(CLI::App &command, std::string &file);
Action declarePasses(CLI::App &command, std::string &file);
Action declareDiff(CLI::App &command, std::string &file);
Action declarePlugins(CLI::App &command, std::string &file);
Action declareRun(CLI::App &command, std::string &file);
Action declareCompare(CLI::App &command, std::string &file);
Action declareProfile(CLI::App &command, std::string &file);
Action declareDevices(CLI::App &command, std::string &file);

} // namespace cutaway::cli
