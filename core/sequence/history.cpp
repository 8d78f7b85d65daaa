// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/history.h"

#include "core/base/formatted.h"
#include "core/diff/continued.h"
#include "core/ir/context.h"
#include "core/ir/json/json.h"
#include "core/ir/json/json_state.h"
#include "core/sequence/address.h"
#include "core/sequence/kernel_modules.h"
#include "core/sequence/mapping.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace cutaway::sequence {

namespace {

/// "post_grad, backward; run.log, line 120", and a line for each note.
std::string descriptionOf(const Step &step)
{
    std::string text(name(step.kind));
    if (step.direction)
        text += formatted(", {}", name(*step.direction));
    text += formatted("; {}", step.source);
    if (step.line)
        text += formatted(", line {}", *step.line);
    for (const std::string &note : step.notes)
        text += "\n" + note;
    return text;
}

/// The states of one history share their context. Models of other files come in one of their own.
Result<ir::Model> inContext(const ir::Model &model, const std::shared_ptr<ir::Context> &context)
{
    return model.context == context ? Result<ir::Model>(model) : ir::parseJsonState(ir::printJson(model), context);
}

/// Finds the nodes that stay from one state to the next, and what new ones were made from. Between two graphs of one
/// stage a compiler keeps the names of nodes that it keeps; for others, and for what is left, the mapping tells. Where
/// one node became several of them, it stays as the one that does the same.
class Keeping {
public:
    Keeping(const ir::Model &before, const ir::Model &after)
        : m_before(before.functions.front().graph),
          m_after(after.functions.front().graph)
    {
        addNames(m_before, m_namedBefore);
        addNames(m_after, m_namedAfter);
    }

    void takeSameNames()
    {
        for (const auto &[name, after] : m_namedAfter)
            if (const auto found = m_namedBefore.find(name);
                found != m_namedBefore.end() && m_before.at(found->second).op == m_after.at(after).op)
                take(found->second, after);
    }

    /// Whether a node of each side is left.
    bool isOpen() const { return m_kept.size() < std::min(m_namedBefore.size(), m_namedAfter.size()); }

    void take(const Mapping &mapping)
    {
        for (const bool mayDiffer : {false, true})
            for (const NodeOrigin &pair : mapping.pairs) {
                const auto before = pair.from.size() == 1 ? m_namedBefore.find(pair.from.front()) : m_namedBefore.end();
                const auto after = m_namedAfter.find(pair.node);
                if (before == m_namedBefore.end() || after == m_namedAfter.end())
                    continue;
                if (mayDiffer || m_before.at(before->second).op == m_after.at(after->second).op)
                    take(before->second, after->second);
            }
        for (const NodeOrigin &pair : mapping.pairs)
            takeOrigins(pair);
    }

    ir::Model continued(const ir::Model &before, const ir::Model &after) const
    {
        return diff::continued(before, after, m_kept, m_made);
    }

private:
    using Names = std::unordered_map<std::string_view, ir::NodeId>;

    static void addNames(const ir::Graph &graph, Names &names)
    {
        for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
            if (!graph.at(id).removed)
                names.emplace(graph.context().text(graph.at(id).name), id);
    }

    void take(ir::NodeId before, ir::NodeId after)
    {
        if (m_takenBefore.contains(before) || m_takenAfter.contains(after))
            return;
        m_takenBefore.insert(before);
        m_takenAfter.insert(after);
        m_kept.push_back({before, after});
    }

    void takeOrigins(const NodeOrigin &pair)
    {
        const auto after = m_namedAfter.find(pair.node);
        if (after == m_namedAfter.end() || m_takenAfter.contains(after->second))
            return;
        diff::MadeNode made{after->second, {}};
        for (const std::string &name : pair.from)
            if (const auto before = m_namedBefore.find(name); before != m_namedBefore.end())
                made.before.push_back(before->second);
        m_made.push_back(std::move(made));
    }

    const ir::Graph &m_before;
    const ir::Graph &m_after;
    Names m_namedBefore, m_namedAfter;
    std::unordered_set<ir::NodeId> m_takenBefore, m_takenAfter;
    std::vector<diff::KeptNode> m_kept;
    std::vector<diff::MadeNode> m_made;
};

/// Records the steps one after the other.
class Recording {
public:
    Recording(const Sequence &sequence, const Task &task) : m_sequence(sequence), m_task(task) { }

    Result<passes::History> run()
    {
        std::size_t at = 0;
        CUTAWAY_RETURN_IF_ERROR(start(at));
        for (m_shown = at++; at < m_sequence.steps.size(); ++at) {
            if (m_task.stopRequested())
                return cancelled();
            m_task.report("reading the steps", at, m_sequence.steps.size());
            add(at);
        }
        addKernels();
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
                return {};
            }
            error = model ? Error{ErrorKind::Unreadable, "the file has no graph", {}} : std::move(model.error());
        }
        return std::unexpected(std::move(error));
    }

    static passes::Recorded recorded(const Step &step) { return {step.name, descriptionOf(step)}; }

    ir::Model nextState(const ir::Model &before, const ir::Model &after, std::size_t at) const
    {
        const Step &was = m_sequence.steps[m_shown], &is = m_sequence.steps[at];
        Keeping keeping(before, after);
        if (was.kind == is.kind || is.kind == Kind::Pass)
            keeping.takeSameNames();
        if (keeping.isOpen()) {
            auto recorded = originsBetween(m_sequence, m_shown, at);
            keeping.take(mapNodes(before, after, recorded.empty() ? originsIn(after) : recorded, m_task));
        }
        return keeping.continued(before, after);
    }

    void add(std::size_t at)
    {
        const Step &step = m_sequence.steps[at];
        const std::shared_ptr<const ir::Model> before = m_history->modelAfter(m_history->steps().size());
        passes::Recorded made = recorded(step);
        if (isEqual(step, m_sequence.steps[m_shown]))
            return m_history->record(std::move(made), step.seconds, before, m_task);
        const auto next =
            openStep(step, m_task).and_then([&](const ir::Model &model) { return inContext(model, before->context); });
        if (!next || next->functions.empty()) {
            made.description += next ? "\nThe file has no graph." : "\nIt cannot be read: " + next.error().text();
            return m_history->record(std::move(made), step.seconds, before, m_task);
        }
        auto state = std::make_shared<const ir::Model>(nextState(*before, *next, at));
        m_shown = at;
        m_history->record(std::move(made), step.seconds, std::move(state), m_task);
    }

    /// The last graph once more, divided into the kernels that Inductor made of it.
    void addKernels()
    {
        const Step &last = m_sequence.steps[m_shown];
        ir::Model divided = *m_history->modelAfter(m_history->steps().size());
        if (const std::size_t kernels = divideIntoKernels(divided, m_sequence, last, m_task))
            m_history->record(
                {"kernels", formatted("{} kernels in the code that was made of {}", kernels, last.name), true}, 0,
                std::make_shared<const ir::Model>(std::move(divided)), m_task);
    }

    static bool isEqual(const Step &a, const Step &b)
    {
        return a.outline && b.outline && a.outline->fingerprint == b.outline->fingerprint;
    }

    const Sequence &m_sequence;
    const Task &m_task;
    std::optional<passes::History> m_history;
    std::size_t m_shown = 0; ///< the position of the step whose graph is the last state
};

} // namespace

Result<passes::History> historyOf(const Sequence &sequence, const Task &task)
{
    return Recording(sequence, task).run();
}

} // namespace cutaway::sequence
