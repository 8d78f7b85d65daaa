// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/trace.h"

#include "app/python/model.h"
#include "app/python/objects.h"
#include "app/python/request.h"
#include "app/python/work.h"
#include "core/report/traces/trace_comparison.h"
#include "core/report/traces/trace_report.h"
#include "core/trace/recorded_model.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace cutaway::python {

namespace {

using Path = std::filesystem::path;

struct TraceRequest {
    std::optional<SharedModel> model; ///< the traced model; nothing: one is made of the operators in the trace
    RequestTexts texts;
    std::string device;
    Path path;
    std::optional<Path> against;
};

struct TracedModel {
    ir::Model model;
    analysis::Analysis analysis;
    std::optional<sequence::FoundStep> step; ///< the step of a log whose graph `model` is; nothing if there is none
};

Result<TracedModel> tracedModel(const TraceRequest &asked, const trace::Trace &recorded)
{
    if (!asked.model) {
        ir::Model model = trace::recordedModel(recorded);
        auto analysis = analysis::analyse(model, ir::FunctionId{0});
        return TracedModel{std::move(model), std::move(analysis), {}};
    }
    CUTAWAY_TRY(auto prepared, prepare(*asked.model, asked.texts));
    auto step = sequence::stepOfLog(asked.model->file);
    auto analysis = report::analysedAsRun(prepared.model, prepared.function, prepared.given.withoutTensors(), recorded,
                                          step ? &*step : nullptr);
    return TracedModel{std::move(prepared.model), std::move(analysis), std::move(step)};
}

Result<std::string> traceText(const TraceRequest &asked, const Task &task)
{
    std::optional<ContextLock> lock;
    if (asked.model && !lock.emplace(*asked.model, task).isHeld())
        return cancelled();
    CUTAWAY_TRY(const auto device, deviceOf(asked.device));
    CUTAWAY_TRY(const auto recorded, trace::read(asked.path, task));
    CUTAWAY_TRY(const auto traced, tracedModel(asked, recorded));
    const auto reportOf = [&](const Path &path, const trace::Trace &trace) {
        return report::measuredReport({.modelPath = asked.model ? asked.model->file : "",
                                       .tracePath = path,
                                       .model = traced.model,
                                       .analysis = traced.analysis,
                                       .trace = trace},
                                      traced.step ? &*traced.step : nullptr, device);
    };
    CUTAWAY_TRY(const auto first, reportOf(asked.path, recorded));
    if (!asked.against)
        return report::traceJson(first);
    CUTAWAY_TRY(const auto other, trace::read(*asked.against, task));
    CUTAWAY_TRY(const auto second, reportOf(*asked.against, other));
    const auto comparison =
        trace::compare({recorded, first.linked, first.summary}, {other, second.linked, second.summary}, first.graph());
    return report::traceComparisonJson({first.modelPath, first.tracePath, second.tracePath, first.graph(), comparison});
}

nb::object traced(const nb::object &model, const Path &path, const std::optional<Path> &against, const nb::object &bind,
                  const std::string &device, const std::string &function)
{
    TraceRequest asked;
    asked.device = device;
    asked.path = path;
    asked.against = against;
    if (!model.is_none()) {
        asked.model = openedOrHeld(model);
        asked.texts = requestTexts(*asked.model, function, bind, nb::none());
    }
    auto text = performed([&](const Task &task) { return traceText(asked, task); });
    return parsedJson(valueOrRaise(std::move(text), path.string()));
}

} // namespace

void bindTrace(nb::module_ &module)
{
    module.def(
        "trace", traced, nb::arg("model").none(), nb::arg("path"), nb::kw_only(), nb::arg("against") = nb::none(),
        nb::arg("bind") = nb::none(), nb::arg("device") = "", nb::arg("function") = "",
        nb::sig("def trace(model: Model | str | os.PathLike[str] | None, path: str | os.PathLike[str], *, against: str "
                "| os.PathLike[str] | None = None, bind: dict[str, int] | None = None, device: str = '', function: str "
                "= '') -> dict[str, typing.Any]"),
        "Which node each event of a run is, that torch.profiler or ONNX Runtime recorded: what 'cutaway-cli trace\n"
        "--json' writes (schema cutaway.trace/1), with a dict per node in 'nodes', per module in 'modules' and per\n"
        "event in 'rows'. With None as model, the operators and modules that the trace tells of. against: another\n"
        "trace of the model, to be compared with (schema cutaway.trace-comparison/1).");
}

} // namespace cutaway::python
