// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/statistics.h"
#include "views/parts/latest_work.h"
#include "views/session/running/baseline_comparison.h"
#include "views/session/running/run_setup.h"

#include <QStringList>
#include <variant>

namespace cutaway::node_data {
struct Column;
}

namespace cutaway::run {
struct ComparedRun;
struct Timing;
} // namespace cutaway::run

namespace cutaway::trace {
struct Trace;
}

namespace cutaway::views {

class Document;
struct ComparedModel;
struct OpenedTrace;
struct TimedRun;
struct TraceChange;
struct RunOrder;
struct RunStatistics;

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
        std::uint64_t done = 0, total = 0; ///< 0 of 0: unknown
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
        bool isObstacle = false; ///< it was not tried because of RunSetup::obstacle(kind)
    };
    using State = std::variant<Idle, Busy, Done, Stopped, Failed>;

    /// The model that was run, how, and which sizes were chosen for it.
    struct Origin {
        QString how; ///< "ONNX Runtime 1.21.0, 2 threads, optimised: all, AMD EPYC 9554"
        RunSettings settings;
        std::shared_ptr<const ir::Model> model;
        ir::FunctionId function;
        std::vector<std::string> given; ///< texts of bindings and inputs
        QString note;                   ///< sizes that were chosen, not given; "" if there are none
    };
    /// An output as it is shown: statistics if it has numbers, and the first elements as text.
    struct Shown {
        QString name, type;
        std::optional<tensor::Statistics> statistics;
        QStringList first;
        std::optional<ir::TensorId> tensor = {}; ///< of Outputs::tensors
    };
    struct Outputs {
        QString backend; ///< "ONNX Runtime 1.21.0"
        double seconds;
        std::vector<Shown> all;
        std::shared_ptr<const ir::Model> tensors; ///< see run::resultsOf(); null: only statistics are known
        std::shared_ptr<const RunStatistics> statistics = nullptr;
    };
    struct RunResult {
        Origin origin;
        Outputs outputs;
        std::shared_ptr<const ir::Model> earlier = nullptr; ///< the tensors of the previous run, if there was one
    };
    struct Profile {
        Origin origin;
        std::shared_ptr<const run::Timing> timing;
        std::shared_ptr<const run::SavedProfile> saved; ///< `timing` in the form that is saved
        std::string json;                               ///< the content of the saved file
        QStringList notes = {};                         ///< for an opened profile: what does not fit the model
        std::shared_ptr<const OpenedTrace> trace = {};  ///< what was recorded elsewhere; null: it was measured here
    };

    /// The result of some work.
    using Product = std::variant<Outputs, TimedRun, std::shared_ptr<const TraceChange>>;

    explicit Running(Document &document);

    RunSetup &setup() { return m_setup; }
    const RunSetup &setup() const { return m_setup; }
    /// Gives an input the elements and sizes of a tensor from a file. If the file cannot be taken, the state becomes
    /// Failed.
    void setInputFile(ir::ValueId input, const QString &path);

    const State &state() const { return m_state; }
    bool isBusy() const { return std::holds_alternative<Busy>(m_state); }
    /// The last result; null before the first one. Result and profile stay until they are replaced.
    const std::shared_ptr<const RunResult> &result() const { return m_result; }
    const std::shared_ptr<const Profile> &profile() const { return m_profile; }
    /// The times of the last profile, or null if it was of another function or other sizes than those that are shown.
    std::shared_ptr<const run::Timing> timing() const;
    /// The trace that timing() is of, or null.
    std::shared_ptr<const OpenedTrace> trace() const;
    /// How a second trace differs from trace(), or null.
    std::shared_ptr<const TraceChange> traceChange() const;

    /// Runs with statistics also run this model, with the same inputs, and tell how far its values are. Null: none.
    void compareValuesWith(std::shared_ptr<const ComparedModel> model) { m_compared = std::move(model); }
    void start(Kind kind);
    void stop();
    /// Clears results, times and their comparison.
    void forget();
    /// Asks for a look at a tensor of the result.
    void requestTensor(ir::TensorId tensor) { emit tensorRequested(tensor); }

    // Files of profiles. An error becomes the next state, and everything else is as before.

    /// Makes a saved profile of this model the last one, and gives the inputs its sizes.
    void open(const QString &path);
    /// Reads a trace of the shown function on another thread, which stop() ends, and makes it the last profile.
    /// `recorded`: what is in the file, where that was read already.
    void openTrace(const QString &path, std::shared_ptr<const trace::Trace> recorded = nullptr);
    /// Reads a second trace as openTrace() does, and compares it with the opened one. Precondition: there is a trace().
    void compareTrace(const QString &path);
    void endTraceComparison();
    /// Restores the profile() of an earlier session as the last one: `json`, with `how` and `given` of its origin.
    /// Errors: it is damaged, or of another model.
    Result<void> restore(const std::string &json, const QString &how, std::vector<std::string> given);
    /// Restores the statistics of values of an earlier session: `json` and `errors` are those of RunStatistics. The
    /// outputs of that run are not known. Errors: the texts are damaged.
    Result<void> restoreStatistics(const std::string &json, const std::string &errors, const QString &how,
                                   std::vector<std::string> given);
    /// Precondition: there is a profile().
    void save(const QString &path);
    BaselineComparison &comparison() { return m_comparison; }
    const BaselineComparison &comparison() const { return m_comparison; }
    /// Compares with a saved profile.
    void compareWith(const QString &path);

signals:
    void stateChanged();
    void resultChanged();
    void tensorRequested(cutaway::ir::TensorId tensor); ///< of the result
    void profileChanged();
    void traceChangeChanged();

private:
    void dropObstacle();
    RunOrder order(Kind kind) const;
    void begin(RunOrder order);
    std::vector<std::string> givenTexts() const;
    void setState(State state);
    void tell(const QString &what, std::uint64_t done, std::uint64_t total);
    void take(Kind kind, const Origin &origin, const Result<Product> &product);
    void ended();
    void failUnless(const Result<void> &done, Kind kind = Kind::Profile);
    Result<void> reopen(const QString &path);
    void setProfile(Profile profile, Kind kind = Kind::Profile);
    void setTraceChange(std::shared_ptr<const TraceChange> change);

    Document &m_document;
    RunSetup m_setup;
    State m_state = Idle{};
    std::shared_ptr<const RunResult> m_result;
    std::shared_ptr<const Profile> m_profile;
    BaselineComparison m_comparison;
    std::shared_ptr<const TraceChange> m_traceChange;
    std::shared_ptr<const ComparedModel> m_compared;
    LatestWork m_work; ///< last: it ends first
};

} // namespace cutaway::views
