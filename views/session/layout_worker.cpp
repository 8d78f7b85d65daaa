// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/layout_worker.h"

#include "views/appearance/fonts.h"

namespace cutaway::views {

LayoutWorker::LayoutWorker(std::shared_ptr<const ir::Model> model, layout::Options options, QObject *parent)
    : QObject(parent),
      m_model(std::move(model)),
      m_options(options)
{
}

void LayoutWorker::request(Request request)
{
    if (m_running) {
        m_thread.request_stop();
        m_waiting = std::move(request);
    } else {
        start(std::move(request));
    }
}

void LayoutWorker::cancel()
{
    m_waiting.reset();
    m_thread.request_stop();
}

void LayoutWorker::start(Request request)
{
    m_running = true;
    emit busyChanged();
    m_thread = std::jthread([this, request = std::move(request)](std::stop_token stop) {
        layout::Expansion expansion = request.choose();
        auto diagram = layout::layOut(*m_model, request.function, expansion, diagramTextWidth, m_options, stop);
        std::optional<Done> result;
        if (diagram && !stop.stop_requested())
            result = Done{request.function, std::move(expansion),
                          std::make_shared<const layout::Diagram>(*std::move(diagram))};
        QMetaObject::invokeMethod(
            this, [this, result = std::move(result)]() mutable { finish(std::move(result)); }, Qt::QueuedConnection);
    });
}

void LayoutWorker::finish(std::optional<Done> result)
{
    m_running = false;
    // The stop may have come after the work was done: such a result is as old as a stopped one.
    if (result && !m_thread.get_stop_token().stop_requested())
        emit done(*result);
    if (m_waiting)
        start(*std::exchange(m_waiting, std::nullopt));
    else
        emit busyChanged();
}

} // namespace cutaway::views
