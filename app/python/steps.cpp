// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/steps.h"

#include "app/python/model.h"
#include "app/python/objects.h"
#include "app/python/shown/paged.h"
#include "app/python/work.h"
#include "core/base/result.h"
#include "core/formats/format.h"
#include "core/passes/history.h"
#include "core/passes/proof/number_check.h"
#include "core/plugin/plugin_passes.h"
#include "core/report/history/blame.h"
#include "core/report/steps.h"
#include "core/request/written_model.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

namespace cutaway::python {

namespace {

/// A history of passes, and the model as it was before the user's sizes were put into it.
struct StepsHandle {
    SharedModel asRead;
    std::shared_ptr<const passes::History> history;

    const std::shared_ptr<const ir::Model> &last() const { return history->modelAfter(history->steps().size()); }
};

/// Parses a pipeline. Plugins that have to be asked for their passes are started only if that fails without them.
Result<passes::Pipeline> pipelineOf(const std::string &text)
{
    auto pipeline = passes::parsePipeline(text, plugin::foundPasses());
    if (!pipeline)
        pipeline = passes::parsePipeline(text, plugin::askedPasses());
    return pipeline.transform(passes::withNeeds);
}

Result<passes::Entry> patternEntry(const std::string &file)
{
    const passes::Pass *pass = passes::findPass("replace-pattern").value();
    passes::Settings settings(pass->options);
    settings.set("file", file);
    return pass->prepare(std::move(settings)).transform([&](passes::Settings prepared) {
        return passes::Entry{pass, std::move(prepared)};
    });
}

Result<passes::Pipeline> pipelineOf(const PassesRequest &asked)
{
    Result<passes::Pipeline> pipeline;
    if (!asked.pipeline.empty())
        pipeline = pipelineOf(asked.pipeline);
    else if (asked.patterns.empty())
        pipeline = passes::defaultPipeline();
    for (const std::string &file : asked.patterns) {
        CUTAWAY_TRY(auto entry, patternEntry(file));
        if (pipeline)
            pipeline->entries.push_back(std::move(entry));
    }
    return pipeline;
}

Result<std::shared_ptr<passes::History>> historyOf(const SharedModel &model, const PassesRequest &asked,
                                                   const Task &task)
{
    CUTAWAY_TRY(const auto pipeline, pipelineOf(asked));
    const ContextLock lock(model, task);
    if (!lock.isHeld())
        return cancelled();
    CUTAWAY_TRY(auto prepared, prepare(model, asked.texts));
    auto history = std::make_shared<passes::History>(std::make_shared<const ir::Model>(std::move(prepared.model)),
                                                     prepared.function, prepared.given.withoutTensors());
    if (asked.checksNumbers) {
        auto check = passes::NumberCheck::of(*history->modelAfter(0), history->function(), history->given(), task);
        if (!check && check.error().kind == ErrorKind::Usage)
            return std::unexpected(check.error());
        history->checkNumbers(std::make_shared<const passes::NumberCheck>(
            check ? std::move(*check) : passes::NumberCheck::unable(check.error())));
    }
    history->run(pipeline, task);
    return task.stopRequested() ? Result<std::shared_ptr<passes::History>>(cancelled()) : history;
}

nb::dict documentOf(const StepsHandle &steps)
{
    return nb::cast<nb::dict>(parsedJson(report::stepsJson(*steps.history)));
}

nb::object lastModel(const StepsHandle &steps)
{
    SharedModel model = steps.asRead;
    model.model = steps.last();
    model.isOfFile = false;
    return modelObject(std::move(model));
}

Result<void> write(const StepsHandle &steps, const std::filesystem::path &path, const Task &task)
{
    if (const auto step = steps.history->firstUnverified())
        return usageError("not written: the results after the pass " + steps.history->steps()[*step].title()
                          + " are not verified");
    const ContextLock lock(steps.asRead, task);
    if (!lock.isHeld())
        return cancelled();
    const request::States states{*steps.asRead, *steps.history->modelAfter(0), *steps.last()};
    CUTAWAY_TRY(const auto model,
                request::modelToWrite(states, steps.history->function(), steps.history->given(), path));
    return formats::write(model, path, task);
}

nb::object storyOf(const StepsHandle &steps, const std::string &name)
{
    return parsedJson(valueOrRaise(report::blameJson(*steps.history, name), steps.asRead.file))["history"];
}

void saveSteps(const StepsHandle &steps, const std::filesystem::path &path)
{
    valueOrRaise(performed([&](const Task &task) { return write(steps, path, task); }), path.string());
}

} // namespace

void bindSteps(nb::module_ &module)
{
    nb::class_<StepsHandle>(module, "Steps", "What passes made of a model, step by step; str() is a table.")
        .def_prop_ro("model", lastModel, nb::sig("def model(self) -> Model"),
                     "The model after the last pass, with the sizes that were given.")
        .def_prop_ro(
            "steps", [](const StepsHandle &steps) { return nb::object(documentOf(steps)["steps"]); },
            nb::sig("def steps(self) -> list[dict[str, typing.Any]]"),
            "A dict per pass: what it changed, also by patterns, its remarks, and the totals after it.")
        .def("to_dict", documentOf, nb::sig("def to_dict(self) -> dict[str, typing.Any]"),
             "What 'cutaway-cli passes run --json' writes (schema cutaway.passes/1).")
        .def("history_of", storyOf, nb::arg("name"),
             nb::sig("def history_of(self, name: str) -> list[dict[str, typing.Any]]"),
             "What became of a node, a value or a module: a dict for each state, that of the file first, with its\n"
             "`nodes` there, the `event` (made, kept, changed, fused, gone) and its `text`. Raises Error if nothing\n"
             "has this name.")
        .def_prop_ro(
            "is_verified", [](const StepsHandle &steps) { return !steps.history->firstUnverified(); },
            "Whether the graph is valid after each pass and, with check_numbers, the results stay the same.")
        .def(
            "save", saveSteps, nb::arg("path"),
            "Writes the model after the last pass in the format that the suffix names: that of its file, or .json. It\n"
            "is read back and compared before it takes the place of the path. Raises Error if it is not verified.")
        .def(
            "page", [](const StepsHandle &steps) { return paged(steps.asRead, steps.history); },
            nb::sig("def page(self) -> Page"), "An interactive page that steps through the states of the graph.")
        .def("_repr_html_", [](const StepsHandle &steps) { return framed(steps.asRead, steps.history); })
        .def("__str__", [](const StepsHandle &steps) { return report::stepsText(*steps.history); })
        .def("__repr__", [](const StepsHandle &steps) {
            return "<Steps: " + std::to_string(steps.history->steps().size()) + " passes>";
        });
}

nb::object stepped(const SharedModel &model, const PassesRequest &asked)
{
    auto history = performed([&](const Task &task) { return historyOf(model, asked, task); });
    StepsHandle steps{model, valueOrRaise(std::move(history), model.file)};
    if (const auto &failure = steps.history->failure())
        raise(failure->error, model.file, failure->reproducer);
    return nb::cast(std::move(steps));
}

nb::object passList()
{
    const auto json = performed([](const Task &) { return report::passesJson(plugin::askedPasses()); });
    return parsedJson(json);
}

} // namespace cutaway::python
