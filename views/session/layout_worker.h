// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/layout.h"

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

namespace cutaway::views {

/// Lays out diagrams one at a time on a thread of its own. A newer request replaces a waiting one and stops the one
/// that runs; its result is dropped. Destroying it stops the work and waits for the thread.
class LayoutWorker : public QObject {
    Q_OBJECT

public:
    struct Request {
        ir::FunctionId function;
        std::function<layout::Expansion()> choose; ///< called on the worker's thread
    };
    struct Done {
        ir::FunctionId function;
        layout::Expansion expansion;
        std::shared_ptr<const layout::Diagram> diagram;
    };

    LayoutWorker(std::shared_ptr<const ir::Model> model, layout::Options options, QObject *parent);

    void request(Request request);
    void cancel();
    bool isBusy() const { return m_running; }

signals:
    void busyChanged();
    void done(const cutaway::views::LayoutWorker::Done &result);

private:
    void start(Request request);
    void finish(std::optional<Done> result);

    std::shared_ptr<const ir::Model> m_model;
    layout::Options m_options;
    std::optional<Request> m_waiting;
    bool m_running = false;
    std::jthread m_thread; ///< last, so that it ends before what it uses
};

} // namespace cutaway::views
