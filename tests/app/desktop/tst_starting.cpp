// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the command line asks of a window that stays open.

#include "app/desktop/panes/panes.h"
#include "app/desktop/starting.h"
#include "tests/app/desktop/window_test.h"
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
