// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// soak FOLDER [COUNT]: opens models of a folder one after another in one window, opens their modules, exports the
// picture and the report, compares each with the one before, opens that and itself beside it, in step, undoes what it
// has opened, and closes all in changing order. What cannot be read has to be told as such. Memory has to be as much
// after COUNT models (300, or CUTAWAY_SOAK_COUNT) as after a third of them.

#include "app/desktop/main_window.h"
#include "app/desktop/panes/panes.h"
#include "views/graph/canvas.h"
#include "views/session/analysing.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <QApplication>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QMessageBox>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdio>
#include <malloc.h>
#include <unistd.h>

using namespace cutaway;
using namespace cutaway::desktop;

namespace {

constexpr int longestWaitMs = 120'000;
constexpr int shownDepth = 3;
constexpr double mostGrowth = 1.1; ///< the largest ratio of the memory at the end to that after a third
constexpr double mostGrowthMib = 24;

double residentMib()
{
    malloc_trim(0); // freed memory is no leak
    QFile file("/proc/self/statm");
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').at(1).toDouble() * double(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

QStringList modelsIn(const QString &folder)
{
    QStringList files;
    QDirIterator all(folder, {"*.onnx", "*.pt", "*.pt2", "*.pth", "*.safetensors"}, QDir::Files,
                     QDirIterator::Subdirectories);
    while (all.hasNext())
        files << all.next();
    files.sort();
    return files;
}

class Soak {
public:
    explicit Soak(const QStringList &files)
        : m_files(files),
          m_window(std::make_unique<QSettings>(m_folder.filePath("settings.ini"), QSettings::IniFormat))
    {
        m_window.resize(1280, 800);
        m_window.pages().lockstep().setOn(true);
        m_window.show();
    }

    /// Whether all that was begun came to an end.
    bool use(int i)
    {
        const QString path = m_files[i % m_files.size()];
        QSignalSpy opened(&m_window, &MainWindow::opened), failed(&m_window, &MainWindow::openingFailed);
        m_window.open(path);
        if (!waitFor([&] { return opened.count() + failed.count() > 0; }))
            return complain(path, "it was not opened in time");
        if (opened.count() == 0) {
            ++m_refused;
            close();
            return true;
        }
        const bool ok = look(path) && exportAll(path) && compare(path, i) && openBeside(path, i);
        close();
        return ok;
    }

    int refused() const { return m_refused; }

private:
    template <class Condition>
    static bool waitFor(Condition condition)
    {
        return QTest::qWaitFor(condition, longestWaitMs);
    }

    static bool complain(const QString &path, const char *what)
    {
        std::fprintf(stderr, "soak: %s: %s\n", qPrintable(path), what);
        return false;
    }

    static bool isQuiet(const views::Session &session)
    {
        return session.drawing().diagram() && !session.drawing().isBusy() && !session.analysing().isBusy();
    }

    bool look(const QString &path)
    {
        const views::Session &session = *m_window.session();
        if (!waitFor([&] { return isQuiet(session); }))
            return complain(path, "it was not drawn in time");
        m_window.session()->navigation().setDepth(shownDepth);
        m_window.showDock("source");
        m_window.showDock("nodes");
        return waitFor([&] { return isQuiet(session); }) || complain(path, "its modules were not opened in time");
    }

    /// A file is there when it is complete; else the window has told why.
    bool exportAll(const QString &path)
    {
        const QString picture = m_folder.filePath("picture.svg"), report = m_folder.filePath("report.html");
        const auto isTold = [this] { return m_window.findChild<QMessageBox *>("problem") != nullptr; };
        PictureChoice choice;
        choice.suffix = "svg";
        m_window.exports().writePicture(picture, choice);
        if (!waitFor([&] { return QFile::exists(picture) || isTold(); }))
            return complain(path, "its picture was not written in time");
        m_window.exports().writeReport(report);
        if (!waitFor([&] { return QFile::exists(report) || isTold(); }))
            return complain(path, "its report was not written in time");
        closeBoxes();
        return QFile::remove(picture) && QFile::remove(report)
            ? true
            : complain(path, "its picture or report could not be written");
    }

    /// With the one before in the list; of one that cannot be read the page tells so.
    bool compare(const QString &path, int i)
    {
        const QString other = m_files[(i + m_files.size() - 1) % m_files.size()];
        views::Comparing &comparing = m_window.session()->comparing();
        m_window.compareWith(other);
        const bool ended = waitFor([&] {
            return !m_window.isOpening() && (!comparing.other() || (comparing.difference() && !comparing.isBusy()));
        });
        return ended || complain(path, "it was not compared in time");
    }

    /// The one before, and the model itself a second time; each moves the others. Every other time the first pane goes
    /// while there is work.
    bool openBeside(const QString &path, int i)
    {
        Pages &pages = m_window.pages();
        for (const QString &each : {m_files[(i + m_files.size() - 1) % m_files.size()], path})
            pages.openBeside(each);
        if (i % 2 == 1)
            pages.close(*pages.panes().pages().front());
        const auto isOpened = [&] {
            return !m_window.isOpening() && std::ranges::all_of(pages.panes().fronts(), [](const ModelPage *page) {
                return !page->session() || isQuiet(*page->session());
            });
        };
        if (!waitFor(isOpened))
            return complain(path, "it was not drawn beside in time");
        for (const ModelPage *page : pages.panes().fronts()) {
            if (!page->session())
                continue;
            page->canvas()->setFocus();
            page->canvas()->lookAt({i * 7.0, 40}, 0.8);
            page->session()->navigation().setDepth(1);
            page->session()->navigation().select(ir::NodeId{0});
        }
        if (!waitFor(isOpened))
            return complain(path, "its modules were not opened beside in time");
        for (const ModelPage *page : pages.panes().fronts())
            if (page->session())
                page->session()->document().edits().undo();
        return waitFor(isOpened) || complain(path, "it was not undone in time");
    }

    static void closeBoxes()
    {
        for (QWidget *each : QApplication::topLevelWidgets())
            if (auto *box = qobject_cast<QMessageBox *>(each))
                box->close();
    }

    void close()
    {
        while (ModelPage *page = m_window.pages().current()) {
            m_window.pages().close(*page);
            m_window.pages().panes().step(1);
        }
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents();
    }

    QTemporaryDir m_folder;
    QStringList m_files;
    MainWindow m_window;
    int m_refused = 0;
};

#if __has_feature(address_sanitizer)
constexpr bool isMemoryKept = true; ///< freed memory stays for a while, to find its uses
#else
constexpr bool isMemoryKept = false;
#endif

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    const QString folder = arguments.value(1, qEnvironmentVariable("CUTAWAY_SOAK_FOLDER"));
    const QStringList files = modelsIn(folder);
    if (files.isEmpty()) {
        std::fprintf(stderr, "usage: soak FOLDER [COUNT]; there is no model in '%s'\n", qPrintable(folder));
        return 2;
    }
    const int count = arguments.value(2, qEnvironmentVariable("CUTAWAY_SOAK_COUNT", "300")).toInt();
    Soak soak(files);
    double third = 0;
    int faults = 0;
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; i < count; ++i) {
        faults += soak.use(i) ? 0 : 1;
        if (i + 1 == (count + 2) / 3)
            third = residentMib();
        if ((i + 1) % 25 == 0 || i + 1 == count)
            std::printf("%d models, %d refused, %.0f MiB, %lld s\n", i + 1, soak.refused(), residentMib(),
                        static_cast<long long>(clock.elapsed() / 1000));
        std::fflush(stdout);
    }
    const double end = residentMib();
    std::printf("%.0f MiB after a third, %.0f MiB at the end\n", third, end);
    if (!isMemoryKept && end > third * mostGrowth + mostGrowthMib) {
        std::fputs("soak: memory grows\n", stderr);
        return 1;
    }
    return faults == 0 ? 0 : 1;
}
