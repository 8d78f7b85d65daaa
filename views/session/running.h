// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/parts/latest_work.h"
#include "views/session/running/baseline_comparison.h"
#include "views/session/running/run_result.h"
#include "views/session/running/run_setup.h"

#include <variant>

namespace cutaway::trace {
struct Trace;
}

namespace cutaway::views {

class Document;
struct ComparedModel;
struct RunOrder;
struct TimedRun;
struct TraceChange;

/// Runs and profiles the model that is shown, on another thread; plugins run in processes of their own. The last result
/// and the last profile stay when passes change the model, since the ids of nodes stay.
class Running : public QObject {
    Q_OBJECT

public:
    using Kind = RunKind;
    struct Idle { }; ///< nothing was run yet
    struct Busy {
        Kind kind;
        QString what = {};                 ///< the current activity, "" before the first report
        std::uint64_t done = 0, total = 0; ///< 0 of 0 if the progress is unknown
    };
    struct Done {
        Kind kind;
    };
    struct Stopped {
        Kind kind;
    };
    struct Failed {
        Kind kind;
        Error error;
        bool isObstacle = false; ///< whether RunSetup::obstacle(kind) prevented the run
    };
    using State = std::variant<Idle, Busy, Done, Stopped, Failed>;

    /// The result of a run, of a profile, or of a comparison of traces.
    using Product = std::variant<RunOutputs, TimedRun, std::shared_ptr<const TraceChange>>;

    explicit Running(Document &document);

    RunSetup &setup() { return m_setup; }
    const RunSetup &setup() const { return m_setup; }
    /// Gives an input the elements and sizes of a tensor from a file. If the file cannot be taken, the state becomes
    /// Failed.
    void setInputFile(ir::ValueId input, const QString &path);

    const State &state() const { return m_state; }
    bool isBusy() const { return std::holds_alternative<Busy>(m_state); }
    /// Returns the last result; null before the first one. It stays until it is replaced.
    const std::shared_ptr<const RunResult> &result() const { return m_result; }
    const std::shared_ptr<const RunProfile> &profile() const { return m_profile; }
    /// Returns the times of the last profile, or null if it was of another function or other sizes than the shown ones.
    std::shared_ptr<const run::Timing> timing() const;
    /// Returns the trace that the times of timing() come from, or null.
    std::shared_ptr<const OpenedTrace> trace() const;
    /// Returns the differences of a second trace from trace(), or null.
    std::shared_ptr<const TraceChange> traceChange() const;

    /// Makes later runs with statistics run this model, too, with the same inputs, and compare its values; null: none.
    void compareValuesWith(std::shared_ptr<const ComparedModel> model) { m_compared = std::move(model); }
    void start(Kind kind);
    void stop();
    /// Clears results, times and their comparison.
    void forget();

    // Files of profiles. After an error, the state is Failed, and everything else is as before.

    /// Opens a saved profile of this model as the last one, and gives the inputs its sizes.
    void open(const QString &path);
    /// Reads a trace of the shown function on another thread, and makes it the last profile; stop() ends the reading.
    /// `recorded` is the content of the file if it was read already.
    void openTrace(const QString &path, std::shared_ptr<const trace::Trace> recorded = nullptr);
    /// Reads a second trace as openTrace() does, and compares it with the opened one. Precondition: there is a trace().
    void compareTrace(const QString &path);
    void endTraceComparison();
    /// Restores the profile() of an earlier session as the last one. `json` is the profile, `how` and `given` are those
    /// of its origin. Errors: the profile is damaged, or of another model.
    Result<void> restore(const std::string &json, const QString &how, std::vector<std::string> given);
    /// Restores the statistics of values of an earlier session: `json` and `errors` are those of RunStatistics. The
    /// outputs of that run are not restored. Errors: the texts are damaged.
    Result<void> restoreStatistics(const std::string &json, const std::string &errors, const QString &how,
                                   std::vector<std::string> given);
    /// Saves the last profile. Precondition: there is a profile().
    void save(const QString &path);
    BaselineComparison &comparison() { return m_comparison; }
    const BaselineComparison &comparison() const { return m_comparison; }
    /// Compares the last profile and later ones with the saved one at `path`.
    void compareWith(const QString &path);

signals:
    void stateChanged();
    void resultChanged();
    void profileChanged();
    void traceChangeChanged();

private:
    void dropObstacle();
    RunOrder order(Kind kind) const;
    void begin(RunOrder order);
    std::vector<std::string> givenTexts() const;
    void setState(State state);
    void tell(const QString &what, std::uint64_t done, std::uint64_t total);
    void take(Kind kind, const RunOrigin &origin, const Result<Product> &product);
    void ended();
    void failUnless(const Result<void> &done, Kind kind = Kind::Profile);
    void setProfile(RunProfile profile, Kind kind = Kind::Profile);
    void setTraceChange(std::shared_ptr<const TraceChange> change);

    Document &m_document;
    RunSetup m_setup;
    State m_state = Idle{};
    std::shared_ptr<const RunResult> m_result;
    std::shared_ptr<const RunProfile> m_profile;
    BaselineComparison m_comparison;
    std::shared_ptr<const TraceChange> m_traceChange;
    std::shared_ptr<const ComparedModel> m_compared;
    LatestWork m_work; ///< declared last, so that it ends before what it uses
};

} // namespace cutaway::views
