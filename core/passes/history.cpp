// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/history.h"

#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/ir/verify.h"
#include "core/passes/proof/number_check.h"
#include "core/passes/proof/reproducer.h"
#include "core/passes/type_change.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <exception>
#include <set>

namespace cutaway::passes {

namespace {

std::int64_t parameterBytesOf(const ir::Model &model, const ir::Graph &graph)
{
    std::set<ir::StorageId> storages;
    std::int64_t bytes = 0;
    const auto add = [&](ir::TensorId id) {
        const ir::StorageId storage = model.at(id).storage;
        if (storages.insert(storage).second)
            bytes += static_cast<std::int64_t>(model.at(storage).byteLength);
    };
    for (ir::ValueId id{0}; id.index < graph.valueCount(); ++id.index)
        if (const auto weight = ir::ValueRef(graph, id).weight(); weight && !graph.at(id).uses.empty())
            add(*weight);
    return bytes;
}

bool hasOtherWeights(const ir::Model &before, const ir::Model &after, ir::FunctionId function)
{
    for (std::uint32_t i = 0; i < before.modules.size(); ++i)
        if (!before.modules.sharesWith(after.modules, i) && before.modules[i].tensors != after.modules[i].tensors)
            return true;
    const ir::Graph &was = before.at(function).graph, &is = after.at(function).graph;
    for (ir::ValueId id{0}; id.index < was.valueCount(); ++id.index)
        if (was.at(id).definition != is.at(id).definition)
            return true;
    return false;
}

bool isChanged(const ir::Model &before, const ir::Model &after, ir::FunctionId function,
               const diff::StepDifference &nodes)
{
    const ir::Function &was = before.at(function);
    const ir::Function &is = after.at(function);
    return nodes != diff::StepDifference() || was.inputs != is.inputs || was.outputs != is.outputs
        || was.graph.at(ir::Graph::body).nodes != is.graph.at(ir::Graph::body).nodes
        || hasOtherWeights(before, after, function);
}

/// Returns what is invalid in the outputs after a pass; nothing if they are valid. A pass may turn a write to an input
/// into a new output.
std::optional<std::string> brokenOutput(const ir::Function &before, const analysis::Shapes &was,
                                        const ir::Function &after, const analysis::Shapes &is)
{
    const std::vector<std::size_t> kept = outputsOf(after, before);
    if (before.outputs.size() != kept.size())
        return formatted("{} became {}", quantity(before.outputs.size(), "output"), after.outputs.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const auto *a = before.outputs[i].value.as<ir::ValueId>();
        const auto *b = after.outputs[kept[i]].value.as<ir::ValueId>();
        if (a && b && contradict(was.of(*a), is.of(*b)))
            return formatted("the output {} was {} and became {}", i, ops::print(was.of(*a)), ops::print(is.of(*b)));
    }
    return std::nullopt;
}

Error brokenBy(const Entry &entry, const std::string &fault)
{
    return {ErrorKind::Backend, formatted("the pass '{}' broke the graph: {}", entry.pass->name, fault), {}};
}

} // namespace

bool Step::isVerified() const { return !largestError || (*largestError && std::isfinite(**largestError)); }

bool Step::isDivision() const
{
    const auto *recorded = std::get_if<Recorded>(&made);
    return recorded && recorded->isDivision;
}

std::string_view Step::name() const
{
    return entry() ? entry()->pass->name : std::string_view(std::get<Recorded>(made).name);
}

std::string_view Step::description() const
{
    return entry() ? entry()->pass->description : std::string_view(std::get<Recorded>(made).description);
}

std::string Step::title() const { return entry() ? print(*entry()) : std::string(name()); }

History::History(std::shared_ptr<const ir::Model> model, ir::FunctionId function, analysis::Given given)
    : m_original(std::move(model)),
      m_function(function),
      m_given(std::move(given))
{
    m_start.model = m_original;
    m_start.parameterBytes = parameterBytesOf(*m_original, m_original->at(function).graph);
    m_start.totals = analysisOfLast({}).totals;
}

const std::shared_ptr<const ir::Model> &History::modelAfter(std::size_t steps) const
{
    return steps == 0 ? m_start.model : m_steps[steps - 1].model;
}

const analysis::Totals &History::totalsAfter(std::size_t steps) const
{
    return steps == 0 ? m_start.totals : m_steps[steps - 1].totals;
}

std::int64_t History::parameterBytesAfter(std::size_t steps) const
{
    return steps == 0 ? m_start.parameterBytes : m_steps[steps - 1].parameterBytes;
}

void History::run(const Pipeline &pipeline, const Task &task, const std::function<void(const Step &)> &onStep)
{
    runSteps(pipeline, task, onStep);
    m_analysis = nullptr; // freed, since it is as large as the model itself; recomputed when needed
    m_shapes.reset();
}

void History::runSteps(const Pipeline &pipeline, const Task &task, const std::function<void(const Step &)> &onStep)
{
    std::vector<Entry> entries;
    std::ranges::copy_if(pipeline.entries, std::back_inserter(entries), &Entry::isEnabled);
    m_failure.reset();
    std::size_t at = 0;
    bool isChange = true;
    for (int iteration = 0; iteration < pipeline.iterations && isChange; ++iteration) {
        isChange = false;
        for (std::size_t i = 0; i < entries.size(); ++i, ++at) {
            if (at >= m_steps.size() || !m_steps[at].entry() || *m_steps[at].entry() != entries[i]) {
                if (at < m_steps.size()) {
                    m_steps.resize(at);
                    m_analysis = nullptr;
                }
                if (task.stopRequested() || !runStep(entries[i], task, std::span(entries).subspan(i)))
                    return;
                if (onStep)
                    onStep(m_steps.back());
            }
            isChange = isChange || m_steps[at].isChange;
        }
    }
    if (at < m_steps.size()) {
        m_steps.resize(at);
        m_analysis = nullptr;
    }
}

void History::fail(const Entry &entry, Error error, std::span<const Entry> rest)
{
    const Pipeline left{{rest.begin(), rest.end()}};
    std::string reproducer = error.kind == ErrorKind::Cancelled
        ? std::string()
        : printReproducer(*modelAfter(m_steps.size()), m_function, left);
    m_failure = Failure{entry, std::move(error), std::move(reproducer)};
}

const analysis::Analysis &History::analysisOfLast(const Task &task)
{
    if (!m_analysis)
        m_analysis = std::make_shared<const analysis::Analysis>(
            analysis::analyse(*modelAfter(m_steps.size()), m_function, m_given, task));
    return *m_analysis;
}

/// Returns the shapes of the last state that hold for all inputs, not only for the given ones: passes may rely on them.
const analysis::Shapes &History::shapesForAllInputs(const Task &task)
{
    const auto &last = modelAfter(m_steps.size());
    const analysis::Given given = analysis::whateverOverrides(*last, m_function);
    if (m_given.bindings.empty() && m_given.inputs.empty() && given.inputs.empty())
        return analysisOfLast(task).shapes;
    if (!m_shapes || m_shapes->model != last)
        m_shapes.emplace(last, analysis::inferShapes(*last, m_function, given, task));
    return m_shapes->shapes;
}

/// Runs the pass on a copy of the last model. Returns a step with the members that follow from the pass alone.
Result<Step> History::change(ir::Model &model, const Entry &entry, const Task &task)
{
    const auto shapes = [&]() -> const analysis::Shapes & { return shapesForAllInputs(task); };
    const auto estimates = [&]() -> const analysis::Shapes & { return analysisOfLast(task).shapes; };
    Step step;
    step.made = entry;
    const auto began = std::chrono::steady_clock::now();
    try {
        rewrite::Rewriter rewriter(model, m_function, shapes, task, estimates);
        CUTAWAY_RETURN_IF_ERROR(entry.pass->run(rewriter, entry.settings));
        if (task.stopRequested())
            return cancelled();
        rewriter.finish();
        step.remarks = rewriter.remarks();
    } catch (const std::exception &thrown) {
        return std::unexpected(brokenBy(entry, std::string("it threw ") + thrown.what()));
    }
    step.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return step;
}

/// Returns why the pass's result is invalid; if it is valid, keeps its analysis.
std::optional<std::string> History::fault(const ir::Model &after, const Task &task)
{
    if (const auto faults = ir::verify(after); !faults.empty())
        return faults.front();
    auto analysed = std::make_shared<const analysis::Analysis>(analysis::analyse(after, m_function, m_given, task));
    const ir::Function &before = modelAfter(m_steps.size())->at(m_function);
    if (auto broken = brokenOutput(before, analysisOfLast(task).shapes, after.at(m_function), analysed->shapes))
        return broken;
    m_analysis = std::move(analysed);
    return std::nullopt;
}

bool History::runStep(const Entry &entry, const Task &task, std::span<const Entry> rest)
{
    const std::shared_ptr<const ir::Model> before = modelAfter(m_steps.size());
    auto after = std::make_shared<ir::Model>(*before);
    Result<Step> changed = change(*after, entry, task);
    if (!changed) {
        fail(entry, changed.error(), rest);
        return false;
    }
    Step step = std::move(*changed);
    compareWithLast(step, after);
    if (const auto broken = step.isChange ? fault(*after, task) : std::nullopt) {
        fail(entry, brokenBy(entry, *broken), rest);
        return false;
    }
    add(std::move(step), task);
    return true;
}

/// Sets what a step has changed. A step without changes shares the state before it.
void History::compareWithLast(Step &step, std::shared_ptr<const ir::Model> next) const
{
    const std::shared_ptr<const ir::Model> &last = modelAfter(m_steps.size());
    step.nodes = diff::stepDifference(last->at(m_function).graph, next->at(m_function).graph);
    step.isChange = isChanged(*last, *next, m_function, step.nodes);
    step.model = last;
    if (step.isChange)
        step.model = std::move(next);
}

void History::add(Step step, const Task &task)
{
    step.totals = step.isChange ? m_analysis->totals : totalsAfter(m_steps.size());
    step.parameterBytes = step.isChange ? parameterBytesOf(*step.model, step.model->at(m_function).graph)
                                        : parameterBytesAfter(m_steps.size());
    m_steps.push_back(std::move(step));
    findError(m_steps.size() - 1, task);
}

void History::record(Recorded recorded, double seconds, std::shared_ptr<const ir::Model> next, const Task &task)
{
    Step step;
    step.made = std::move(recorded);
    step.seconds = seconds;
    compareWithLast(step, std::move(next));
    if (step.isChange)
        m_analysis =
            std::make_shared<const analysis::Analysis>(analysis::analyse(*step.model, m_function, m_given, task));
    add(std::move(step), task);
    m_analysis = nullptr; // freed: only the last state keeps more than its totals
    m_shapes.reset();
}

std::span<const Recorded> History::unread() const
{
    return m_recording ? std::span(m_recording->steps).subspan(m_steps.size()) : std::span<const Recorded>();
}

void History::readNext(const Task &task)
{
    assert(!unread().empty());
    const std::size_t known = m_steps.size();
    m_recording->readNext(*this, task);
    if (task.stopRequested()) // the last step may have been read only in part
        m_steps.erase(m_steps.begin() + static_cast<std::ptrdiff_t>(known), m_steps.end());
}

std::optional<std::size_t> History::firstUnverified() const
{
    const auto found = std::ranges::find_if_not(m_steps, &Step::isVerified);
    return found == m_steps.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - m_steps.begin()));
}

void History::findError(std::size_t step, const Task &task)
{
    if (!m_check)
        m_steps[step].largestError.reset();
    else if (!m_steps[step].isChange)
        m_steps[step].largestError = step > 0 ? m_steps[step - 1].largestError : Result<double>(0.0);
    else
        m_steps[step].largestError = m_check->largestError(*m_steps[step].model, task);
}

void History::checkNumbers(std::shared_ptr<const NumberCheck> check, const Task &task)
{
    m_check = std::move(check);
    for (std::size_t step = 0; step < m_steps.size(); ++step)
        findError(step, task);
}

} // namespace cutaway::passes
