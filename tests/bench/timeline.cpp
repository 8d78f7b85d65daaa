// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of the timeline of a trace, without a display: timeline MODEL TRACE [TEXT]. Prints the milliseconds of a frame
// (median, longest) in a window of 1900 × 1000 pixels: from the whole trace down to single events and back, and moved
// along at five zooms, with events that have the text in their name found, if there is one.
#include "core/trace/recorded_model.h"
#include "views/session/analysing.h"
#include "views/session/running.h"
#include "views/session/running/opened_trace.h"
#include "views/session/session.h"
#include "views/timeline/trace_lanes.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

using namespace cutaway;

constexpr QSize window{1900, 1000};
constexpr int notch = 120; ///< a notch of the wheel

class Frames {
public:
    explicit Frames(views::TraceLanes &lanes) : m_lanes(lanes), m_image(window, QImage::Format_RGB32) { }

    /// Turns the wheel and draws.
    void turn(QPoint by)
    {
        QElapsedTimer timer;
        timer.start();
        const QPointF at = QRectF(m_lanes.rect()).center();
        QWheelEvent event(at, at, {}, by, Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&m_lanes, &event);
        m_lanes.render(&m_image);
        m_times.push_back(double(timer.nsecsElapsed()) / 1e6);
    }

    void print(const char *what)
    {
        std::ranges::sort(m_times);
        std::printf("%-28s %6.1f ms, 95 %% within %6.1f ms, at most %6.1f ms\n", what, m_times[m_times.size() / 2],
                    m_times[m_times.size() * 95 / 100], m_times.back());
        m_times.clear();
    }

private:
    views::TraceLanes &m_lanes;
    QImage m_image;
    std::vector<double> m_times;
};

void draw(Frames &frames)
{
    constexpr int zoomed = 60, moved = 60, zooms = 5;
    for (const int direction : {1, -1})
        for (int i = 0; i < zoomed; ++i)
            frames.turn({0, direction * notch});
    frames.print("zoomed");
    for (int zoom = 0; zoom < zooms; ++zoom) {
        for (int i = 0; i < moved; ++i)
            frames.turn({notch, 0});
        frames.print("moved");
        for (int i = 0; i < zoomed / zooms; ++i)
            frames.turn({0, notch});
        frames.print("zoomed further");
    }
}

template <class Sender, class Signal, class IsDone>
void wait(Sender &sender, Signal signal, IsDone isDone)
{
    QEventLoop loop;
    const auto look = [&] {
        if (isDone())
            loop.quit();
    };
    QObject::connect(&sender, signal, &loop, look, Qt::QueuedConnection);
    if (!isDone())
        loop.exec();
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    if (argc < 3)
        return 2;
    auto model = trace::open(argv[1]);
    if (!model) {
        std::fprintf(stderr, "%s\n", model.error().text().c_str());
        return 3;
    }
    views::Session session(std::make_shared<const ir::Model>(*std::move(model)));
    session.start();
    QElapsedTimer timer;
    timer.start();
    session.running().openTrace(argv[2]);
    wait(session.running(), &views::Running::stateChanged, [&] { return !session.running().isBusy(); });
    wait(session.analysing(), &views::Analysing::figuresChanged,
         [&] { return session.analysing().figures() != nullptr; });
    views::TraceLanes lanes(session);
    lanes.resize(window);
    lanes.fill();
    if (!lanes.trace())
        return 3;
    std::printf("%zu events, shown in %.1f s\n", lanes.trace()->trace.events.size(), double(timer.elapsed()) / 1000);
    Frames frames(lanes);
    draw(frames);
    if (argc < 4)
        return 0;
    timer.start();
    lanes.search(argv[3]);
    wait(lanes, &views::TraceLanes::hitsChanged, [&] { return lanes.hits().has_value(); });
    std::printf("%zu events found in %.0f ms\n", lanes.hits()->all.size(), double(timer.nsecsElapsed()) / 1e6);
    draw(frames);
    return 0;
}
