// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/about/pages.h"
#include "app/about/version.h"
#include "app/cli/commands.h"
#include "core/base/heap.h"
#include "core/base/text.h"
#include "core/plugin/interpreter.h"
#include "core/plugin/session.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

namespace cutaway::cli {

std::span<const Command> commands()
{
    static constexpr std::array list{
        Command{"inspect", "Summarize a model file: signature, sizes, operators, costs", declareInspect},
        Command{"print", "Print the graph as text", declarePrint},
        Command{"draw", "Draw the graph as a picture", declareDraw},
        Command{"report", "Write a report on a model and its costs", declareReport},
        Command{"query", "Find nodes by operator, module, figures and paths through the graph", declareQuery},
        Command{"lint", "Check a model by rules and list the findings", declareLint},
        Command{"passes", "Run passes over a model and show what each one changed", declarePasses},
        Command{"steps", "List the graphs that torch.compile and other compilers wrote down", declareSteps},
        Command{"trace", "Link a run that a profiler recorded elsewhere with the nodes of its model", declareTrace},
        Command{"convert", "Convert a model to ONNX or .pt2, and ONNX to another opset or to float16", declareConvert},
        Command{"extract", "Write a part of a model as a model of its own", declareExtract},
        Command{"reduce", "Make a model as small as it can be while a command still ends with 0", declareReduce},
        Command{"partition", "Find the parts of a model that a backend takes", declarePartition},
        Command{"lower", "Make parts of a model ONNX files that a backend of their own runs", declareLower},
        Command{"tensor", "Show a tensor of a model: statistics, elements, differences", declareTensor},
        Command{"diff", "Compare two models node by node", declareDiff},
        Command{"plugins", "List plugins: backends, passes and formats", declarePlugins},
        Command{"run", "Run a model and print its results", declareRun},
        Command{"calibrate", "Run a model on samples and keep the ranges of its values", declareCalibrate},
        Command{"compare", "Compare the results of two models or two backends", declareCompare},
        Command{"profile", "Measure how long a model and its nodes take", declareProfile},
        Command{"simulate", "Estimate the time of a model on several devices and streams", declareSimulate},
        Command{"survey", "Analyse many models and store the results in a database", declareSurvey},
        Command{"devices", "List the processors whose time can be estimated", declareDevices},
        Command{"git-setup", "Tell git to show and compare models with Cutaway", declareGitSetup},
    };
    return list;
}

namespace {

enum ExitCode { Fine = 0, No = 1, WrongUsage = 2, CannotRead = 3, Failed = 4, Stopped = 5 };

ExitCode exitCode(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::Usage:
        return WrongUsage;
    case ErrorKind::Unreadable:
        return CannotRead;
    case ErrorKind::Backend:
        return Failed;
    case ErrorKind::Cancelled:
        break;
    }
    return Stopped;
}

/// Prints one sanitized line to standard error.
ExitCode fail(ExitCode code, const std::string &about, const std::string &what)
{
    const std::string line = "cutaway: " + sanitized(about.empty() ? what : about + ": " + what) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
    return code;
}

/// Writes to standard output. A reader that closes the pipe early (`| head`) is not an error.
ExitCode writeOut(const std::string &text)
{
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
        if (n < 0 && errno == EPIPE)
            return Fine;
        if (n < 0 && errno != EINTR)
            return fail(Failed, "standard output", std::string("cannot be written: ") + std::strerror(errno));
        done += n > 0 ? static_cast<std::size_t>(n) : 0;
    }
    return Fine;
}

ExitCode perform(const Action &action, const std::string &file)
try {
    const Result<Answer> answer = action();
    if (!answer)
        return fail(exitCode(answer.error().kind), answer.error().subject.empty() ? file : answer.error().subject,
                    answer.error().text());
    for (const std::string &remark : answer->remarks)
        fail(No, file, remark);
    if (!answer->wrongPlace.empty()) {
        fail(WrongUsage, {}, answer->text);
        std::fwrite(answer->wrongPlace.data(), 1, answer->wrongPlace.size(), stderr);
        return WrongUsage;
    }
    const ExitCode written = writeOut(answer->text);
    return written == Fine && answer->isNo ? No : written;
} catch (const std::bad_alloc &) {
    return fail(Stopped, file, "not enough memory");
} catch (const std::exception &e) {
    return fail(Failed, file, std::string("internal error: ") + e.what());
}

/// Prints CLI11's message about wrong usage, its first letter in lower case unless the name of an option begins there.
ExitCode wrongUsage(std::string message)
{
    if (message.size() > 1 && std::islower(static_cast<unsigned char>(message[1])))
        message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
    return fail(WrongUsage, {}, message + " (see cutaway-cli --help)");
}

ExitCode parseError(const CLI::App &app, const CLI::ParseError &error)
{
    if (error.get_exit_code() == 0) {
        std::ostringstream text;
        app.exit(error, text, text);
        return writeOut(text.str());
    }
    return wrongUsage(error.what());
}

/// Returns the command that the word names, so that the options of the others need not be declared; all commands if it
/// names none.
std::span<const Command> commandsFor(std::string_view word)
{
    const auto found = std::ranges::find(commands(), word, &Command::name);
    return found == commands().end() ? commands() : std::span(found, 1);
}

/// Whether a word is meant as a command but is not one; CLI11 would only report that the command is missing.
bool isUnknownCommand(std::string_view word)
{
    return !word.starts_with('-') && !std::ranges::contains(commands(), word, &Command::name);
}

void describe(CLI::App &app)
{
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.get_formatter()->label("Positionals", "Arguments");
    app.get_formatter()->label("REQUIRED", "(required)");
    app.get_formatter()->label("TEXT", "");
    app.get_formatter()->column_width(34);
    app.set_version_flag(
        "--version", [] { return about::versionText("cutaway-cli"); },
        "Print the versions of the program, its libraries and its plugins");
    app.set_help_flag("-h,--help", "Print this help");
    app.require_subcommand(1);
    app.footer(
        "'cutaway-cli COMMAND --help' lists a command's options.\n\n"
        "Examples:\n"
        "  cutaway-cli inspect resnet50.pt2\n"
        "  cutaway-cli print resnet50.onnx --as fx\n"
        "  cutaway-cli draw resnet50.onnx -o resnet50.svg\n"
        "  cutaway-cli report resnet50.pt -o resnet50.html --input x=1x3x224x224:float32\n"
        "  cutaway-cli inspect resnet50.pt2 --sweep s0=1:64 --device h100-sxm\n\n"
        "Exit codes: 0 success, 1 the answer is no, 2 usage error, 3 the file cannot be read, 4 writing or another "
        "program failed,\n"
        "5 stopped by a limit. Errors are one line on standard error.");
}

/// Adds the options on plugins to a command or, if it has commands below it, to those, since each may start a plugin,
/// if only to import the file.
void addPluginOptions(CLI::App &command)
{
    const auto nested = command.get_subcommands([](CLI::App *) { return true; });
    for (CLI::App *each : nested)
        addPluginOptions(*each);
    if (!nested.empty())
        return;
    command
        .add_option_function<double>(
            "--plugin-timeout",
            [](double seconds) { ::setenv(plugin::timeoutVariable, std::to_string(seconds).c_str(), 1); },
            "Stop a plugin that does not answer a request within so many seconds")
        ->check(CLI::PositiveNumber)
        ->type_name("SECONDS");
    command
        .add_option_function<std::string>(
            "--python", [](const std::string &python) { ::setenv(plugin::pythonVariable, python.c_str(), 1); },
            "Python for plugins that use yours, such as torch-python: a program, or the folder of its environment")
        ->type_name("PATH");
}

ExitCode run(int argc, char **argv)
{
    if (argc < 2)
        return wrongUsage("missing command, for example inspect");
    if (isUnknownCommand(argv[1]))
        return wrongUsage("unknown command '" + std::string(argv[1]) + "'");
    CLI::App app{"Cutaway shows what is in a model file (TorchScript, torch.export .pt2 or ONNX). Reading a file runs "
                 "nothing of it.\n"};
    app.name("cutaway-cli");
    describe(app);
    std::string file;
    std::vector<std::pair<CLI::App *, Action>> actions;
    for (const Command &command : commandsFor(argv[1])) {
        CLI::App *sub = app.add_subcommand(command.name, command.description)->group("Commands");
        actions.emplace_back(sub, command.declare(*sub, file));
        addPluginOptions(*sub);
    }
    if (const std::optional<int> answered = about::answeredPages(app, argc, argv))
        return static_cast<ExitCode>(*answered);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return parseError(app, error);
    }
    const auto chosen = std::ranges::find_if(actions, [](const auto &entry) { return entry.first->parsed(); });
    return perform(chosen->second, file);
}

} // namespace

} // namespace cutaway::cli

int main(int argc, char **argv)
{
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN); // a write to a file that may not grow then returns an error
    cutaway::growHeapInLargePages();
    const int code = cutaway::cli::run(argc, argv);
    // Destructors are skipped, since freeing a large model takes a noticeable part of the time of reading it.
    std::_Exit(code);
}
