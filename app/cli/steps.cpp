// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/base/result.h"
#include "core/report/sequences/sequences.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

namespace {

struct StepsOptions {
    std::vector<std::string> sources;
    bool json = false;
    bool all = false;
    bool noProvenance = false;
    bool map = false;
    std::string node;
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

Result<Answer> listSteps(const StepsOptions &options)
{
    if (options.map)
        return mapSteps(options);
    if (!options.node.empty())
        return blameNode(options);
    CUTAWAY_TRY(const auto document, sequence::read(options.sources));
    const report::SequenceOptions asked{.useProvenance = !options.noProvenance, .isWhole = options.all};
    return options.json ? report::sequencesJson(document, asked) + "\n" : report::sequencesText(document, asked);
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
    command.add_flag("--json", options->json,
                     "Write JSON (schema cutaway.steps/1; cutaway.mapping/1, cutaway.blame/1)");
    command.add_flag("--all", options->all,
                     "List also steps that change nothing, each kernel, and each value that is saved");
    auto *map =
        command.add_flag("--map", options->map, "Tell from which nodes of the first graph those of the second came");
    command
        .add_option("--of", options->node,
                    "Tell what became of this node, value or module of a step, and where it came from")
        ->type_name("NAME")
        ->excludes(map);
    command.add_flag("--no-provenance", options->noProvenance,
                     "Do not use what the files say of where nodes come from");
    command.footer("Logs are those that TORCH_TRACE and TORCH_LOGS write, folders those of TORCH_COMPILE_DEBUG. Each\n"
                   "step has an address, which every command takes in place of a model file.\n\n"
                   "Examples:\n"
                   "  cutaway-cli steps dedicated_log_torch_trace_x1y2z3.log\n"
                   "  cutaway-cli steps torch_compile_debug --all\n"
                   "  cutaway-cli steps 00-export.pt2 01-decompose.pt2 02-fuse.pt2\n"
                   "  cutaway-cli steps 'run.log#0/0/inductor_post_grad_graph' --of mul_2\n"
                   "  cutaway-cli inspect 'run.log#0/1/inductor_post_grad_graph'");
    return [options, &file] {
        file = options->sources.front();
        return listSteps(*options);
    };
}

} // namespace cutaway::cli
