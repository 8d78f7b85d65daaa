// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the command line asks of a window that stays open.

#include "app/desktop/panes/panes.h"
#include "app/desktop/starting.h"
#include "tests/app/desktop/window_test.h"
#include "views/session/annotations/annotating.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/searching.h"
#include "views/session/stepping.h"

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
