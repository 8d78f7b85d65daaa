// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/bench_canvas.h"

#include "app/desktop/main_window.h"
#include "core/base/formatted.h"
#include "views/graph/canvas.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace cutaway::desktop {
namespace {

constexpr QSize benchSize{1280, 800};
constexpr int framesAtZoom = 60; ///< the number of frames that are measured at each zoom, while the picture is panned
constexpr int heartbeatMs = 2;   ///< the resolution in milliseconds with which pauses are measured
constexpr int panStep = 120;     ///< the angle of a wheel's notch, in eighths of a degree
constexpr double zooms[] = {1, 0.1, 0.01};

double percentile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    return values[std::size_t(std::ceil(share * double(values.size()))) - 1];
}

std::string percentilesText(const std::vector<double> &frames)
{
    return formatted(R"({{"p50": {:.2f}, "p95": {:.2f}}})", percentile(frames, 0.5), percentile(frames, 0.95));
}

/// Returns the peak of resident memory in MiB.
long peakMemory()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

/// Returns the seconds since the process began, to a hundredth.
double age()
{
    constexpr int beginning = 19; // the start time's index among the fields of /proc/self/stat after the name
    QFile file(QStringLiteral("/proc/self/stat"));
    const QByteArray line = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    const double began = line.mid(line.lastIndexOf(')') + 1).simplified().split(' ').value(beginning).toDouble()
        / double(sysconf(_SC_CLK_TCK));
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return double(now.tv_sec) + double(now.tv_nsec) / 1e9 - began;
}

std::size_t nodeCount(const ir::Graph &graph)
{
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i)
        count += graph.at(ir::NodeId{i}).removed ? 0 : 1;
    return count;
}

class CanvasBench : public QObject {
public:
    CanvasBench(MainWindow &window, QString model) : QObject(&window), m_window(window), m_model(std::move(model))
    {
        connect(&window, &MainWindow::opened, this, [this] { waitForPicture(); });
        connect(&window, &MainWindow::openingFailed, this, [](const QString &path, const Error &error) {
            std::fprintf(stderr, "cutaway: %s: %s\n", qPrintable(path), error.text().c_str());
            QApplication::exit(3);
        });
    }

    void start()
    {
        m_window.resize(benchSize);
        m_window.show();
        m_window.open(m_model);
    }

private:
    views::Session &session() const { return *m_window.session(); }

    bool isBusy() const
    {
        return session().drawing().isBusy() || session().analysing().isBusy() || !session().drawing().diagram();
    }

    /// Waits until the first picture is painted.
    void waitForPicture()
    {
        if (!session().drawing().diagram())
            return QTimer::singleShot(heartbeatMs, this, [this] { waitForPicture(); });
        const QList<views::Canvas *> all = m_window.findChildren<views::Canvas *>();
        m_canvas = *std::ranges::find_if(all, [](const views::Canvas *canvas) { return !canvas->isFollowing(); });
        m_canvas->repaint();
        m_firstPicture = age();
        waitForRest();
    }

    void waitForRest()
    {
        if (isBusy())
            return QTimer::singleShot(heartbeatMs, this, [this] { waitForRest(); });
        m_clock.start();
        m_beat.start();
        session().navigation().setDepth(std::numeric_limits<int>::max());
        waitForAllOpened();
    }

    /// Waits until all boxes are open, and measures the longest time in which the window answered nothing.
    void waitForAllOpened()
    {
        m_longestPause = std::max(m_longestPause, double(m_beat.nsecsElapsed()) / 1e6);
        m_beat.start();
        if (isBusy())
            return QTimer::singleShot(heartbeatMs, this, [this] { waitForAllOpened(); });
        m_canvas->repaint();
        m_longestPause = std::max(m_longestPause, double(m_beat.nsecsElapsed()) / 1e6);
        m_opened = double(m_clock.elapsed()) / 1000;
        run();
    }

    void run()
    {
        for (const double zoom : zooms) {
            m_frames.emplace_back();
            zoomTo(zoom);
            for (int i = 0; i < framesAtZoom; ++i)
                scroll({0, i < framesAtZoom / 2 ? -panStep : panStep}, Qt::NoModifier);
        }
        print();
        QApplication::exit(0);
    }

    /// Zooms in steps, as a wheel does.
    void zoomTo(double zoom)
    {
        constexpr int mostSteps = 60;
        constexpr double factor = 1.25; ///< the change of zoom by one notch of the wheel
        for (int i = 0; i < mostSteps; ++i) {
            const double steps = std::log(zoom / m_canvas->viewport().zoom) / std::log(factor);
            if (std::abs(steps) < 1e-3)
                return;
            scroll({0, int(std::lround(120 * std::clamp(steps, -1.0, 1.0)))}, Qt::ControlModifier);
        }
    }

    /// Sends a wheel event to the canvas and measures the time until it is painted.
    void scroll(QPoint angle, Qt::KeyboardModifiers modifiers)
    {
        const QPointF middle = QRectF(m_canvas->rect()).center();
        QWheelEvent wheel(middle, m_canvas->mapToGlobal(middle), {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        m_beat.start();
        QApplication::sendEvent(m_canvas, &wheel);
        m_canvas->repaint();
        m_frames.back().push_back(double(m_beat.nsecsElapsed()) / 1e6);
    }

    void print() const
    {
        std::vector<double> all;
        std::string at;
        for (std::size_t i = 0; i < m_frames.size(); ++i) {
            all.insert(all.end(), m_frames[i].begin(), m_frames[i].end());
            at += formatted(R"({}"{:g}": {})", i == 0 ? "" : ", ", zooms[i], percentilesText(m_frames[i]));
        }
        const layout::Diagram &diagram = *session().drawing().diagram();
        std::printf("%s\n",
                    formatted(R"({{"first_picture_s": {:.3f}, "open_all_s": {:.3f}, "longest_pause_ms": {:.1f}, )"
                              R"("frame_ms": {}, "frame_ms_at_zoom": {{{}}}, "nodes": {}, "boxes": {}, "rss_mb": {}}})",
                              m_firstPicture, m_opened, m_longestPause, percentilesText(all), at,
                              nodeCount(session().document().function().graph), diagram.boxes.size(), peakMemory())
                        .c_str());
    }

    MainWindow &m_window;
    QString m_model;
    views::Canvas *m_canvas = nullptr;
    QElapsedTimer m_clock, m_beat;
    double m_firstPicture = 0, m_opened = 0;   ///< seconds
    double m_longestPause = 0;                 ///< milliseconds
    std::vector<std::vector<double>> m_frames; ///< milliseconds, by zoom
};

} // namespace

void benchCanvas(MainWindow &window, const QString &model) { (new CanvasBench(window, model))->start(); }

} // namespace cutaway::desktop
