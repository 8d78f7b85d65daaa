// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Options of the command line for a window that stays open.

#include "app/desktop/panes/panes.h"
#include "app/desktop/starting.h"
#include "core/layout/outline.h"
#include "tests/app/desktop/window_test.h"
#include "tests/core/sequence/small_log.h"
#include "views/compilations/side_by_side.h"
#include "views/session/annotations/annotating.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/searching.h"
#include "views/session/stepping.h"

#include <QLabel>
#include <QTemporaryFile>
#include <unistd.h>

using namespace cutaway;
using namespace cutaway::desktop;

class TestStarting : public WindowTest {
    Q_OBJECT

private slots:
    void init() { makeFiles(); }

    void doesWhatIsAskedFor()
    {
        MainWindow window(settings());
        window.show();
        QCOMPARE(ended(window,
                       {.model = m_a,
                        .colouring = views::Measure::Bytes,
                        .passes = "dead-code,constant-folding",
                        .step = 1,
                        .openDepth = 9,
                        .select = "logits",
                        .find = "op:Conv",
                        .beside = m_b}),
                 0);
        const views::Session &session = *window.pages().panes().fronts().front()->session();
        QVERIFY(session.analysing().colouring() == views::Colouring(views::Measure::Bytes));
        QCOMPARE(session.stepping().position(), 1);
        QVERIFY(!session.drawing().expansion().open.empty());
        QVERIFY(session.navigation().selection() != views::Selection());
        QVERIFY(!session.searching().hits().empty());
        QCOMPARE(window.pages().panes().fronts().size(), 2);
        QVERIFY(!settings()->contains("colouring")); // it is for this start
    }

    void opensNodeDataAndColoursByAColumn()
    {
        MainWindow window(settings());
        window.show();
        const QString table = write("times.csv", "node,ms,stage\n/stem/conv/Conv,2,a\n");
        QCOMPARE(ended(window, {.model = m_a, .colouring = views::ByColumn{"stage"}, .data = table}), 0);
        views::Session &session = *window.session();
        QVERIFY(session.analysing().colouring() == views::Colouring(views::ByColumn{"stage"}));
        QVERIFY(action(window, "stage")->isChecked());
        action(window, "ms")->trigger();
        QVERIFY(session.analysing().colouring() == views::Colouring(views::ByColumn{"ms"}));
        QVERIFY(!settings()->contains("colouring")); // other models have no such column
        action(window, "Close node data")->trigger();
        QVERIFY(!session.annotating().data());
        QVERIFY(action(window, "Category")->isChecked());
    }

    void opensATraceAndColoursByItsTimes()
    {
        MainWindow window(settings());
        window.show();
        QCOMPARE(ended(window, {.model = m_a, .trace = writeTrace()}), 0);
        QVERIFY(window.session()->running().trace());
        QVERIFY(window.session()->analysing().colouring() == views::Colouring(views::Measure::Measured));
        QVERIFY(dock(window, "timeline")->isVisible());
        action(window, "Calls")->trigger();
        QVERIFY(window.session()->analysing().colouring() == views::Colouring(views::ByColumn{"trace.calls"}));
    }

    void opensATraceAlone_data()
    {
        QTest::addColumn<bool>("isNamedAsTheModel");
        QTest::newRow("as what to open") << true;
        QTest::newRow("as the trace of no model") << false;
    }
    void opensATraceAlone()
    {
        QFETCH(const bool, isNamedAsTheModel);
        MainWindow window(settings());
        window.show();
        const QString trace = writeTrace();
        QCOMPARE(ended(window,
                       {.model = isNamedAsTheModel ? trace : QString(),
                        .trace = isNamedAsTheModel ? QString() : trace,
                        .against = trace}),
                 0);
        QVERIFY(window.session()->running().trace());
        QVERIFY(window.session()->running().traceChange());
    }

    void saysThatThereIsNoTraceToCompareWith()
    {
        MainWindow window(settings());
        window.show();
        const QString complaint = standardError([&] { ended(window, {.model = m_a, .against = writeTrace()}); });
        QVERIFY2(complaint.contains("no trace is open"), qPrintable(complaint));
    }

    void comparesTwoTracesAndWritesHowTheyDiffer()
    {
        MainWindow window(settings());
        window.show();
        const QString trace = writeTrace();
        QCOMPARE(ended(window, {.model = m_a, .trace = trace, .against = trace}), 0);
        QVERIFY(window.session()->running().traceChange());
        QVERIFY(window.session()->analysing().colouring() == views::Colouring(views::ByColumn{"trace.change"}));
        QVERIFY(action(window, "Change")->isChecked());
        for (const auto &[name, content] :
             {std::pair("changes.html", "<html"), std::pair("changes.md", "Two measured runs"),
              std::pair("changes.csv", "name,op,scope,a_us,b_us"),
              std::pair("changes.json", "cutaway.trace-comparison/1")}) {
            const QString path = write(name, {});
            window.exports().writeTraceComparison(path);
            QTRY_VERIFY2(read(path).contains(content), name);
            QTRY_VERIFY(!window.exports().isBusy());
        }
        action(window, "End trace comparison")->trigger();
        QVERIFY(!window.session()->running().traceChange());
    }

    void saysWhyASecondTraceCannotBeRead()
    {
        MainWindow window(settings());
        window.show();
        const QString second = write("no.json", "{}");
        const QString complaint =
            standardError([&] { ended(window, {.model = m_a, .trace = writeTrace(), .against = second}); });
        QVERIFY2(complaint.startsWith("cutaway: " + second), qPrintable(complaint));
        QVERIFY(window.session()->running().trace());
    }

    void saysWhyATraceCannotBeRead()
    {
        MainWindow window(settings());
        window.show();
        const QString trace = write("no.json", "{}");
        const QString complaint = standardError([&] { ended(window, {.model = m_a, .trace = trace}); });
        QVERIFY2(complaint.startsWith("cutaway: " + trace), qPrintable(complaint));
        QVERIFY(!window.session()->running().profile());
    }

    void saysOnceWhatFailsAndOfWhichFile()
    {
        MainWindow window(settings());
        window.show();
        const QString trace = write("no.json", "{}");
        const QString complaint =
            standardError([&] { ended(window, {.model = m_a, .trace = trace, .statistics = "nothing such"}); });
        QCOMPARE(complaint.count("cutaway: "), 2);
        QVERIFY2(complaint.contains("cutaway: " + m_a), qPrintable(complaint));
    }

    void looksAtAllValuesAndColoursByThem()
    {
        MainWindow window(settings());
        window.show();
        QCOMPARE(ended(window, {.model = m_a, .bindings = {"batch=1"}, .statistics = "evaluator"}), 0);
        QVERIFY(window.session()->annotating().activations());
        QVERIFY(window.session()->analysing().colouring() == views::Colouring(views::ByColumn{"run.magnitude"}));
        QVERIFY(action(window, "Largest magnitude")->isChecked());
        window.open(m_b);
        QTRY_VERIFY(window.session() && window.session()->document().file().path == m_b.toStdString());
        QVERIFY(window.session()->analysing().colouring() == views::Colouring(views::ByCategory{}));
        QVERIFY(action(window, "Category")->isChecked());
    }

    void opensTheOtherFileWhereTheFirstCannotBeRead()
    {
        MainWindow window(settings());
        window.show();
        QCOMPARE(ended(window, {.model = write("broken.onnx", "no model"), .beside = m_b}), 3);
        QTRY_VERIFY(window.session());
    }

    void saysWhichOptionsAListOfCompilationsIgnores()
    {
        MainWindow window(settings());
        window.show();
        const QString log = write("run.log", QByteArray::fromStdString(test::smallLog()));
        const QString said =
            standardError([&] { ended(window, {.model = log, .step = 2, .show = "memory", .find = "forward"}); });
        QCOMPARE(said.trimmed(),
                 QStringLiteral("cutaway: %1: it holds several graphs, and --step, --show are of one: open one by its "
                                "address, such as '%1#0/0_1'")
                     .arg(log));
    }

    void comparesAListOfCompilationsWithAnotherLog()
    {
        MainWindow window(settings());
        window.show();
        const QString log = write("run.log", QByteArray::fromStdString(test::smallLog()));
        const QString other = write("other.log", QByteArray::fromStdString(test::smallLog()));
        QCOMPARE(ended(window, {.model = log, .compareWith = other}), 0);
        const auto *sides = window.findChild<views::SideBySideWindow *>();
        QVERIFY(sides && sides->isVisible() && !sides->isBusy());
        QVERIFY(sides->findChild<QLabel *>("verdict")->text().startsWith("A: run.log. B: other.log."));
    }

    void selectFindsThePartsOfAnUndividedPicture()
    {
        QByteArray graph = "class GraphModule(torch.nn.Module):\n"
                           "    def forward(self, x0: \"f32[4, 4]\", w: \"f32[4, 4]\"):\n";
        constexpr int count = 15;
        for (int i = 0; i < count; ++i)
            graph += QStringLiteral("        c%1: \"f32[4, 4]\" = torch.ops.aten.mm.default(x%1, w)\n"
                                    "        x%2: \"f32[4, 4]\" = torch.ops.aten.relu.default(c%1)\n")
                         .arg(i)
                         .arg(i + 1)
                         .toUtf8();
        const QString model = write("flat.py", graph + QStringLiteral("        return (x%1,)\n").arg(count).toUtf8());
        MainWindow window(settings());
        window.show();
        QCOMPARE(ended(window, {.model = model}), 0);
        const auto &drawing = window.session()->drawing();
        QVERIFY(drawing.drawnOutline()->found.empty());
        QVERIFY(!drawing.namedOutline()->found.empty());
        const QString name = QString::fromStdString(drawing.namedOutline()->found.back().name);
        MainWindow other(settings());
        other.show();
        QCOMPARE(standardError([&] { ended(other, {.model = model, .select = name}); }), QString());
        QTRY_VERIFY(!other.session()->searching().hits().empty());
        const auto unknown = [&] { ended(other, {.model = m_a, .select = "nowhere"}); };
        QVERIFY(standardError(unknown).contains("nothing is named nowhere"));
    }

    void leavesTheUserAloneOnceTheModelIsClosed()
    {
        MainWindow window(settings());
        window.show();
        auto *starting = new Starting(window, {.model = m_a, .openDepth = 9, .find = "op:Conv"});
        QSignalSpy ends(starting, &Starting::ended);
        connect(&window, &MainWindow::opened, this, [&window] { window.pages().close(*window.pages().current()); });
        starting->start();
        QVERIFY(ends.wait());
        QCOMPARE(ends.front().front().toInt(), 0);
        QCOMPARE(window.session(), nullptr);
    }

private:
    /// Collects the text written to the standard error stream during its lifetime.
    static QString standardError(const std::function<void()> &act)
    {
        QTemporaryFile file;
        if (!file.open())
            qFatal("there is no temporary file");
        std::fflush(stderr);
        const int before = dup(STDERR_FILENO);
        dup2(file.handle(), STDERR_FILENO);
        act();
        std::fflush(stderr);
        dup2(before, STDERR_FILENO);
        close(before);
        file.seek(0);
        return QString::fromUtf8(file.readAll());
    }

    static int ended(MainWindow &window, const StartRequest &request)
    {
        auto *starting = new Starting(window, request);
        QSignalSpy ends(starting, &Starting::ended);
        starting->start();
        return ends.isEmpty() && !ends.wait() ? -1 : ends.front().front().toInt();
    }
};

QTEST_MAIN(TestStarting)
#include "tst_starting.moc"
