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
/// Where another program has written the steps down, they are shown in place of those of passes, as long as the model
/// is. Nothing replaces them: passes do not run, and what discards steps goes back to the first graph. Passes run on a
/// graph of them when it is opened as a model.
class Stepping : public QObject {
    Q_OBJECT

public:
    /// The evaluator or backend that computes the results after each step, on random inputs, to compare them with those
    /// of the file.
    enum class NumberCheck {
        None,
        Evaluator, ///< Cutaway's own: exact, for small models
        Backend,   ///< the one that models are run with (RunSetup)
    };

    Stepping(Document &document, Navigation &navigation, const RunSetup &setup);

    ChosenPasses &chosen() { return m_chosen; }
    const ChosenPasses &chosen() const { return m_chosen; }
    StepDisplay &display() { return m_display; }
    const StepDisplay &display() const { return m_display; }
    /// Null before passes have run, and while recorded steps are those of another function.
    const std::shared_ptr<const passes::History> &history() const { return m_history; }
    /// The steps that another program has written down; null if there are none.
    const std::shared_ptr<const passes::History> &recorded() const { return m_recorded; }
    bool isRecorded() const { return m_recorded != nullptr; }
    bool isRunning() const { return m_work.isBusy(); }
    /// Whether a step is to be shown that is not read yet.
    bool isAwaiting() const { return m_awaited.has_value(); }
    /// Number of steps; 0 before passes have run.
    std::size_t count() const { return m_history ? m_history->steps().size() : 0; }
    /// Number of steps with those that are not read yet.
    std::size_t total() const { return m_history ? count() + m_history->unread().size() : 0; }
    /// The number of steps after which the model is shown; 0: the file's model.
    std::size_t position() const { return m_position; }
    /// The last step before position(); null at position 0.
    const passes::Step *step() const;
    /// The changes of the steps within the module that is shown.
    const StepChanges &changes() const { return m_changes; }
    NumberCheck numberCheck() const { return m_numberCheck; }

    /// Shows recorded steps, whose start is the file's model, from their first graph on. Those that are not read yet
    /// are read on another thread, and are there as they come.
    void show(std::shared_ptr<const passes::History> recorded);
    /// Runs the pipeline; of recorded steps, makes the check of numbers anew and reads those that are not read yet.
    void run();
    /// Keeps the existing steps.
    void stop();
    /// Discards the steps, unless they are recorded, and shows the file's model.
    void clear();
    /// Goes to the step, as soon as it is read.
    void goTo(std::size_t position);
    /// Goes to the next step, or with StepDisplay::skipsUnchanged() to the next one that the graph shows; false if
    /// there is none.
    bool next();
    bool previous();
    void setNumberCheck(NumberCheck check);
    /// Goes to the first step after which results differ by more than `tolerance`, with the evaluator if no check is
    /// chosen. The outcome is a message(); it needs all steps to be read.
    void bisect(double tolerance);

signals:
    void runningChanged();
    void stepsChanged();
    void positionChanged();
    void viewChanged(); ///< the display or the check is another
    /// The outcome of a check or a bisection, for the user.
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
    std::optional<ir::FunctionId> m_function; ///< on which passes run or have run; nothing: on none
    std::shared_ptr<const passes::History> m_recorded;
    std::shared_ptr<const passes::History> m_history;
    /// States in one.
    struct Union {
        std::shared_ptr<const ir::Model> model; ///< null: not made yet
        std::size_t until = 0;                  ///< the position of the last of them
    };
    Union m_all;   ///< all states of m_history
    Union m_drawn; ///< m_all, or an earlier one that still has all that is shown: a picture stays as long
    StepChanges m_changes;
    std::size_t m_position = 0;
    std::optional<std::size_t> m_awaited; ///< the position to go to when it is read
    NumberCheck m_numberCheck = NumberCheck::None;
    NumberCheck m_historysCheck = NumberCheck::None; ///< the check of m_history
    LatestWork m_work;                               ///< last: it ends first
};

} // namespace cutaway::views
