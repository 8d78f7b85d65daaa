// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/history.h"

#include "core/base/formatted.h"
#include "core/diff/continued.h"
#include "core/ir/context.h"
#include "core/ir/json/json.h"
#include "core/ir/json/json_state.h"
#include "core/sequence/address.h"

#include <unordered_map>

namespace cutaway::sequence {

namespace {

/// "post_grad, backward; run.log, line 120"
std::string descriptionOf(const Step &step)
{
    std::string text(name(step.kind));
    if (step.direction)
        text += formatted(", {}", name(*step.direction));
    text += formatted("; {}", step.source);
    return step.line ? text + formatted(", line {}", *step.line) : text;
}

/// The states of one history share their context. Models of other files come in one of their own.
Result<ir::Model> inContext(const ir::Model &model, const std::shared_ptr<ir::Context> &context)
{
    return model.context == context ? Result<ir::Model>(model) : ir::parseJsonState(ir::printJson(model), context);
}

/// The nodes of the outermost regions that have one name in both states.
std::vector<diff::KeptNode> keptNodes(const ir::Model &before, const ir::Model &after)
{
    std::unordered_map<ir::NameId, ir::NodeId> named;
    const ir::Graph &was = before.functions.front().graph, &is = after.functions.front().graph;
    for (ir::NodeId id{0}; id.index < was.nodeCount(); ++id.index)
        if (!was.at(id).removed)
            named.emplace(was.at(id).name, id);
    std::vector<diff::KeptNode> kept;
    for (ir::NodeId id{0}; id.index < is.nodeCount(); ++id.index)
        if (const auto found = named.find(is.at(id).name); found != named.end() && !is.at(id).removed)
            kept.push_back({found->second, id});
    return kept;
}

/// Records the steps one after the other.
class Recording {
public:
    Recording(const Sequence &sequence, const Task &task) : m_sequence(sequence), m_task(task) { }

    Result<passes::History> run()
    {
        std::size_t at = 0;
        CUTAWAY_RETURN_IF_ERROR(start(at));
        for (++at; at < m_sequence.steps.size(); ++at) {
            if (m_task.stopRequested())
                return cancelled();
            m_task.report("reading the steps", at, m_sequence.steps.size());
            add(m_sequence.steps[at]);
        }
        return std::move(*m_history);
    }

private:
    /// The first graph that can be read; `at` becomes its position.
    Result<void> start(std::size_t &at)
    {
        Error error{ErrorKind::Unreadable, "the sequence has no graph", {}};
        for (; at < m_sequence.steps.size(); ++at) {
            auto model = openStep(m_sequence.steps[at], m_task);
            if (model && !model->functions.empty()) {
                m_history.emplace(std::make_shared<const ir::Model>(std::move(*model)), ir::FunctionId{0});
                m_history->setStart(recorded(m_sequence.steps[at]));
                m_last = m_sequence.steps[at].outline;
                return {};
            }
            error = model ? Error{ErrorKind::Unreadable, "the file has no graph", {}} : std::move(model.error());
        }
        return std::unexpected(std::move(error));
    }

    static passes::Recorded recorded(const Step &step) { return {step.name, descriptionOf(step)}; }

    void add(const Step &step)
    {
        const auto &before = m_history->modelAfter(m_history->steps().size());
        const bool isSame = step.outline && m_last && step.outline->fingerprint == m_last->fingerprint;
        auto next = isSame ? Result<ir::Model>(*before) : openStep(step, m_task).and_then([&](const ir::Model &model) {
            return inContext(model, before->context);
        });
        passes::Recorded made = recorded(step);
        for (const std::string &note : step.notes)
            made.description += "\n" + note;
        if (!next || next->functions.empty()) {
            made.description += next ? "\nThe file has no graph." : "\nIt cannot be read: " + next.error().text();
            return m_history->record(std::move(made), step.seconds, before, m_task);
        }
        m_last = step.outline;
        const auto state = isSame ? *next : diff::continued(*before, *next, keptNodes(*before, *next));
        m_history->record(std::move(made), step.seconds, std::make_shared<const ir::Model>(state), m_task);
    }

    const Sequence &m_sequence;
    const Task &m_task;
    std::optional<passes::History> m_history;
    std::optional<Outline> m_last; ///< of the last graph that was read
};

} // namespace

Result<passes::History> historyOf(const Sequence &sequence, const Task &task)
{
    return Recording(sequence, task).run();
}

} // namespace cutaway::sequence
