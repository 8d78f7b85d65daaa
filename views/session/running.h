// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/run/offer.h"
#include "core/run/statistics.h"
#include "core/run/timing.h"
#include "views/session/latest_work.h"
#include "views/session/profile_change.h"

#include <QObject>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <variant>

namespace cutaway::views {

class Session;

/// How the user wants a model to be run.
struct RunSettings {
    std::string backend; ///< as run::Offer names it; "": there is none
    std::string target = "local";
    run::Effort effort;
    std::uint32_t seed = 1; ///< of inputs, which are random
    double seconds = 5;     ///< of a profile, at most, for each of its two halves
};

/// What there is to run models with; who makes a session says it.
struct RunChoices {
    std::vector<run::Offer> backends; ///< those that are not here, too
    std::vector<std::string> targets{"local"};
    std::string problem; ///< why there are no more; "": nothing is wrong
    std::function<Result<std::unique_ptr<run::Backend>>(const RunSettings &)> find;
};

/// Runs and profiles the model that is shown, on a thread of its own; what is foreign runs in a process of its own.
/// What the last run and the last profile gave stays when passes change the model: times belong to nodes for life.
class Running : public QObject {
    Q_OBJECT

public:
    enum class Kind : std::uint8_t { Run, Profile };
    struct Idle { }; ///< nothing was run yet
    struct Busy {
        Kind kind;
        QString what = {};                 ///< what it does now, "" before it tells
        std::uint64_t done = 0, total = 0; ///< 0 of 0: not known
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
        bool isObstacle = false; ///< it was not tried: obstacle(kind) was known before
    };
    using State = std::variant<Idle, Busy, Done, Stopped, Failed>;

    /// What was run, how, and which sizes were chosen for it.
    struct Origin {
        QString how; ///< "ONNX Runtime 1.21.0, 2 threads, optimised: all, AMD EPYC 9554"
        RunSettings settings;
        std::shared_ptr<const ir::Model> model;
        ir::FunctionId function;
        std::vector<std::string> given; ///< texts of bindings and inputs
        QString note;                   ///< sizes that nobody gave; "" if there are none
    };
    /// A result as it is shown; statistics of what has numbers, and the first elements as texts.
    struct Shown {
        QString name, type;
        std::optional<run::Statistics> statistics;
        QStringList first;
    };
    struct Outputs {
        QString backend; ///< "ONNX Runtime 1.21.0"
        double seconds;
        std::vector<Shown> all;
    };
    struct RunResult {
        Origin origin;
        Outputs outputs;
    };
    struct Profile {
        Origin origin;
        std::shared_ptr<const run::Timing> timing;
        std::shared_ptr<const run::SavedProfile> saved; ///< the same by itself
        std::string json;                               ///< as it is saved
        QStringList notes = {};                         ///< of one that was saved: what does not fit
    };

    explicit Running(Session &session);

    const RunChoices &choices() const { return m_choices; }
    /// The backend that the user has chosen stays if it can be used; else it is the first that can.
    void setChoices(RunChoices choices);
    const RunSettings &settings() const { return m_settings; }
    void setSettings(RunSettings settings);
    /// The chosen backend, or null.
    const run::Offer *offer() const;
    /// Why it cannot do this with the function that is shown; nothing: it may be tried.
    std::optional<std::string> obstacle(Kind kind) const;
    /// Why another one cannot run it.
    std::optional<std::string> obstacle(const run::Offer &offer) const;
    /// What is not here and would run the model that is shown, or time its nodes: sentences that say what to do.
    std::vector<std::string> missing() const;

    /// A tensor of a file in place of random numbers.
    struct InputFile {
        QString path;
        protocol::Tensor tensor;
    };
    const std::map<ir::ValueId, InputFile> &inputFiles() const { return m_inputFiles; }
    /// An input gets the elements and the sizes of a tensor in a file; where that does not do, the state tells why.
    void setInputFile(ir::ValueId input, const QString &path);
    void setRandom(ir::ValueId input);

    const State &state() const { return m_state; }
    bool isBusy() const { return std::holds_alternative<Busy>(m_state); }
    /// Null before there is one; both stay until there is another.
    const std::shared_ptr<const RunResult> &result() const { return m_result; }
    const std::shared_ptr<const Profile> &profile() const { return m_profile; }
    /// The times of the last profile if it is of the function and the sizes that are shown; else null.
    std::shared_ptr<const run::Timing> timing() const;

    void start(Kind kind);
    void stop();
    /// Forgets results, times and what they are compared with.
    void forget();

    // Files of profiles. What goes wrong is the state that follows, and all else is as before.

    /// Takes a saved profile of this model for the last one, and gives the inputs the sizes that it has.
    void open(const QString &path);
    /// There is a profile.
    void save(const QString &path);
    /// Compares the last profile, and those that follow, with what is the last one now; or with a saved one of the same
    /// model.
    void keepToCompare();
    void compareWith(const QString &path);
    void endComparison();
    /// Null while nothing is compared, or there is nothing yet to compare.
    const std::shared_ptr<const ProfileChange> &change() const { return m_change; }
    const std::optional<Baseline> &baseline() const { return m_baseline; }

signals:
    void choicesChanged(); ///< also the settings and the files of inputs
    void stateChanged();
    void resultChanged();
    void profileChanged();
    void comparisonChanged();

private:
    /// Times, with the sizes and the figures that they were taken with.
    struct Profiled {
        run::Timing timing;
        std::string json;
        run::SavedProfile saved;
    };
    using Product = std::variant<Outputs, Profiled>;
    struct Order;
    static Result<Product> carryOut(Order &order, const Task &task);
    static Result<Product> profiled(run::Timing timing, const Order &order, const analysis::Given &given,
                                    const Task &task);
    bool isHere(const run::Offer &offer) const;
    void chooseBackend();
    void dropObstacle();
    Order order(Kind kind) const;
    std::vector<std::string> givenTexts() const;
    void setState(State state);
    void tell(const QString &what, std::uint64_t done, std::uint64_t total);
    void take(Kind kind, const Origin &origin, const Result<Product> &product);
    void ended();
    void failUnless(const Result<void> &done, Kind kind = Kind::Profile);
    Result<void> takeInput(ir::ValueId input, const QString &path);
    /// As the file has it.
    ir::ValueRef inFile(ir::ValueId input) const;
    run::GivenTensors tensors() const;
    Result<void> reopen(const QString &path);
    Result<void> readBaseline(const QString &path);
    std::vector<std::string> openInputs(const run::SavedProfile &saved) const;
    void setProfile(Profile profile);
    void setBaseline(std::optional<Baseline> baseline);

    Session &m_session;
    RunChoices m_choices;
    RunSettings m_settings;
    std::string m_chosen; ///< backend, by the user; "": none yet
    State m_state = Idle{};
    std::map<ir::ValueId, InputFile> m_inputFiles;
    std::shared_ptr<const RunResult> m_result;
    std::shared_ptr<const Profile> m_profile;
    std::optional<Baseline> m_baseline;
    std::shared_ptr<const ProfileChange> m_change;
    LatestWork m_work; ///< last: it ends first
};

} // namespace cutaway::views
