// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/lowered/lowered.h"

#include "core/analysis/shapes.h"
#include "core/base/formatted.h"
#include "core/base/located.h"
#include "core/base/result.h"
#include "core/formats/format.h"
#include "core/ir/names.h"
#include "core/passes/cutting/cut.h"
#include "core/run/lowered/handed_values.h"
#include "core/run/lowered/stages.h"

#include <algorithm>

namespace cutaway::run {

namespace {

using protocol::Profile;

/// A stage that can be run: its nodes are a model by themselves.
struct ReadyStage {
    ir::Model model;
    ir::FunctionId function;
    std::optional<std::filesystem::path> file;
    Inputs inputs;
    std::vector<ir::ValueId> results; ///< values of the undivided function
    std::unique_ptr<Backend> own;     ///< the backend of a lowered part; nullptr: that of the other stages

    Subject subject() const { return {model, function, file}; }
};

/// Makes the nodes between lowered ones a function by itself, whose results are named by their numbers.
class CutStage {
public:
    CutStage(const Subject &whole, const analysis::Shapes &shapes) : m_whole(whole), m_types(whole.model, shapes) { }

    ReadyStage of(const Stage &stage) const
    {
        ReadyStage ready{passes::withCut(m_whole.model, m_whole.function,
                                         {.opened = stage.opened, .results = stage.results}, m_types),
                         m_whole.function,
                         std::nullopt,
                         {},
                         stage.results,
                         nullptr};
        std::vector<ir::FunctionOutput> &outputs = ready.model.functions[m_whole.function.index].outputs;
        for (std::size_t i = 0; i < outputs.size(); ++i)
            outputs[i].name = ready.model.context->name(std::to_string(i));
        return ready;
    }

    /// Returns the value of the whole function that an input of the stage stands for: the input itself, as the stage
    /// keeps the ids of the function, or the value of another stage for which the input was made.
    ir::ValueId original(const Stage &stage, ir::ValueId value) const
    {
        const std::uint32_t before = m_whole.model.at(m_whole.function).graph.valueCount();
        return value.index < before ? value : stage.opened[value.index - before];
    }

private:
    const Subject &m_whole;
    passes::KnownTypes m_types;
};

/// Adds the inputs that the file does not bind.
Result<void> addInputs(ReadyStage &ready, const HandedValues &values, const auto &original)
{
    const ir::Function &function = ready.model.at(ready.function);
    for (const ir::FunctionInput &input : function.inputs) {
        const auto *value = input.value.as<ir::ValueId>();
        if (!value || input.kind != ir::FunctionInput::Kind::User)
            continue;
        const ir::ValueId from = original(*value);
        if (std::holds_alternative<ir::ClassType>(ir::ValueRef(function.graph, *value).type()))
            continue; // the model's own root module
        CUTAWAY_TRY(auto content, values.content(from));
        const std::string name(function.graph.context().text(function.graph.at(*value).name));
        if (auto *drawn = std::get_if<protocol::DrawnTensor>(&content))
            drawn->name = name;
        ready.inputs.push_back({*value, name, std::move(content)});
    }
    return {};
}

/// Runs the stages of a function one after the other.
class StagedRun {
public:
    StagedRun(Backend &rest, const std::string &target, const BackendOptions &options, const Subject &subject,
              const Inputs &inputs, const Task &task)
        : m_rest(rest),
          m_target(target),
          m_options(options),
          m_subject(subject),
          m_task(task),
          m_function(subject.model.at(subject.function)),
          m_shapes(analysis::inferShapes(subject.model, subject.function)),
          m_cut(m_subject, m_shapes),
          m_values(m_function, inputs)
    {
    }

    /// Calls `visit(stage, ready, outcome)` after each stage that is run.
    template <class Visit>
    Result<std::vector<Output>> run(Visit visit)
    {
        CUTAWAY_TRY(const auto stages, stagesOf(m_function));
        std::size_t done = 0;
        for (const Stage &stage : stages) {
            m_task.report("running parts", done++, stages.size());
            if (stage.results.empty())
                continue;
            CUTAWAY_RETURN_IF_ERROR(runStage(stage, visit));
        }
        return m_values.outputs();
    }

private:
    template <class Visit>
    Result<void> runStage(const Stage &stage, Visit visit)
    {
        CUTAWAY_TRY(auto ready, stage.isLowered ? readyLowered(stage) : readyRest(stage));
        CUTAWAY_TRY(auto outcome, backendOf(ready).run(ready.subject(), ready.inputs, m_task));
        if (stage.isLowered)
            for (std::size_t i = 0; i < outcome.outputs.size(); ++i)
                outcome.outputs[i].name = std::to_string(i);
        if (auto taken = m_values.take(ready.results, std::move(outcome.outputs)); !taken)
            return taken;
        return visit(stage, ready, outcome, backendOf(ready));
    }

    Backend &backendOf(const ReadyStage &ready) const { return ready.own ? *ready.own : m_rest; }

    Result<ReadyStage> readyRest(const Stage &stage)
    {
        ReadyStage ready = m_cut.of(stage);
        CUTAWAY_RETURN_IF_ERROR(
            addInputs(ready, m_values, [&](ir::ValueId value) { return m_cut.original(stage, value); }));
        return ready;
    }

    Result<ReadyStage> readyLowered(const Stage &stage)
    {
        const ir::NodeRef node(m_function.graph, stage.nodes.front());
        CUTAWAY_TRY(const auto lowered, readLowered(m_subject.model, node));
        CUTAWAY_TRY(auto model, located(lowered.file.string(), formats::open(lowered.file, m_task)));
        BackendOptions options = m_options;
        options.device = lowered.device;
        options.libraries.clear();
        CUTAWAY_TRY(auto backend, findBackend(lowered.backend, m_target, options));
        ReadyStage ready{std::move(model), ir::FunctionId{}, lowered.file, {}, {}, std::move(backend)};
        ready.results.assign(node->outputs.begin(), node->outputs.end());
        const ir::Function &function = ready.model.at(ready.function);
        const auto &inputs = function.graph.at(ir::Graph::body).inputs;
        if (inputs.size() != lowered.inputs.size() || function.outputs.size() != ready.results.size())
            return unreadable(formatted("the file has other inputs or results than {} of the model", ir::nameOf(node)),
                              lowered.file.string());
        CUTAWAY_RETURN_IF_ERROR(addInputs(ready, m_values, [&](ir::ValueId value) {
            return lowered.inputs[static_cast<std::size_t>(std::ranges::find(inputs, value) - inputs.begin())];
        }));
        return ready;
    }

    Backend &m_rest;
    const std::string &m_target;
    const BackendOptions &m_options;
    Subject m_subject;
    const Task &m_task;
    const ir::Function &m_function;
    analysis::Shapes m_shapes;
    CutStage m_cut;
    HandedValues m_values;
};

/// Adds the profile of a stage to those before it. A lowered part is one node with the time of its whole runs.
void add(Profile::Result &sum, const Stage &stage, const std::string &backend, Profile::Result profile)
{
    const double start = sum.whole.median;
    sum.whole += profile.whole;
    sum.instrumented += stage.isLowered ? profile.whole : profile.instrumented;
    sum.inNodes += stage.isLowered ? profile.whole : profile.inNodes;
    if (!stage.isLowered)
        sum.between += profile.between;
    sum.peakBytes = std::max(sum.peakBytes, profile.peakBytes);
    sum.peakActivation = std::max(sum.peakActivation, profile.peakActivation);
    if (stage.isLowered)
        profile.nodes = {{.name = "",
                          .op = "lowered",
                          .index = 0,
                          .provider = backend,
                          .start = 0,
                          .time = profile.whole,
                          .memory = profile.peakActivation,
                          .node = stage.nodes.front().index}};
    for (Profile::NodeTime &node : profile.nodes) {
        node.start += start;
        sum.nodes.push_back(std::move(node));
    }
    auto libraries = std::move(sum.conditions.libraries);
    if (libraries.empty())
        sum.conditions = profile.conditions;
    for (const std::string &library : profile.conditions.libraries)
        if (!std::ranges::contains(libraries, library))
            libraries.push_back(library);
    sum.conditions.libraries = std::move(libraries);
}

class LoweredBackend : public Backend {
public:
    LoweredBackend(std::unique_ptr<Backend> rest, std::string target, BackendOptions options)
        : m_rest(std::move(rest)),
          m_target(std::move(target)),
          m_options(std::move(options))
    {
    }

    Result<Outcome> run(const Subject &subject, const Inputs &inputs, const Task &task) override
    {
        if (!hasLoweredParts(subject.model.at(subject.function)))
            return m_rest->run(subject, inputs, task);
        Outcome whole;
        std::vector<std::string> backends;
        CUTAWAY_TRY(whole.outputs,
                    StagedRun(*m_rest, m_target, m_options, subject, inputs, task)
                        .run([&](const Stage &, const ReadyStage &, const Outcome &outcome, Backend &) {
                            whole.seconds += outcome.seconds;
                            if (!std::ranges::contains(backends, outcome.backend))
                                backends.push_back(outcome.backend);
                            return Result<void>();
                        }));
        for (const std::string &backend : backends)
            whole.backend += (whole.backend.empty() ? "" : " with ") + backend;
        return whole;
    }

    Result<Outcome> runWithValues(const Subject &subject, std::span<const ir::ValueId> values, const Inputs &inputs,
                                  const Task &task) override
    {
        return hasLoweredParts(subject.model.at(subject.function))
            ? Backend::runWithValues(subject, values, inputs, task)
            : m_rest->runWithValues(subject, values, inputs, task);
    }

    Result<Profile::Result> profile(const Subject &subject, const Inputs &inputs, double seconds,
                                    const Task &task) override
    {
        if (!hasLoweredParts(subject.model.at(subject.function)))
            return m_rest->profile(subject, inputs, seconds, task);
        Profile::Result whole;
        const auto measure = [&](const Stage &stage, const ReadyStage &ready, const Outcome &outcome,
                                 Backend &backend) -> Result<void> {
            CUTAWAY_TRY(auto profile, backend.profile(ready.subject(), ready.inputs, seconds, task));
            add(whole, stage, outcome.backend, std::move(profile));
            return {};
        };
        CUTAWAY_RETURN_IF_ERROR(StagedRun(*m_rest, m_target, m_options, subject, inputs, task).run(measure));
        return whole;
    }

private:
    std::unique_ptr<Backend> m_rest;
    std::string m_target;
    BackendOptions m_options;
};

} // namespace

std::unique_ptr<Backend> withLoweredParts(std::unique_ptr<Backend> rest, std::string target, BackendOptions options)
{
    return std::make_unique<LoweredBackend>(std::move(rest), std::move(target), std::move(options));
}

} // namespace cutaway::run
