// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_output.h"
#include "core/report/sequences/comparison.h"
#include "core/report/sequences/sequences.h"
#include "core/report/sequences/sequences_report.h"
#include "core/sequence/address.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

namespace {

struct StepsOptions {
    std::vector<std::string> sources;
    bool json = false;
    bool all = false;
    bool patterns = false;
    bool noProvenance = false;
    bool map = false;
    std::string node;
    std::string against;
    ReportOutput report;
    std::string sequence;
};

Result<Answer> mapSteps(const StepsOptions &options)
{
    if (options.sources.size() != 2)
        return usageError("--map needs two graphs, the earlier one first");
    const std::string &a = options.sources[0], &b = options.sources[1];
    CUTAWAY_TRY(const auto mapping, sequence::mapAddresses(a, b, !options.noProvenance));
    return options.json ? report::mappingJson(a, b, mapping) + "\n" : report::mappingText(mapping);
}

Result<Answer> blameNode(const StepsOptions &options)
{
    if (options.sources.size() != 1)
        return usageError("--of needs one graph, which has what it names");
    const std::string &address = options.sources.front();
    CUTAWAY_TRY(const auto history, sequence::blameOf(address, options.node, !options.noProvenance));
    return options.json ? report::blameJson(address, options.node, history) + "\n" : report::blameText(history);
}

Result<sequence::Document> readSources(const std::vector<std::string> &sources)
{
    return sources.size() == 1 ? sequence::readAt(sources.front()) : sequence::read(sources);
}

Result<Answer> reportSteps(const StepsOptions &options)
{
    CUTAWAY_TRY(const auto document, readSources(options.sources));
    report::Document report = report::sequencesDocument(document);
    if (!options.sequence.empty()) {
        CUTAWAY_TRY(auto drawn, report::drawSequences(document));
        CUTAWAY_RETURN_IF_ERROR(report::writePages(std::move(report), std::move(drawn), options.sequence));
        return Answer("");
    }
    if (options.report.file.ends_with(".html")) { // an HTML report contains the pictures
        CUTAWAY_TRY(auto drawn, report::drawSequences(document));
        for (report::DrawnStep &step : drawn)
            report.sections.push_back(std::move(step.section));
    }
    CUTAWAY_TRY(std::string text, written(report, options.report));
    return Answer(std::move(text));
}

Result<Answer> compareSteps(const StepsOptions &options)
{
    CUTAWAY_TRY(const auto a, readSources(options.sources));
    CUTAWAY_TRY(const auto b, readSources({options.against}));
    const auto compared = sequence::compare(a, b);
    const report::SequenceComparison comparison{options.sources.front(), options.against, a, b, compared};
    const bool isNo = sequence::verdictOf(compared) != sequence::Verdict::Same;
    if (options.json)
        return Answer(report::comparisonJson(comparison) + "\n", isNo);
    if (options.report.isWanted()) {
        CUTAWAY_TRY(std::string text, written(report::comparisonDocument(comparison), options.report));
        return Answer(std::move(text), isNo);
    }
    return Answer(report::comparisonText(comparison, options.all), isNo);
}

Result<Answer> listSteps(const StepsOptions &options)
{
    if (options.map)
        return mapSteps(options);
    if (!options.node.empty())
        return blameNode(options);
    if (!options.against.empty())
        return compareSteps(options);
    if (options.report.isWanted() || !options.sequence.empty())
        return reportSteps(options);
    CUTAWAY_TRY(const auto document, readSources(options.sources));
    const report::SequenceOptions asked{
        .useProvenance = !options.noProvenance, .isWhole = options.all, .hasPatterns = options.patterns};
    return options.json ? report::sequencesJson(document, asked) + "\n" : report::sequencesText(document, asked);
}

void declareReports(CLI::App &command, StepsOptions &options, CLI::Option *json, CLI::Option *against)
{
    const auto [output, markdown] = declareReportOutput(
        command, options.report,
        "Write a report: .html, with a picture of each step, or .md; with --against, the comparison");
    output->excludes(json);
    markdown->excludes(json);
    command
        .add_option("--sequence", options.sequence,
                    "Write a folder with a numbered picture of each step, with index.html and index.md")
        ->type_name("FOLDER")
        ->excludes(json)
        ->excludes(output)
        ->excludes(markdown)
        ->excludes(against);
}

} // namespace

Action declareSteps(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<StepsOptions>();
    command
        .add_option("SOURCE", options->sources,
                    "A log of torch.compile, a text with graphs in it, a debug folder, or model files in a row")
        ->required()
        ->type_name("");
    auto *json = command.add_flag("--json", options->json,
                                  "Write JSON (schema cutaway.steps/1; cutaway.steps-diff/1, cutaway.mapping/1, "
                                  "cutaway.blame/1)");
    command.add_flag(
        "--all", options->all,
        "List also steps that change nothing, each kernel, and each value that is saved; stages that are the "
        "same, and each guard");
    command.add_flag("--patterns", options->patterns,
                     "Read all graphs and report what each step did: 6 × linear + relu → addmm");
    auto *map =
        command.add_flag("--map", options->map, "Report from which nodes of the first graph those of the second came");
    auto *against =
        command
            .add_option("--against", options->against,
                        "Compare with the compilations of this log, or with the one of this address: which stages "
                        "differ, and how; exit code 1 if any does")
            ->type_name("SOURCE")
            ->excludes(map);
    declareReports(command, *options, json, against);
    auto *of = command
                   .add_option("--of", options->node,
                               "Report what became of this node, value or module of a step, and where it came from")
                   ->type_name("NAME")
                   ->excludes(map)
                   ->excludes(against);
    for (const char *report : {"--output", "--markdown", "--sequence"}) { // these would be ignored without a message
        map->excludes(report);
        of->excludes(report);
    }
    command.add_flag("--no-provenance", options->noProvenance,
                     "Do not use what the files say of where nodes come from");
    command.footer("Logs are those that TORCH_TRACE and TORCH_LOGS write, folders those of TORCH_COMPILE_DEBUG. Each\n"
                   "step has an address, which every command takes in place of a model file.\n\n"
                   "Examples:\n"
                   "  cutaway-cli steps dedicated_log_torch_trace_x1y2z3.log\n"
                   "  cutaway-cli steps torch_compile_debug --all\n"
                   "  cutaway-cli steps 00-export.pt2 01-decompose.pt2 02-fuse.pt2\n"
                   "  cutaway-cli steps 'run.log#0/0/inductor_post_grad_graph' --of mul_2\n"
                   "  cutaway-cli steps old-torch.log --against new-torch.log\n"
                   "  cutaway-cli steps run.log -o run.html\n"
                   "  cutaway-cli steps 'run.log#0/0' --against 'run.log#0/1' --json\n"
                   "  cutaway-cli inspect 'run.log#0/1/inductor_post_grad_graph'");
    return [options, &file] {
        file = options->sources.front();
        return listSteps(*options);
    };
}

} // namespace cutaway::cli
