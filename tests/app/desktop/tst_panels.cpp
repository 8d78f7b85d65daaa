// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The panels around the graph, the shortcuts of all menus, and the window of the manual.

#include "app/desktop/manual.h"
#include "tests/app/desktop/window_test.h"
#include "views/session/document.h"
#include "views/session/navigation.h"

#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QTextBrowser>

using namespace cutaway;
using namespace cutaway::desktop;

class TestPanels : public WindowTest {
    Q_OBJECT

private slots:
    void init() { makeFiles(); }

    void everyActionIsInAMenuAndShortcutsAreUnique()
    {
        const MainWindow window(settings());
        QSet<QString> shortcuts;
        for (const QMenu *menu : window.menuBar()->findChildren<QMenu *>())
            for (const QAction *action : menu->actions())
                if (const QString keys = action->shortcut().toString(); !keys.isEmpty()) {
                    QVERIFY2(!shortcuts.contains(keys), qPrintable(keys));
                    shortcuts.insert(keys);
                }
        for (const char *wanted : {"Ctrl+O", "Ctrl+F", "Ctrl+K", "F"})
            QVERIFY2(shortcuts.contains(wanted), wanted);
    }

    void sidesAreFoldedAndComeBackAsTheyWere()
    {
        MainWindow window(settings());
        window.resize(1280, 800);
        window.show();
        openDrawn(window, m_a);
        QVERIFY(window.showDock("passes"));
        const int before = window.pages().current()->width();
        action(window, "Toggle left panel")->trigger();
        action(window, "Toggle right panel")->trigger();
        QTRY_VERIFY(window.pages().current()->width() > before + 400);
        QVERIFY(!dock(window, "passes")->isVisible() && !dock(window, "summary")->isVisible());
        action(window, "Toggle left panel")->trigger();
        QTRY_VERIFY(!dock(window, "passes")->visibleRegion().isEmpty());
        QVERIFY(dock(window, "modules")->visibleRegion().isEmpty()); // behind it
    }

    void theModelIsInFrontUntilSomethingIsSelected()
    {
        MainWindow window(settings());
        window.resize(1280, 800);
        window.show();
        openDrawn(window, m_a);
        QTRY_VERIFY(!dock(window, "summary")->visibleRegion().isEmpty());
        const ir::NodeId first = window.session()->document().function().graph.at(ir::Graph::body).nodes.front();
        window.session()->navigation().select(first);
        QTRY_VERIFY(!dock(window, "inspector")->visibleRegion().isEmpty());
        openDrawn(window, m_b);
        QTRY_VERIFY(!dock(window, "summary")->visibleRegion().isEmpty());
    }

    void theManualOpensAtThePageOfTheView()
    {
        MainWindow window(settings());
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openDrawn(window, m_a);
        QVERIFY(window.showDock("find"));
        action(window, "Manual")->trigger();
        const auto *manual = window.findChild<Manual *>();
        QVERIFY(manual && manual->isVisible());
        const auto *page = manual->findChild<QTextBrowser *>();
        QVERIFY2(page->toPlainText().startsWith("Asking for nodes"), qPrintable(page->toPlainText().left(80)));
        action(window, "What is new")->trigger();
        QVERIFY(page->toPlainText().startsWith("What is new"));
        action(window, "Keyboard shortcuts")->trigger();
        QVERIFY(page->toPlainText().contains("Go to panel: Find") && page->toPlainText().contains("Ctrl+F"));
    }
};

QTEST_MAIN(TestPanels)
#include "tst_panels.moc"
