// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Going through recorded steps in the window, without a display: stepping FILE [HOW-MANY]. Prints the milliseconds from
// a step's being asked for to its picture (median, longest) while the others are read and once all are, how long of it
// nothing else could happen in the window, and the memory of the process at its peak.
#include "views/session/stepping.h"
#include "core/sequence/history.h"
#include "views/session/drawing.h"
#include "views/session/session.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>
#include <vector>

namespace {

using namespace cutaway;

constexpr int mostMs = 10'000;

double milliseconds(const QElapsedTimer &since) { return static_cast<double>(since.nsecsElapsed()) / 1e6; }

void print(const char *what, std::vector<double> times)
{
    std::ranges::sort(times);
    if (!times.empty())
        std::printf("%-28s %8.1f ms, at most %8.1f ms\n", what, times[times.size() / 2], times.back());
}

/// Goes through the steps, and prints how long each takes.
void stepThrough(views::Session &session, const char *when, std::size_t wanted)
{
    views::Stepping &stepping = session.stepping();
    stepping.goTo(0);
    std::vector<double> shown, blocked;
    for (std::size_t at = 1; at <= std::min(wanted, stepping.total()); ++at) {
        QEventLoop loop;
        const auto drawn = QObject::connect(&session.drawing(), &views::Drawing::drawn, &loop, [&] {
            if (stepping.position() == at && !session.drawing().isBusy())
                loop.quit();
        });
        QElapsedTimer timer;
        timer.start();
        if (!stepping.next())
            break;
        blocked.push_back(milliseconds(timer));
        at = stepping.isAwaiting() ? at : stepping.position();
        QTimer::singleShot(mostMs, &loop, &QEventLoop::quit); // a step may show nothing else
        loop.exec();
        shown.push_back(milliseconds(timer));
        QObject::disconnect(drawn);
    }
    std::printf("%s, %zu steps\n", when, shown.size());
    print("  shown", shown);
    print("  the window waits", blocked);
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    if (argc < 2)
        return 2;
    const std::string file = argv[1];
    const std::size_t wanted = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
    QElapsedTimer timer;
    timer.start();
    const auto document = sequence::read(std::span(&file, 1));
    if (!document || document->sequences.empty()) {
        std::fprintf(stderr, "%s\n", document ? "no graphs" : document.error().text().c_str());
        return 3;
    }
    const auto history = sequence::startOfHistory(document->sequences.front());
    if (!history) {
        std::fprintf(stderr, "%s\n", history.error().text().c_str());
        return 3;
    }
    views::Session session(history->modelAfter(0));
    session.start();
    session.stepping().show(std::make_shared<const passes::History>(*history));
    QEventLoop loop;
    QObject::connect(&session.drawing(), &views::Drawing::drawn, &loop, &QEventLoop::quit);
    loop.exec();
    std::printf("the first graph is shown in %.0f ms\n", milliseconds(timer));
    stepThrough(session, "while they are read", wanted);
    QObject::connect(&session.stepping(), &views::Stepping::runningChanged, &loop, &QEventLoop::quit);
    while (session.stepping().isRunning())
        loop.exec();
    std::printf("all are read in %.0f ms\n", milliseconds(timer));
    stepThrough(session, "when all are read", wanted);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("the process %.0f MiB\n", static_cast<double>(usage.ru_maxrss) / 1024);
}
