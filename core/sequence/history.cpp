// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/history.h"

#include "core/analysis/counts.h"
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/sequence/address.h"
#include "core/sequence/kept_nodes.h"
#include "core/sequence/kernel_modules.h"
#include "core/sequence/kernels.h"
#include "core/sequence/limits.h"
#include "core/sequence/mapping.h"

#include <algorithm>
#include <optional>

namespace cutaway::sequence {

namespace {

/// Returns "post_grad, backward; run.log, line 120", followed by a line for each note.
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

/// Whether two steps have the same text.
bool isRepeated(const Step &step, const Step &earlier)
{
    // A model file has no text, so it never repeats a printed graph, even if their fingerprints are equal.
    return step.outline && earlier.outline && step.outline->fingerprint == earlier.outline->fingerprint
        && step.text.has_value() == earlier.text.has_value();
}

passes::Recorded recordedOf(const Sequence &sequence, std::size_t at)
{
    const Step &step = sequence.steps[at];
    passes::Recorded made{step.name, descriptionOf(step)};
    if (!step.outline && step.text)
        made.text = passes::Recorded::Text::Unreadable;
    else if (at > 0 && isRepeated(step, sequence.steps[at - 1]))
        made.text = passes::Recorded::Text::Repeated;
    return made;
}

constexpr const char *kernelsName = "kernels";

/// Returns the index of the step with the last graph, if the log has code that Inductor made of this graph: the last
/// step, or an earlier one with the same text, which the code belongs to. Returns nothing if there is no such code.
std::optional<std::size_t> stepWithCode(const Sequence &sequence)
{
    const std::vector<Kernel> kernels = kernelsOf(sequence);
    for (std::size_t at = sequence.steps.size(); at-- > 0;) {
        if (std::ranges::contains(kernels, sequence.steps[at].address, &Kernel::step))
            return at;
        if (at == 0 || !isRepeated(sequence.steps[at], sequence.steps[at - 1]))
            break;
    }
    return std::nullopt;
}

/// Reads the graphs of a sequence, each as the state that follows the one before it.
class StepReader {
public:
    /// `first`: the index of the step that the history starts with. `withCode`: see stepWithCode().
    StepReader(std::shared_ptr<const Sequence> sequence, std::size_t first, std::optional<std::size_t> withCode)
        : m_sequence(std::move(sequence)),
          m_first(first),
          m_withCode(withCode)
    {
    }

    void readNext(passes::History &history, const Task &task) const
    {
        const std::size_t at = m_first + history.steps().size() + 1;
        if (at == m_sequence->steps.size())
            return addKernels(history, task);
        const Step &step = m_sequence->steps[at];
        const std::shared_ptr<const ir::Model> before = history.modelAfter(history.steps().size());
        passes::Recorded made = recordedOf(*m_sequence, at);
        if (made.text == passes::Recorded::Text::Repeated)
            return history.record(std::move(made), step.seconds, before, task);
        const auto next = openStep(step, task, before->context);
        if (!next || next->functions.empty()) {
            made.text = passes::Recorded::Text::Unreadable;
            made.description += next ? "\nThe file has no graph." : "\nIt cannot be read: " + next.error().text();
            return history.record(std::move(made), step.seconds, before, task);
        }
        auto state = std::make_shared<const ir::Model>(nextState(*before, *next, shownOf(history), at, task));
        history.record(std::move(made), step.seconds, std::move(state), task);
    }

private:
    /// Returns the index of the step whose graph is the last state.
    std::size_t shownOf(const passes::History &history) const
    {
        std::size_t steps = history.steps().size();
        while (steps > 0 && !history.steps()[steps - 1].isChange)
            --steps;
        return m_first + steps;
    }

    /// Returns the graph of `after` as the state that follows `before`. Within a stage a compiler keeps the names of
    /// most nodes that stay; nodes between these are found by their positions. If it keeps few names, as from one stage
    /// to another, or if the graph is small and has nodes left, mapNodes() is used, which computes both graphs.
    ir::Model nextState(const ir::Model &before, const ir::Model &after, std::size_t from, std::size_t at,
                        const Task &task) const
    {
        const Step &was = m_sequence->steps[from], &is = m_sequence->steps[at];
        const bool isSmall = analysis::countNodes(after.functions.front().graph) <= limits::maxNodesMappedWithinStage;
        KeptNodes kept(before, after);
        if (was.kind == is.kind || is.kind == Kind::Pass) {
            kept.takeSameNames();
            if (kept.areMost())
                kept.takeSamePlaces();
        }
        if (kept.isOpen() && (isSmall || !kept.areMost())) {
            auto recorded = originsBetween(*m_sequence, from, at);
            kept.take(mapNodes(before, after, recorded.empty() ? originsIn(after) : recorded, task));
        }
        return kept.continued();
    }

    /// Adds the last graph once more, divided into Inductor's kernels.
    void addKernels(passes::History &history, const Task &task) const
    {
        const Step &last = m_sequence->steps[*m_withCode];
        ir::Model divided = *history.modelAfter(history.steps().size());
        const std::size_t kernels = divideIntoKernels(divided, *m_sequence, last, task);
        passes::Recorded made{
            kernelsName, formatted("{} in the code that was made of {}", quantity(kernels, "kernel"), last.name), true};
        history.record(std::move(made), 0, std::make_shared<const ir::Model>(std::move(divided)), task);
    }

    std::shared_ptr<const Sequence> m_sequence;
    std::size_t m_first;
    std::optional<std::size_t> m_withCode;
};

/// Returns the index of the first step whose graph can be read, and that graph.
Result<std::pair<std::size_t, ir::Model>> firstGraph(const Sequence &sequence, const Task &task)
{
    Error error{ErrorKind::Unreadable, "the sequence has no graph", {}};
    for (std::size_t at = 0; at < sequence.steps.size(); ++at) {
        auto model = openStep(sequence.steps[at], task);
        if (task.stopRequested())
            return cancelled();
        if (model && !model->functions.empty())
            return std::pair(at, std::move(*model));
        error = model ? Error{ErrorKind::Unreadable, "the file has no graph", {}} : std::move(model.error());
    }
    return std::unexpected(std::move(error));
}

} // namespace

Result<passes::History> startOfHistory(const Sequence &sequence, const Task &task)
{
    CUTAWAY_TRY(auto start, firstGraph(sequence, task));
    auto &[first, model] = start;
    passes::History history(std::make_shared<const ir::Model>(std::move(model)), ir::FunctionId{0});
    history.setStart(recordedOf(sequence, first));
    passes::Recording recording;
    for (std::size_t at = first + 1; at < sequence.steps.size(); ++at)
        recording.steps.push_back(recordedOf(sequence, at));
    const auto withCode = stepWithCode(sequence);
    if (withCode)
        recording.steps.push_back({kernelsName, "", true});
    recording.readNext = [reader = StepReader(std::make_shared<const Sequence>(sequence), first, withCode)](
                             passes::History &next, const Task &each) { reader.readNext(next, each); };
    history.expect(std::make_shared<const passes::Recording>(std::move(recording)));
    return history;
}

Result<passes::History> historyOf(const Sequence &sequence, const Task &task)
{
    CUTAWAY_TRY(passes::History history, startOfHistory(sequence, task));
    while (!history.unread().empty()) {
        task.report("reading the steps", history.steps().size() + 1, sequence.steps.size());
        history.readNext(task);
        if (task.stopRequested())
            return cancelled();
    }
    return history;
}

} // namespace cutaway::sequence
