// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/views/sample.h"
#include "views/session/running.h"

#include <chrono>
#include <thread>

namespace cutaway::views::sample {

/// The answers of a fake backend.
struct FakeAnswers {
    std::vector<protocol::Profile::NodeTime> nodes;
    std::optional<Error> failure;
    bool waits = false; ///< until it is stopped
    char first = 1;     ///< element of the output; the other one is 3
    /// The arguments of the last call.
    run::Inputs inputs;
    std::optional<std::filesystem::path> file;
};

class FakeBackend : public run::Backend {
public:
    explicit FakeBackend(FakeAnswers &answers) : m_answers(answers) { }

    Result<run::Outcome> run(const run::Subject &subject, const run::Inputs &inputs, const Task &task) override
    {
        if (const auto asked = ask(subject, inputs, task); !asked)
            return std::unexpected(asked.error());
        run::Outcome outcome{"Fake 1", 0.25, {}};
        outcome.outputs.push_back(
            {"out", protocol::Tensor{ir::DType::Int32, {2}, {m_answers.first, 0, 0, 0, 3, 0, 0, 0}}});
        outcome.outputs.push_back({"list", run::Opaque{"empty list"}});
        return outcome;
    }

    Result<protocol::Profile::Result> profile(const run::Subject &subject, const run::Inputs &inputs, double,
                                              const Task &task) override
    {
        if (const auto asked = ask(subject, inputs, task); !asked)
            return std::unexpected(asked.error());
        protocol::Profile::Result result;
        result.whole = {0.5, 0.4, 0.6, 10};
        result.instrumented = {0.55, 0.5, 0.6, 5};
        result.peakBytes = 1 << 20;
        result.nodes = m_answers.nodes;
        return result;
    }

private:
    Result<void> ask(const run::Subject &subject, const run::Inputs &inputs, const Task &task)
    {
        m_answers.inputs = inputs;
        m_answers.file = subject.file;
        task.report("counting", 1, 2);
        while (m_answers.waits && !task.stopRequested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (task.stopRequested())
            return cancelled();
        return m_answers.failure ? Result<void>(std::unexpected(*m_answers.failure)) : Result<void>();
    }

    FakeAnswers &m_answers;
};

/// A node that ran from `start` on, seconds.
inline protocol::Profile::NodeTime timed(const std::string &name, double start, double seconds)
{
    return {name, "Op", 0, "CPU", start, {seconds, seconds * 0.9, seconds * 1.1, 5}};
}

/// Lets the session be run by the answers, which outlive it.
inline void useFake(Session &session, FakeAnswers &answers)
{
    session.running().setup().setChoices(
        {{{"fake", "for tests", true, {}}, {"onnxruntime", "runs ONNX", true, {"onnx"}}},
         {"local", "cluster"},
         {},
         [&answers](const RunSettings &) -> Result<std::unique_ptr<run::Backend>> {
             return std::make_unique<FakeBackend>(answers);
         },
         [](const RunSettings &) -> Result<std::vector<protocol::Devices::Device>> {
             return std::vector<protocol::Devices::Device>{{"cpu", "Z80", 0}, {"cuda:0", "Abacus", 0}};
         }});
}

inline bool waitForRunning(const Session &session)
{
    return QTest::qWaitFor([&] { return !session.running().isBusy(); }, 10000) && waitForFigures(session);
}

/// Times the nodes of these names, each as many seconds after the one before.
inline bool profile(Session &session, FakeAnswers &answers)
{
    useFake(session, answers);
    session.running().start(Running::Kind::Profile);
    return waitForRunning(session) && session.running().profile();
}

} // namespace cutaway::views::sample
