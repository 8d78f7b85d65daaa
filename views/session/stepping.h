// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/proof/number_check.h"
#include "views/parts/latest_work.h"
#include "views/session/stepping/chosen_passes.h"
#include "views/session/stepping/step_changes.h"
#include "views/session/stepping/step_display.h"

#include <QObject>
#include <memory>
#include <optional>

namespace cutaway::views {

class Document;
class Navigation;
class RunSetup;

/// Passes over the function that is shown: the pipeline, the steps of its last run, and the step after which the model
/// is shown. Passes run on another thread; steps that a change of the pipeline does not affect are not run again.
///
/// Steps that another program has written down are shown in place of those of passes as long as the model is shown.
/// Nothing replaces recorded steps: passes do not run, and what would discard steps goes back to the first graph. To
/// run passes on a recorded graph, a user opens it as a model of its own.
class Stepping : public QObject {
    Q_OBJECT

public:
    /// The evaluator or backend that computes the results after each step, on random inputs, to compare them with those
    /// of the file.
    enum class NumberCheck {
        None,
        Evaluator, ///< Cutaway's own evaluator: exact, meant for small models
        Backend,   ///< the backend of RunSetup
    };

    Stepping(Document &document, Navigation &navigation, const RunSetup &setup);

    ChosenPasses &chosen() { return m_chosen; }
    const ChosenPasses &chosen() const { return m_chosen; }
    StepDisplay &display() { return m_display; }
    const StepDisplay &display() const { return m_display; }
    /// Returns the steps; null before passes have run, or while recorded steps belong to another function.
    const std::shared_ptr<const passes::History> &history() const { return m_history; }
    /// Returns the steps that another program has written down; null if there are none.
    const std::shared_ptr<const passes::History> &recorded() const { return m_recorded; }
    bool isRecorded() const { return m_recorded != nullptr; }
    bool isRunning() const { return m_work.isBusy(); }
    /// Whether the user has gone to a step that is not read yet.
    bool isAwaiting() const { return m_awaited.has_value(); }
    /// Returns the number of steps that are read; 0 before passes have run.
    std::size_t count() const { return m_history ? m_history->steps().size() : 0; }
    /// Returns the number of all steps, those that are not read yet included.
    std::size_t total() const { return m_history ? count() + m_history->unread().size() : 0; }
    /// Returns the number of steps after which the model is shown; 0 for the file's model.
    std::size_t position() const { return m_position; }
    /// Returns the last step before position(); null at position 0.
    const passes::Step *step() const;
    /// Returns the changes that each step made within the module whose changes are shown.
    const StepChanges &changes() const { return m_changes; }
    NumberCheck numberCheck() const { return m_numberCheck; }

    /// Shows recorded steps, beginning at their first graph, which must be the file's model. Steps that are not read
    /// yet are read on another thread, and appear as they are read.
    void show(std::shared_ptr<const passes::History> recorded);
    /// Runs the pipeline; for recorded steps, applies the chosen check of numbers and reads the remaining steps.
    void run();
    /// Stops the passes, or the reading of steps, and keeps the existing steps.
    void stop();
    /// Discards the steps, unless they are recorded, and shows the file's model.
    void clear();
    /// Goes to a step, as soon as it is read.
    void goTo(std::size_t position);
    /// Goes to the next step, or with StepDisplay::skipsUnchanged() to the next one that the graph shows; false if
    /// there is none.
    bool next();
    bool previous();
    void setNumberCheck(NumberCheck check);
    /// Goes to the first step after which results differ by more than `tolerance`. If no check is chosen, the evaluator
    /// computes the results. The outcome is a message(), perhaps that not all steps are read yet.
    void bisect(double tolerance);

signals:
    void runningChanged();
    void stepsChanged();
    void positionChanged();
    void viewChanged(); ///< emitted when the display or the check of numbers has changed
    /// Emitted with the outcome of a check or a bisection, for the user.
    void message(const QString &text);

private:
    void begin();
    void read();
    void take(std::shared_ptr<const passes::History> history, std::shared_ptr<const ir::Model> all, NumberCheck check);
    void finish(std::shared_ptr<const passes::History> history, std::shared_ptr<const ir::Model> all,
                NumberCheck check);
    void takeRecorded();
    void goToAwaited();
    void discard();
    void showNone();
    void show();
    void startAnew();

    Document &m_document;
    Navigation &m_navigation;
    const RunSetup &m_setup;
    ChosenPasses m_chosen;
    StepDisplay m_display;
    std::optional<ir::FunctionId> m_function; ///< the function on which passes run or have run; nothing: none
    std::shared_ptr<const passes::History> m_recorded;
    std::shared_ptr<const passes::History> m_history;
    /// A model with the nodes of several states.
    struct Union {
        std::shared_ptr<const ir::Model> model; ///< null: not made yet
        std::size_t until = 0;                  ///< the position of the last state that the model contains
    };
    Union m_all;   ///< the union of all states of m_history
    Union m_drawn; ///< m_all, or an earlier one that has all nodes that are shown, so that the diagram stays
    StepChanges m_changes;
    std::size_t m_position = 0;
    std::optional<std::size_t> m_awaited; ///< the position to go to once its step is read
    NumberCheck m_numberCheck = NumberCheck::None;
    NumberCheck m_historysCheck = NumberCheck::None; ///< the check that m_history was made with
    LatestWork m_work;                               ///< declared last, so that it ends before what it uses
};

} // namespace cutaway::views
