// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/request.h"
#include "core/base/formatted.h"
#include "core/base/json_writer.h"
#include "core/base/located.h"
#include "core/base/mapped_file.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/passes/scheduling/plan.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"
#include "core/request/given.h"

#include <CLI/CLI.hpp>
#include <numeric>

namespace cutaway::cli {

namespace {

struct SimulateOptions {
    std::string plan;
    std::string function;
    std::vector<std::string> bindings, inputs;
    bool json = false;
};

/// The nodes of a function on the devices of a plan: in the order of the file, and in the best order that was found.
struct Simulation {
    passes::Plan plan;
    passes::PlannedJobs planned;
    passes::Timeline asInFile;
    double reordered = 0; ///< the time of the best order, in seconds

    std::size_t nodesOn(const passes::StreamId &stream) const
    {
        return static_cast<std::size_t>(
            std::ranges::count_if(planned.jobs, [&](const passes::Job &job) { return job.on == stream; }));
    }
};

Result<passes::Plan> readPlan(const std::string &file)
{
    CUTAWAY_TRY(const auto mapped, located(file, MappedFile::open(file)));
    const auto bytes = mapped.bytes();
    return located(file, passes::parsePlan({reinterpret_cast<const char *>(bytes.data()), bytes.size()}));
}

Result<Simulation> simulation(const std::string &file, const SimulateOptions &options)
{
    CUTAWAY_TRY(auto plan, readPlan(options.plan));
    CUTAWAY_TRY(auto opened, openModel(file, options.function));
    CUTAWAY_TRY(const auto given, request::readGiven(opened.model, opened.function, options.bindings, options.inputs));
    const analysis::Shapes shapes = analysis::inferShapes(opened.model, opened.function, given);
    analysis::Reading reading(opened.model, opened.function, [&]() -> const analysis::Shapes & { return shapes; });
    Simulation made{std::move(plan), {}, {}, 0};
    made.planned = passes::plannedJobs(reading, shapes, made.plan);
    const std::vector<passes::Job> &jobs = made.planned.jobs;
    std::vector<std::size_t> order(jobs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    made.asInFile = passes::simulated(jobs, order, made.plan.link);
    made.reordered = passes::simulated(jobs, passes::scheduled(jobs, made.plan.link), made.plan.link).seconds;
    return made;
}

std::string simulationText(const Simulation &simulation)
{
    using print::TextTable;
    const auto right = TextTable::Align::Right;
    TextTable table({{}, {right}, {right}, {right}, {right}});
    table.addRow({"device", "stream", "nodes", "busy", "of the time"});
    const passes::Timeline &timeline = simulation.asInFile;
    for (const auto &[stream, seconds] : timeline.busy)
        table.addRow({simulation.plan.devices[stream.device].name, std::to_string(stream.stream),
                      std::to_string(simulation.nodesOn(stream)), print::secondsText(seconds),
                      print::percentText(timeline.seconds > 0 ? seconds / timeline.seconds : 0)});
    std::string text = table.print(0) + "\n";
    text += formatted(
        "A run takes {}{}, nodes one after the other {}.\n", simulation.planned.unknownTimes > 0 ? "at least " : "",
        print::secondsText(timeline.seconds),
        print::secondsText(std::accumulate(simulation.planned.jobs.begin(), simulation.planned.jobs.end(), 0.0,
                                           [](double sum, const passes::Job &job) { return sum + job.seconds; })));
    if (timeline.transfers > 0)
        text += formatted("Between devices: {}, {}, {}.\n", quantity(timeline.transfers, "transfer"),
                          print::withUnit(timeline.transferBytes, "B"), print::secondsText(timeline.transferSeconds));
    if (simulation.reordered < timeline.seconds)
        text += formatted("In another order, by the pass reorder-for-overlap: {}.\n",
                          print::secondsText(simulation.reordered));
    if (simulation.planned.unknownTimes > 0)
        text += formatted("Not known: the time of {} ({}).\n", quantity(simulation.planned.unknownTimes, "node"),
                          simulation.planned.reason);
    return text;
}

std::string simulationJson(const Simulation &simulation)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.simulation/1");
    out.member("seconds", simulation.asInFile.seconds);
    out.member("seconds_reordered", std::min(simulation.reordered, simulation.asInFile.seconds));
    out.member("unknown", std::uint64_t{simulation.planned.unknownTimes});
    out.member("transfers", std::uint64_t{simulation.asInFile.transfers});
    out.member("transfer_bytes", simulation.asInFile.transferBytes);
    out.member("transfer_seconds", simulation.asInFile.transferSeconds);
    out.key("unmatched");
    out.beginArray();
    for (const std::string &entry : simulation.planned.unmatched)
        out.value(entry);
    out.endArray();
    out.key("streams");
    out.beginArray();
    for (const auto &[stream, seconds] : simulation.asInFile.busy) {
        out.beginObject();
        out.member("device", simulation.plan.devices[stream.device].name);
        out.member("stream", std::uint64_t{stream.stream});
        out.member("nodes", std::uint64_t{simulation.nodesOn(stream)});
        out.member("busy", seconds);
        out.endObject();
    }
    out.endArray();
    out.endObject();
    return out.take();
}

} // namespace

Action declareSimulate(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<SimulateOptions>();
    command.add_option("FILE", file, "The model file")->required()->type_name("");
    command.add_option("--plan", options->plan, "The devices, their streams and links, and what runs where, as JSON")
        ->required()
        ->type_name("FILE");
    command.add_option("--function", options->function, "Simulate this function (default: the main one)")
        ->type_name("NAME");
    command.add_option("--bind", options->bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    declareInputs(command, options->inputs);
    command.add_flag("--json", options->json, "Write JSON (schema cutaway.simulation/1)");
    command.footer("Nodes take the least time that their device needs, as 'inspect --device' has it; docs/fx-uses.md "
                   "has a plan.\n\n"
                   "Examples:\n"
                   "  cutaway-cli simulate net.onnx --plan plan.json\n"
                   "  cutaway-cli passes run net.onnx --pipeline 'reorder-for-overlap{plan=plan.json}' -o other.onnx");
    return [options, &file]() -> Result<Answer> {
        CUTAWAY_TRY(const auto made, simulation(file, *options));
        Answer answer(options->json ? simulationJson(made) + "\n" : simulationText(made));
        for (const std::string &warning : passes::warnings(made.planned))
            answer.remarks.push_back("warning: " + warning);
        return answer;
    };
}

} // namespace cutaway::cli
