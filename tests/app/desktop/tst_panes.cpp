// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Files beside each other in one window: opened, moved, kept in step, closed, and brought back.

#include "app/desktop/banner.h"
#include "app/desktop/docks/docks.h"
#include "app/desktop/panes/pane.h"
#include "app/desktop/panes/panes.h"
#include "tests/app/desktop/window_test.h"
#include "views/appearance/theme.h"
#include "views/session/bookmarks.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/stepping.h"

#include <QApplication>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>

using namespace cutaway;
using namespace cutaway::desktop;

class TestPanes : public WindowTest {
    Q_OBJECT

private slots:
    void init() { makeFiles(); }

    void anotherModelOpensBeside()
    {
        MainWindow window(settings());
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openDrawn(window, m_a);
        const views::Session *first = window.session();
        QVERIFY(!action(window, "Next pane")->isEnabled());
        openBeside(window, m_b);
        QCOMPARE(arrangement(window), "a.onnx | b.onnx");
        QCOMPARE(window.windowTitle(), "b.onnx — Cutaway");
        QVERIFY(at(window, 0)->isVisible() && at(window, 1)->isVisible());
        QTest::keyClick(&window, Qt::Key_F6, Qt::ControlModifier);
        QCOMPARE(window.session(), first);
        QTest::keyClick(&window, Qt::Key_F6, Qt::ControlModifier);
        QVERIFY(window.session() != first);
        openBeside(window, m_a); // to the right of that
        QCOMPARE(arrangement(window), "a.onnx | b.onnx | a.onnx");
    }

    void theSameModelOpensASecondTimeAsItIs()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        views::Session &first = *window.session();
        first.navigation().setDepth(0);
        QTRY_VERIFY(!first.drawing().isBusy());
        first.navigation().select(ir::NodeId{5});
        first.bookmarks().toggle(layout::Subject(ir::NodeId{7}));
        QVERIFY(first.document().give({{"batch=4"}, {}}));
        action(window, "Duplicate view")->trigger();
        QTRY_VERIFY(isDrawn(window));
        views::Session &second = *window.session();
        QVERIFY(&second != &first);
        QCOMPARE(arrangement(window), "a.onnx | a.onnx");
        QVERIFY(second.document().models().file == first.document().models().file); // was not read again
        QVERIFY(second.navigation().selection() == views::Selection(ir::NodeId{5}));
        QVERIFY(second.navigation().expansion().open == first.navigation().expansion().open);
        QCOMPARE(second.document().given().bindings, std::vector<std::string>{"batch=4"});
        QCOMPARE(second.bookmarks().all().size(), 1u);
        QVERIFY(!undo(window)->isEnabled());
        second.navigation().setDepth(9);
        QTRY_VERIFY(isDrawn(window));
        QVERIFY(second.navigation().expansion().open != first.navigation().expansion().open);
    }

    void bothAreShownThoughTheFirstIsStillRead()
    {
        MainWindow window(settings());
        window.show();
        QSignalSpy opened(&window, &MainWindow::opened);
        window.open(m_a);
        window.pages().openBeside(m_a);
        QTRY_COMPARE(opened.count(), 2);
        QCOMPARE(arrangement(window), "a.onnx | a.onnx");
        QVERIFY(at(window, 0)->session() && at(window, 1)->session());
    }

    void whatReadsMayCloseBeforeTheOther()
    {
        MainWindow window(settings());
        window.show();
        QSignalSpy opened(&window, &MainWindow::opened);
        window.open(m_a);
        window.pages().openBeside(m_a);
        window.pages().close(*at(window, 0));
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(arrangement(window), "a.onnx");
        QVERIFY(window.session());
    }

    void aBadFileBesideLeavesTheRestAlone()
    {
        MainWindow window(settings());
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openDrawn(window, m_a);
        views::Session *first = window.session();
        first->navigation().select(ir::NodeId{5});
        QSignalSpy failed(&window, &MainWindow::openingFailed);
        window.pages().openBeside(write("bad.onnx", "no model"));
        QVERIFY(failed.wait());
        QCOMPARE(failed.count(), 1);
        QCOMPARE(arrangement(window), "a.onnx | bad.onnx");
        QVERIFY(!window.session());
        QVERIFY(!dock(window, "modules")->isVisible());
        QVERIFY(!at(window, 1)->findChildren<QPushButton *>().isEmpty());
        at(window, 0)->canvas()->setFocus();
        QCOMPARE(window.session(), first);
        QVERIFY(dock(window, "modules")->isVisible());
        QVERIFY(first->navigation().selection() == views::Selection(ir::NodeId{5}));
        window.pages().close(*at(window, 1));
        QCOMPARE(arrangement(window), "a.onnx");
        QCOMPARE(window.session(), first);
    }

    void docksShowThePaneThatIsUsed()
    {
        MainWindow window(settings());
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openDrawn(window, m_a);
        openBeside(window, m_b);
        QVERIFY(window.showDock("nodes"));
        for (const int place : {0, 1, 0}) {
            QTest::mouseClick(at(window, place)->canvas(), Qt::LeftButton, {}, QPoint(3, 3));
            QCOMPARE(window.pages().current(), at(window, place));
            for (std::size_t i = 0; i < docks().size(); ++i)
                QCOMPARE(dock(window, docks()[i].name)->widget(), at(window, place)->dockViews()[i]);
        }
        dock(window, "nodes")->widget()->setFocus();
        QCOMPARE(window.pages().current(), at(window, 0)); // a dock belongs to the pane
        window.pages().close(*at(window, 0));
        QCOMPARE(arrangement(window), "b.onnx");
        QCOMPARE(window.windowTitle(), "b.onnx — Cutaway");
    }

    void eachPaneHasItsEdits()
    {
        MainWindow window(settings());
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openDrawn(window, m_a);
        window.session()->navigation().setDepth(0);
        QCOMPARE(undo(window)->text(), "Undo choice of expanded levels");
        openBeside(window, m_b);
        QVERIFY(!undo(window)->isEnabled());
        at(window, 0)->canvas()->setFocus();
        QVERIFY(undo(window)->isEnabled());
    }

    void tabsMoveToTheSideAndBack()
    {
        MainWindow window(settings());
        window.show();
        QAction *right = action(window, "Move tab right"), *left = action(window, "Move tab left");
        QVERIFY(!right->isEnabled());
        openDrawn(window, m_a);
        QVERIFY(!right->isEnabled() && !left->isEnabled()); // it is alone
        open(window, m_b);
        const views::Session *second = window.session();
        QVERIFY(right->isEnabled() && left->isEnabled());
        right->trigger();
        QCOMPARE(arrangement(window), "a.onnx | b.onnx");
        QCOMPARE(window.session(), second);
        QVERIFY(!right->isEnabled());
        left->trigger();
        QCOMPARE(arrangement(window), "a.onnx, b.onnx");
        left->trigger();
        QCOMPARE(arrangement(window), "b.onnx | a.onnx");
        QCOMPARE(window.session(), second);
        window.pages().close(*window.pages().current());
        QCOMPARE(arrangement(window), "a.onnx");
        QVERIFY(window.session());
    }

    void aDraggedTabGoesWhereItIsDropped_data()
    {
        QTest::addColumn<int>("pane"); // where it is dropped, and at which share of the width
        QTest::addColumn<double>("share");
        QTest::addColumn<QString>("then");
        QTest::addRow("a pane to the right") << 0 << 0.9 << "a.onnx | b.onnx | c.onnx";
        QTest::addRow("a pane to the left") << 0 << 0.1 << "b.onnx | a.onnx | c.onnx";
        QTest::addRow("a pane at the end") << 1 << 0.9 << "a.onnx | c.onnx | b.onnx";
        QTest::addRow("into the other pane") << 1 << 0.5 << "a.onnx | c.onnx, b.onnx";
        QTest::addRow("back into its own") << 0 << 0.5 << "a.onnx, b.onnx | c.onnx";
    }
    void aDraggedTabGoesWhereItIsDropped()
    {
        QFETCH(int, pane);
        QFETCH(double, share);
        QFETCH(QString, then);
        MainWindow window(settings());
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        threeTabs(window);
        const auto places = [&] { return window.findChildren<QWidget *>("drop-place"); };
        const Drag drag(window, 0, 1);
        drag.to(pane, share);
        const bool isOther = then != arrangement(window);
        QCOMPARE(std::ranges::count_if(places(), &QWidget::isVisible), isOther ? 1 : 0);
        QCOMPARE(arrangement(window), "a.onnx, b.onnx | c.onnx"); // until it is dropped
        drag.end();
        QCOMPARE(arrangement(window), then);
        QCOMPARE(std::ranges::count_if(places(), &QWidget::isVisible), 0);
        QCOMPARE(window.pages().current()->name(), "b.onnx"); // with the keyboard, wherever it is
        QCOMPARE(window.windowTitle(), "b.onnx — Cutaway");
        QVERIFY(isDrawn(window));
    }

    void escapeEndsTheDragOfATab()
    {
        MainWindow window(settings());
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        threeTabs(window);
        window.session()->navigation().select(ir::NodeId{5});
        const Drag drag(window, 0, 1);
        drag.to(1, 0.5);
        QTest::keyClick(&window, Qt::Key_Escape);
        const QList<QWidget *> places = window.findChildren<QWidget *>("drop-place");
        QCOMPARE(std::ranges::count_if(places, &QWidget::isVisible), 0);
        QVERIFY(window.session()->navigation().selection() != views::Selection()); // Esc meant the drag
        drag.to(1, 0.9);
        drag.end();
        QCOMPARE(arrangement(window), "a.onnx, b.onnx | c.onnx");
    }

    void theOnlyTabOfAPaneTakesThePaneAlong()
    {
        MainWindow window(settings());
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        threeTabs(window);
        const Drag toTheFront(window, 1, 0);
        toTheFront.to(0, 0.1);
        toTheFront.end();
        QCOMPARE(arrangement(window), "c.onnx | a.onnx, b.onnx");
        const Drag backIntoItsOwn(window, 0, 0);
        backIntoItsOwn.to(1, 0.1); // where it is
        backIntoItsOwn.end();
        QCOMPARE(arrangement(window), "c.onnx | a.onnx, b.onnx");
        const Drag home(window, 0, 0);
        home.to(1, 0.5);
        home.end();
        QCOMPARE(arrangement(window), "a.onnx, b.onnx, c.onnx");
    }

    void aTabThatIsClosedWhileItIsDraggedIsGone()
    {
        MainWindow window(settings());
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        threeTabs(window);
        const Drag drag(window, 0, 1);
        drag.to(1, 0.5);
        window.pages().close(*window.pages().current());
        drag.to(1, 0.9);
        drag.end();
        QCOMPARE(arrangement(window), "a.onnx | c.onnx");
    }

    void tabsAreSteppedThroughInTheirPane()
    {
        MainWindow window(settings());
        window.show();
        for (const QString &path : {m_a, m_b, copied("c.onnx")})
            open(window, path);
        action(window, "Move tab right")->trigger();
        QCOMPARE(arrangement(window), "a.onnx, b.onnx | c.onnx");
        QVERIFY(!action(window, "Next tab")->isEnabled());
        window.open(m_a);
        QVERIFY(action(window, "Next tab")->isEnabled());
        QCOMPARE(window.windowTitle(), "a.onnx — Cutaway");
        action(window, "Next tab")->trigger();
        QCOMPARE(window.windowTitle(), "b.onnx — Cutaway");
        window.open(copied("d.onnx"));
        QCOMPARE(arrangement(window), "a.onnx, b.onnx, d.onnx | c.onnx");
    }

    void theMiddleTabAndTheLastPaneGo()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        openBeside(window, m_b);
        while (window.pages().current())
            action(window, "Close model")->trigger();
        QCOMPARE(arrangement(window), "");
        QCOMPARE(window.pages().panes().all().size(), 1);
        QVERIFY(!dock(window, "modules")->isVisible());
        openDrawn(window, m_a);
        QCOMPARE(arrangement(window), "a.onnx");
    }

    void viewsInStepFollowEachOther()
    {
        MainWindow window(settings());
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openDrawn(window, m_a);
        openBeside(window, m_b);
        QTRY_VERIFY(isDrawn(window));
        QAction *inStep = action(window, "Synchronize views");
        QVERIFY(!inStep->isChecked());
        inStep->trigger();
        QVERIFY(inStep->isChecked());
        QTRY_VERIFY(window.pages().lockstep().isReady());
        views::Canvas &left = *at(window, 0)->canvas(), &right = *at(window, 1)->canvas();
        left.setFocus();
        left.lookAt({50, 80}, 0.7);
        QCOMPARE(right.viewport().zoom, 0.7);
        QVERIFY((right.sight().middle() - left.sight().middle()).manhattanLength() < 1e-6);
        left.session().navigation().select(ir::NodeId{5});
        QVERIFY(right.session().navigation().selection() == views::Selection(ir::NodeId{5}));
        right.setFocus();
        action(window, "Zoom out")->trigger();
        QTRY_COMPARE(right.viewport().zoom, 0.7 / 1.25);
        QTRY_COMPARE(left.viewport().zoom, right.viewport().zoom);
        inStep->trigger();
        right.lookAt({0, 0}, 0.3);
        QVERIFY(left.viewport().zoom != 0.3);
        QVERIFY(!settings()->value("in-step").toBool());
    }

    void comparedModelsAreKeptInStep()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        window.compareWith(m_b);
        QTRY_VERIFY(window.session()->comparing().difference());
        views::Session &other = *window.session()->comparing().other();
        QTRY_VERIFY(other.drawing().diagram() && !other.drawing().isBusy());
        action(window, "Synchronize views")->trigger();
        QTRY_VERIFY(window.pages().lockstep().isReady());
        const QList<views::Canvas *> both = window.pages().current()->canvases();
        QCOMPARE(both.size(), 2);
        both[0]->lookAt({50, 80}, 0.6);
        QCOMPARE(both[1]->viewport().zoom, 0.6);
        window.session()->comparing().end();
        QVERIFY(!window.pages().lockstep().isReady());
        window.pages().current()->canvas()->lookAt({50, 80}, 0.5);
    }

    void whatIsInStepMayBeReloadedAndClosed()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        action(window, "Synchronize views")->trigger();
        action(window, "Duplicate view")->trigger();
        openBeside(window, m_b);
        QTRY_VERIFY(isDrawn(window) && window.pages().lockstep().isReady());
        QSignalSpy opened(&window, &MainWindow::opened);
        window.pages().reload(*at(window, 0));
        QTRY_COMPARE(opened.count(), 2); // the two views of the file
        QVERIFY(at(window, 0)->session()->document().models().file
                == at(window, 1)->session()->document().models().file);
        QTRY_VERIFY(isDrawn(window) && window.pages().lockstep().isReady());
        for (int count = 3; count > 0; --count) {
            window.pages().close(*at(window, 0));
            QTest::qWait(1);
            if (ModelPage *page = window.pages().current())
                page->canvas()->lookAt({9, 9}, 0.4);
        }
        QCOMPARE(arrangement(window), "");
    }

    void bookmarksOfBothViewsAreKept()
    {
        for (const int closedFirst : {0, 1}) {
            {
                MainWindow window(settings());
                window.show();
                openDrawn(window, m_a);
                action(window, "Duplicate view")->trigger();
                QTRY_VERIFY(isDrawn(window));
                at(window, 0)->session()->bookmarks().set({});
                at(window, 1)->session()->bookmarks().set({});
                at(window, 0)->session()->bookmarks().toggle(layout::Subject(ir::NodeId{3}));
                at(window, 1)->session()->bookmarks().toggle(layout::Subject(ir::NodeId{7}));
                window.pages().close(*at(window, closedFirst));
                window.pages().close(*at(window, 0));
            }
            MainWindow window(settings());
            window.show();
            openDrawn(window, m_a);
            QCOMPARE(window.session()->bookmarks().all().size(), 2u);
        }
    }

    void whatStoodBesideComesBack()
    {
        {
            MainWindow window(settings());
            window.show();
            openDrawn(window, m_a);
            openBeside(window, m_b);
            window.session()->bookmarks().setNote(layout::Subject(ir::NodeId{7}), "of b");
            window.pages().lockstep().setOn(true);
            QVERIFY(window.close());
        }
        MainWindow window(settings());
        window.show();
        QSignalSpy opened(&window, &MainWindow::opened);
        window.open(m_a);
        QTRY_COMPARE(opened.count(), 2);
        QCOMPARE(arrangement(window), "a.onnx | b.onnx");
        QCOMPARE(window.windowTitle(), "a.onnx — Cutaway");
        QVERIFY(window.pages().lockstep().isOn());
        QCOMPARE(at(window, 1)->session()->bookmarks().all().front().note, "of b");
        QTRY_VERIFY(isDrawn(window)); // the session of a page that was never visible is unchanged
        window.pages().close(*at(window, 1));
        window.pages().close(*at(window, 0));
        open(window, m_a); // it has nothing beside it any more
        QTest::qWait(50);
        QCOMPARE(arrangement(window), "a.onnx");
    }

    void theSameModelComesBackTwice()
    {
        {
            MainWindow window(settings());
            window.show();
            openDrawn(window, m_a);
            action(window, "Duplicate view")->trigger();
            QTRY_VERIFY(isDrawn(window));
            window.session()->navigation().select(ir::NodeId{5});
            QVERIFY(window.close());
        }
        MainWindow window(settings());
        window.show();
        QSignalSpy opened(&window, &MainWindow::opened);
        window.open(m_a);
        QTRY_COMPARE(opened.count(), 2);
        QCOMPARE(arrangement(window), "a.onnx | a.onnx");
        QCOMPARE(window.pages().current(), at(window, 0));
        QVERIFY(at(window, 0)->session()->navigation().selection() == views::Selection{});
        QVERIFY(at(window, 1)->session()->navigation().selection() == views::Selection(ir::NodeId{5}));
    }

    void aFileThatStoodBesideAndIsGoneIsSaid()
    {
        {
            MainWindow window(settings());
            window.show();
            openDrawn(window, m_a);
            openBeside(window, m_b);
            QVERIFY(window.close());
        }
        QVERIFY(QFile::remove(m_b));
        MainWindow window(settings());
        window.show();
        open(window, m_a);
        QCOMPARE(arrangement(window), "a.onnx");
        QCOMPARE(window.pages().current()->banner().text(), "b.onnx, which was beside it, was not found.");
        QVERIFY(window.pages().current()->banner().isVisible());
    }

    void aSavedSessionHasWhatStandsBeside()
    {
        const QString session = m_folder->filePath("both.cutaway.json");
        {
            MainWindow window(settings());
            window.show();
            openDrawn(window, m_a);
            action(window, "Duplicate view")->trigger();
            QTRY_VERIFY(isDrawn(window));
            window.session()->navigation().select(ir::NodeId{5});
            openBeside(window, m_b);
            QVERIFY(window.session()->document().give({{"batch=4"}, {}}));
            QVERIFY(window.pages().kept().save(*at(window, 0), session).has_value());
        }
        const QTemporaryDir other;
        for (const QString &path : {m_a, m_b, session})
            QVERIFY(QFile::rename(path, other.filePath(QFileInfo(path).fileName())));
        MainWindow window(std::make_unique<QSettings>(other.filePath("settings.ini"), QSettings::IniFormat));
        window.show();
        QSignalSpy opened(&window, &MainWindow::opened);
        window.open(other.filePath("both.cutaway.json"));
        QTRY_COMPARE(opened.count(), 3);
        QCOMPARE(arrangement(window), "a.onnx | a.onnx | b.onnx");
        QVERIFY(at(window, 0)->session()->navigation().selection() == views::Selection{});
        QVERIFY(at(window, 1)->session()->navigation().selection() == views::Selection(ir::NodeId{5}));
        QCOMPARE(at(window, 2)->session()->document().given().bindings, std::vector<std::string>{"batch=4"});
    }

    void whatPassesMadeBesideIsNotClosedUnasked()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        openBeside(window, m_b);
        window.session()->stepping().run();
        QTRY_VERIFY(window.session()->stepping().position() > 0);
        window.pages().close(*at(window, 1));
        auto *box = window.findChild<QMessageBox *>("unwritten");
        QVERIFY(box && box->isVisible());
        QCOMPARE(arrangement(window), "a.onnx | b.onnx");
        box->button(QMessageBox::Cancel)->click();
        QTRY_VERIFY(!window.findChild<QMessageBox *>("unwritten"));
        window.pages().close(*at(window, 0));
        QCOMPARE(arrangement(window), "b.onnx");
    }

    void aFileThatChangesIsSaidInBothOfItsViews()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        action(window, "Duplicate view")->trigger();
        QTRY_VERIFY(isDrawn(window));
        QTest::qWait(20); // another time of change
        write("a.onnx", read(m_b).replace("\x22\x04Relu", "\x22\x04Selu"));
        QTRY_VERIFY(at(window, 0)->banner().isVisible() && at(window, 1)->banner().isVisible());
        QSignalSpy opened(&window, &MainWindow::opened);
        at(window, 1)->banner().findChild<QPushButton *>()->click();
        QTRY_COMPARE(opened.count(), 2);
        QVERIFY(!at(window, 0)->banner().isVisible() && !at(window, 1)->banner().isVisible());
        window.pages().close(*at(window, 0)); // the other one is still watched
        QTest::qWait(20);
        write("a.onnx", read(m_b));
        QTRY_VERIFY(at(window, 0)->banner().isVisible());
    }

    /// Looked at: what two and three panes look like.
    void panesHaveRoom_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("dark");
        for (const int width : {1024, 1600})
            for (const bool dark : {false, true})
                QTest::addRow("%d %s", width, dark ? "dark" : "light") << QSize(width, width * 5 / 8) << dark;
    }
    void panesHaveRoom()
    {
        QFETCH(QSize, size);
        QFETCH(bool, dark);
        MainWindow window(settings());
        window.setTheme(dark ? views::Theme::Dark : views::Theme::Light);
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openDrawn(window, m_a);
        action(window, "Synchronize views")->trigger();
        action(window, "Duplicate view")->trigger();
        QTRY_VERIFY(isDrawn(window));
        window.session()->navigation().select(ir::NodeId{5});
        QTest::qWait(300);
        QCOMPARE(window.size(), size);
        const int left = at(window, 0)->width(), right = at(window, 1)->width();
        QVERIFY2(std::abs(left - right) <= 2, qPrintable(QString("%1 %2").arg(left).arg(right)));
        if (const QString folder = qEnvironmentVariable("CUTAWAY_PICTURES"); !folder.isEmpty())
            QVERIFY(
                window.grab().save(QString("%1/panes-%2.png").arg(folder, QTest::currentDataTag()).replace(' ', '-')));
    }

private:
    /// A tab that the pointer holds.
    class Drag {
    public:
        Drag(MainWindow &window, int pane, int tab) : m_window(window)
        {
            const TabBar &bar = *window.pages().panes().all().at(pane)->findChild<TabBar *>();
            const QPoint start = bar.mapTo(&window, bar.tabRect(tab).center());
            QTest::mousePress(window.windowHandle(), Qt::LeftButton, {}, start);
            QTest::mouseMove(window.windowHandle(), start + QPoint(0, 12));
        }
        /// To the middle of a pane's height, at this share of its width.
        void to(int pane, double share) const
        {
            const Pane &over = *m_window.pages().panes().all().at(pane);
            m_at = over.mapTo(&m_window, QPoint(int(over.width() * share), over.height() / 2));
            QTest::mouseMove(m_window.windowHandle(), m_at);
        }
        void end() const { QTest::mouseRelease(m_window.windowHandle(), Qt::LeftButton, {}, m_at); }

    private:
        MainWindow &m_window;
        mutable QPoint m_at;
    };

    /// "a.onnx, b.onnx | c.onnx", of which b is in front with the keyboard.
    void threeTabs(MainWindow &window) const
    {
        for (const QString &path : {m_a, copied("c.onnx"), m_b})
            openDrawn(window, path);
        window.open(m_folder->filePath("c.onnx"));
        action(window, "Move tab right")->trigger();
        window.open(m_b);
        QCOMPARE(arrangement(window), "a.onnx, b.onnx | c.onnx");
        QTRY_VERIFY(isDrawn(window));
    }

    /// "a.onnx, b.onnx | c.onnx": the tabs of each pane.
    static QString arrangement(MainWindow &window)
    {
        QStringList panes;
        for (const Pane *pane : window.pages().panes().all()) {
            QStringList names;
            for (const ModelPage *page : pane->pages())
                names << page->name();
            panes << names.join(", ");
        }
        return panes.join(" | ");
    }

    /// The page in front of a pane.
    static ModelPage *at(MainWindow &window, int pane) { return window.pages().panes().all().at(pane)->current(); }

    static bool isDrawn(MainWindow &window)
    {
        return std::ranges::all_of(window.pages().panes().fronts(), [](const ModelPage *page) {
            return page->session() && page->canvas()->picture() && !page->session()->drawing().isBusy()
                && !page->session()->analysing().isBusy();
        });
    }

    static void openBeside(MainWindow &window, const QString &path)
    {
        QSignalSpy opened(&window, &MainWindow::opened);
        window.pages().openBeside(path);
        QTRY_VERIFY(opened.count() > 0 && isDrawn(window));
    }
};

QTEST_MAIN(TestPanes)
#include "tst_panes.moc"
