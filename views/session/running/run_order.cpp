// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/running/run_order.h"

#include "core/base/located.h"
#include "core/base/result.h"
#include "core/report/timing/activation_report.h"
#include "core/report/timing/run_report.h"
#include "core/report/timing/timing_report.h"
#include "core/request/given.h"
#include "core/request/written_model.h"
#include "core/run/reopened.h"
#include "core/run/values/errors.h"
#include "core/run/values/results.h"
#include "core/tensor/numbers.h"
#include "core/trace/times.h"
#include "views/parts/text.h"
#include "views/session/annotations/compared_model.h"
#include "views/session/annotations/run_statistics.h"
#include "views/session/running/opened_trace.h"
#include "views/session/running/trace_change.h"

#include <QFileInfo>
#include <algorithm>
#include <iterator>

namespace cutaway::views {
namespace {

using Product = Running::Product;

constexpr std::size_t shownElements = 8;

ShownOutput shownOf(const run::Output &output)
{
    const auto *tensor = std::get_if<protocol::Tensor>(&output.content);
    if (!tensor)
        return {shown(output.name), shown(std::get<run::Opaque>(output.content).what), std::nullopt, {}};
    QStringList sizes, first;
    for (const std::int64_t size : tensor->shape)
        sizes << QString::number(size);
    for (const std::string &element : tensor::firstElements(*tensor, shownElements))
        first << shown(element);
    return {shown(output.name), QStringLiteral("%1 [%2]").arg(shown(ir::name(tensor->dtype)), sizes.join(", ")),
            tensor::statisticsOf(*tensor), first};
}

std::vector<ShownOutput> shownOutputs(const run::Outcome &outcome)
{
    std::vector<ShownOutput> all;
    std::uint32_t tensors = 0;
    for (const run::Output &output : outcome.outputs) {
        all.push_back(shownOf(output));
        if (std::holds_alternative<protocol::Tensor>(output.content))
            all.back().tensor = ir::TensorId{tensors++};
    }
    return all;
}

/// Returns how far the values of the compared model are from those of `run`.
Result<std::vector<node_data::Column>> errorsOf(const RunOrder &order, const run::ComparedRun &run, const Task &task)
{
    const ComparedModel &compared = *order.compared;
    const ir::FunctionId function = compared.ofSecond->function;
    const ir::Model plain = request::withoutGiven(*compared.second, *compared.opened, function);
    CUTAWAY_TRY(auto alike, run::inputsAlike(plain, function, run.inputs));
    CUTAWAY_TRY(const auto other, order.find(order.settingsOfCompared));
    const diff::Side a{*compared.first, *compared.ofFirst}, b{*compared.second, *compared.ofSecond};
    std::vector<run::Point> pairs = run::valuePairs(a, b, *compared.difference);
    // Passes may have changed the graph since the comparison.
    const ir::Graph &graph = run.subject.model.at(run.subject.function).graph;
    std::erase_if(pairs, [&](const run::Point &pair) {
        return pair.nodeA.index >= graph.nodeCount() || graph.at(pair.nodeA).removed;
    });
    CUTAWAY_TRY(const auto errors,
                run::errorsOf(run, {*other, {plain, function, compared.path}, std::move(alike)}, pairs,
                              compared.ofFirst->shapes, task));
    return run::errorColumns(run.subject.model.at(run.subject.function), errors);
}

/// Returns how far the values of the other backend are from those of `run`.
Result<std::vector<node_data::Column>> errorsOf(const RunOrder &order, const run::ComparedRun &run,
                                                const analysis::Shapes &shapes, const Task &task)
{
    CUTAWAY_TRY(const auto reference, order.find(*order.reference));
    CUTAWAY_TRY(
        const auto errors,
        run::errorsOf(run, {*reference, run.subject, run.inputs}, run::valuePairs(run.subject, shapes), shapes, task));
    return run::errorColumns(run.subject.model.at(run.subject.function), errors);
}

Result<TimedRun> timed(run::Timing timing, const ir::Model &model, const analysis::Analysis &analysis)
{
    std::string json = report::timingJson({model, analysis, timing}) + "\n";
    CUTAWAY_TRY(auto saved, run::parseProfile(json));
    return TimedRun{std::move(timing), std::move(json), std::move(saved)};
}

Result<Product> profiled(run::Timing timing, const RunOrder &order, const analysis::Given &given, const Task &task)
{
    const ir::Model &model = *order.origin.model;
    const auto analysis = analysis::analyse(model, order.origin.function, given, task);
    trace::linkCalls(timing, model, analysis);
    return timed(std::move(timing), model, analysis);
}

/// Reads a trace, and returns its times in the form of a profile.
Result<Product> recorded(RunOrder &order, const Task &task)
{
    const ir::Model &model = *order.origin.model;
    const auto analysis = analysis::analyse(model, order.origin.function, order.given, task);
    const QString file = QFileInfo(order.trace).fileName();
    CUTAWAY_TRY(const auto trace,
                located(file.toStdString(),
                        openTrace(order.trace.toStdString(), std::move(order.recorded), model, analysis, task)));
    order.origin.how = QStringLiteral("%1: %2").arg(file, trace->origin());
    CUTAWAY_TRY(auto run, timed(trace->timing, model, analysis));
    run.trace = trace;
    return run;
}

/// Reads a trace, and compares it with the one that is open.
Result<Product> comparedTrace(const RunOrder &order, const Task &task)
{
    const auto analysis = analysis::analyse(*order.origin.model, order.origin.function, order.given, task);
    CUTAWAY_TRY(auto change,
                located(QFileInfo(order.trace).fileName().toStdString(),
                        compareTrace(*order.first, order.trace.toStdString(), order.origin.model, analysis, task)));
    return change;
}

} // namespace

Result<Product> carryOut(RunOrder &order, const Task &task)
{
    if (order.kind == Running::Kind::Trace)
        return recorded(order, task);
    if (order.kind == Running::Kind::SecondTrace)
        return comparedTrace(order, task);
    task.report("preparing the inputs");
    const ir::Model &model = *order.origin.model;
    const ir::FunctionId function = order.origin.function;
    CUTAWAY_TRY(const auto chosen,
                request::runInputs(model, function, order.given, order.tensors, order.origin.settings.seed));
    order.origin.note = shown(chosen.note);
    CUTAWAY_TRY(const auto backend, order.find(order.origin.settings));
    // The model that a backend gets keeps the input types of the file, unless the user has replaced its sizes; the
    // given values apply to the run's inputs only.
    const ir::Model plain = order.given.replaced.empty() ? request::withoutGiven(model, *order.opened, function)
                                                         : request::withGivenSizes(model, *order.opened, function);
    const run::Subject subject{plain, function, order.path};
    task.report(order.kind == Running::Kind::Profile ? "measuring" : "computing");
    if (order.kind == Running::Kind::Statistics) {
        const analysis::Shapes shapes = analysis::inferShapes(model, function, chosen.given, task);
        CUTAWAY_TRY(auto activations,
                    noted(chosen.note, run::activationsOf(*backend, subject, chosen.inputs, shapes, task)));
        auto statistics = std::make_shared<RunStatistics>();
        statistics->notFinite = run::notFinite(model, function, activations);
        statistics->columns = run::columnsOf(model.at(function), activations);
        if (order.compared || order.reference) {
            task.report("comparing values");
            const run::ComparedRun run{*backend, subject, chosen.inputs};
            CUTAWAY_TRY(auto errors,
                        order.compared
                            ? noted("the compared model was run with the same inputs", errorsOf(order, run, task))
                            : noted("the reference was run with the same inputs", errorsOf(order, run, shapes, task)));
            statistics->errors = report::columnsCsv(model.at(function).graph, errors);
            std::ranges::move(errors, std::back_inserter(statistics->columns));
        }
        const run::Outcome outcome = std::exchange(activations.outcome, {});
        activations.outcome = {outcome.backend, outcome.seconds, {}};
        const report::RunStatistics saved{model, function, activations, statistics->notFinite};
        statistics->json = report::runJson(activations.outcome, &saved);
        statistics->activations = std::move(activations);
        return Product(RunOutputs{shown(outcome.backend), outcome.seconds, shownOutputs(outcome),
                                  std::make_shared<const ir::Model>(run::resultsOf(outcome)), std::move(statistics)});
    }
    if (order.kind == Running::Kind::Run) {
        CUTAWAY_TRY(const auto outcome, noted(chosen.note, backend->run(subject, chosen.inputs, task)));
        return Product(RunOutputs{shown(outcome.backend), outcome.seconds, shownOutputs(outcome),
                                  std::make_shared<const ir::Model>(run::resultsOf(outcome))});
    }
    CUTAWAY_TRY(
        auto timing,
        noted(chosen.note, run::measure(*backend, subject, chosen.inputs, order.origin.settings.seconds, task)));
    return profiled(std::move(timing), order, chosen.given, task);
}

} // namespace cutaway::views
