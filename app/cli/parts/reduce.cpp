// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/opened.h"
#include "core/base/formatted.h"
#include "core/base/process.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/base/shell.h"
#include "core/base/temporary_folder.h"
#include "core/formats/format.h"
#include "core/ir/model_format.h"
#include "core/passes/cutting/extraction.h"
#include "core/passes/cutting/reduction.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>

namespace cutaway::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct ReduceOptions {
    std::string command, output, function;
    double seconds = 0;
    std::size_t tries = 0;
    bool isQuiet = false;
};

constexpr std::string_view gap = "{}";
constexpr auto longestTry = std::chrono::hours(24); ///< how long a try may take without --limit-seconds

/// Returns the command with the file's name in place of each `{}`.
std::string commandFor(std::string command, const std::string &file)
{
    const std::string quoted = quotedForShell(file);
    for (std::size_t at = 0; (at = command.find(gap, at)) != command.npos; at += quoted.size())
        command.replace(at, gap.size(), quoted);
    return command;
}

/// Asks the user's command whether models have the property that it looks for.
class Question {
public:
    Question(const ReduceOptions &options, const std::filesystem::path &folder, std::stop_token stop)
        : m_options(options),
          m_file(folder / ("candidate" + std::filesystem::path(options.output).extension().string())),
          m_stop(std::move(stop)),
          m_begin(Clock::now())
    {
    }

    std::optional<Clock::time_point> deadline() const
    {
        if (m_options.seconds <= 0)
            return std::nullopt;
        return m_begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(m_options.seconds));
    }

    /// Whether the command ends with exit code 0 for a model; false if the model cannot be written.
    Result<bool> ask(const ir::Model &model)
    {
        if (const auto written = formats::write(model, m_file); !written) {
            m_fault = written.error().text();
            return false;
        }
        const auto end = deadline();
        const auto left = end ? std::max(*end - Clock::now(), Clock::duration::zero()) : longestTry;
        const auto answer = runProcess({"sh", "-c", commandFor(m_options.command, m_file.string())}, "",
                                       std::chrono::duration_cast<std::chrono::milliseconds>(left), m_stop);
        if (!answer)
            return answer.error().kind == ErrorKind::Backend ? Result<bool>(false) : std::unexpected(answer.error());
        m_exitCode = answer->exitCode;
        return !answer->timedOut && answer->exitCode == 0;
    }

    /// Returns the error for a model that lacks the property before anything is removed, or cannot be written.
    Error refusal() const
    {
        return m_fault.empty()
            ? Error{ErrorKind::Usage,
                    formatted("the command ends with {} for the model as it is; it has to end with 0 as long as the "
                              "model shows what is looked for",
                              m_exitCode),
                    m_options.command}
            : Error{ErrorKind::Usage, "the model as it is cannot be written: " + m_fault, m_options.output};
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - m_begin).count(); }

private:
    const ReduceOptions &m_options;
    std::filesystem::path m_file;
    std::stop_token m_stop;
    Clock::time_point m_begin;
    int m_exitCode = 0;
    std::string m_fault;
};

Task taskOf(const ReduceOptions &options, const Question &question, std::stop_token stop)
{
    Task task{.stop = std::move(stop), .progress = {}};
    if (!options.isQuiet)
        task.progress = [&question](std::string_view, std::uint64_t done, std::uint64_t total) {
            std::cerr << formatted("cutaway: {} of {} are left after {:.0f} s\n", total - done, quantity(total, "node"),
                                   question.seconds());
        };
    return task;
}

Result<Answer> reduceModel(const std::string &file, const ReduceOptions &options)
{
    if (!options.command.contains(gap))
        return usageError("the command of --while needs '{}' where the model's file stands");
    CUTAWAY_TRY(auto opened, openModel(file, options.function));
    if (!formats::isWritable(opened.model.format))
        return usageError("models of this format are not written; make an ONNX model of it by 'cutaway-cli convert'");
    CUTAWAY_TRY(const auto whole, passes::withoutWrites(opened.model, opened.function));
    CUTAWAY_TRY(const auto folder, TemporaryFolder::make());
    const Interruption interruption;
    Question question(options, folder.path(), interruption.token());
    const auto isKept = [&](const ir::Model &model) { return question.ask(model); };
    const auto asItIs = isKept(whole);
    if (!asItIs || !*asItIs)
        return std::unexpected(asItIs ? question.refusal() : asItIs.error());
    CUTAWAY_TRY(const auto reduced,
                passes::reduced(whole, opened.function, isKept, {question.deadline(), options.tries},
                                taskOf(options, question, interruption.token())));
    CUTAWAY_RETURN_IF_ERROR(formats::write(reduced.model, options.output));
    const std::string end = reduced.isMinimal   ? "no step is left"
        : interruption.token().stop_requested() ? "interrupted"
                                                : "a limit ended it";
    return Answer(formatted("{}: {} of {} after {}; {}\n", options.output, reduced.nodes,
                            quantity(reduced.nodesBefore, "node"), quantity(reduced.tries, "try", "tries"), end));
}

} // namespace

Action declareReduce(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<ReduceOptions>();
    command.add_option("FILE", file, "The model file")->required()->type_name("");
    command
        .add_option("--while", options->command,
                    "A shell command that ends with 0 as long as a model shows what is looked for; {} stands for the "
                    "model's file")
        ->required()
        ->type_name("COMMAND");
    command.add_option("-o,--output", options->output, "The file to write, in the model's own format")
        ->required()
        ->type_name("FILE");
    command.add_option("--function", options->function, "Reduce this function (default: the main one)")
        ->type_name("NAME");
    command.add_option("--limit-seconds", options->seconds, "Stop after so many seconds and write the best so far")
        ->check(CLI::PositiveNumber)
        ->type_name("SECONDS");
    command.add_option("--limit-tries", options->tries, "Stop after so many runs of the command")
        ->check(CLI::PositiveNumber)
        ->type_name("N");
    command.add_flag("--quiet", options->isQuiet, "Print no progress on standard error");
    command.footer(
        "Results are left out, runs of nodes taken out by halves, single nodes bypassed, inputs made constants, also "
        "within\nbranches and loops, as long as the command ends with 0. What is left of a loop may run for ever: let "
        "the command have\na limit. Ctrl+C ends it; the smallest model so far is written.\n\n"
        "Examples:\n"
        "  cutaway-cli reduce net.onnx --while './crashes.sh {}' -o small.onnx\n"
        "  cutaway-cli reduce net.onnx --while '! cutaway-cli compare {} {} --backend onnxruntime "
        "--backend evaluator' -o small.onnx");
    return [options, &file] { return reduceModel(file, *options); };
}

} // namespace cutaway::cli
