// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"
#include "core/passes/number_check.h"
#include "views/session/latest_work.h"

#include <QObject>
#include <QUndoStack>
#include <memory>

namespace cutaway::views {

class Session;

/// Passes over the function that is shown: what is to run, what ran, and after which step the model is looked at.
/// Running is on a thread of its own; steps that stay the same are not made again.
class Stepping : public QObject {
    Q_OBJECT

public:
    /// What is drawn of a step.
    enum class View {
        Before,
        Both, ///< in one picture
        After,
        SideBySide, ///< two pictures with everything at the same place
    };

    /// What computes the results after each step, on random inputs, to tell how far they are from the file's.
    enum class NumberCheck {
        None,
        Evaluator, ///< Cutaway's own: exact, for small models
        Backend,   ///< the one that Session::running() runs models with
    };

    explicit Stepping(Session &session);

    const passes::Pipeline &pipeline() const { return m_pipeline; }
    /// Beside Cutaway's own; they live as long as the program.
    std::span<const passes::Pass *const> otherPasses() const { return m_otherPasses; }
    void setOtherPasses(std::vector<const passes::Pass *> passes);
    /// Null before passes have run.
    const std::shared_ptr<const passes::History> &history() const { return m_history; }
    bool isRunning() const { return m_work.isBusy(); }
    /// Steps there are; 0 before passes have run.
    std::size_t count() const { return m_history ? m_history->steps().size() : 0; }
    /// After so many steps; 0: the file's.
    std::size_t position() const { return m_position; }
    /// The step that led to what is shown; null at the beginning.
    const passes::Step *step() const;
    View view() const { return m_view; }
    /// Whether all steps are laid out at once, so that nothing moves from one to the next.
    bool holdsPlaces() const { return m_holdsPlaces; }
    /// The module whose changes are looked at; the root: all.
    ir::ScopeId scope() const { return m_scope; }
    /// What a step did in scope().
    const diff::StepDifference &changes(std::size_t step) const { return m_changes[step]; }
    bool isChange(std::size_t step) const;
    bool skipsUnchanged() const { return m_skipsUnchanged; }
    bool focusesChanges() const { return m_focusesChanges; }
    NumberCheck numberCheck() const { return m_numberCheck; }

    /// Steps there are follow: those that are other are made anew. Can be undone.
    void setPipeline(passes::Pipeline pipeline);
    QUndoStack &edits() { return m_edits; }
    void run();
    /// Keeps the steps that are there.
    void stop();
    /// Forgets the steps and shows the file's model.
    void clear();
    void goTo(std::size_t position);
    /// The next step, or with skipsUnchanged() the next one that changed something; false: there is none.
    bool next();
    bool previous();
    void setView(View view);
    void setHoldsPlaces(bool holds);
    void setScope(ir::ScopeId scope);
    void setSkipsUnchanged(bool skips);
    /// Fades what a step did not change, and opens what it did.
    void setFocusesChanges(bool focuses);
    void setNumberCheck(NumberCheck check);
    /// Goes to the first step after which results are farther than this, by the evaluator where no check is chosen, and
    /// tells about it.
    void bisect(double tolerance);

signals:
    void pipelineChanged();
    void otherPassesChanged();
    void runningChanged();
    void stepsChanged();
    void positionChanged();
    void viewChanged(); ///< also which steps are skipped, and what of them is told
    /// What there is to say to the user, of a check or a bisection.
    void told(const QString &text);

private:
    class Edit;

    using MakeCheck = std::function<Result<passes::NumberCheck>(const passes::History &, const Task &)>;

    void use(const passes::Pipeline &pipeline);
    MakeCheck checkBy(NumberCheck check) const;
    void finish(std::shared_ptr<const passes::History> history, std::shared_ptr<const ir::Model> all,
                NumberCheck check);
    void findChanges();
    void tellBad(const Result<std::optional<std::size_t>> &bad, double tolerance);
    void show();
    std::size_t lastChange() const;
    void startAnew();

    Session &m_session;
    std::vector<const passes::Pass *> m_otherPasses;
    passes::Pipeline m_pipeline;
    std::shared_ptr<const passes::History> m_history;
    std::shared_ptr<const ir::Model> m_all;      ///< its states in one
    std::vector<diff::StepDifference> m_changes; ///< by step
    ir::ScopeId m_scope;
    std::size_t m_position = 0;
    View m_view = View::Both;
    bool m_holdsPlaces = true;
    bool m_skipsUnchanged = true;
    bool m_focusesChanges = false;
    NumberCheck m_numberCheck = NumberCheck::None;
    NumberCheck m_historysCheck = NumberCheck::None; ///< that m_history has
    QUndoStack m_edits;
    LatestWork m_work; ///< last: it ends first
};

} // namespace cutaway::views
