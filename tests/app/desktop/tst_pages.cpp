// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Several files in one window, what is kept of them, and what becomes of them on disk.

#include "app/desktop/banner.h"
#include "app/desktop/docks/docks.h"
#include "app/desktop/model_page.h"
#include "app/desktop/panes/panes.h"
#include "app/desktop/panes/tab_bar.h"
#include "core/analysis/known_devices.h"
#include "core/passes/pipeline.h"
#include "tests/app/desktop/window_test.h"
#include "views/graph/canvas.h"
#include "views/session/analysing.h"
#include "views/session/bookmarks.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/running/opened_trace.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

using namespace cutaway;
using namespace cutaway::desktop;

class TestPages : public WindowTest {
    Q_OBJECT

private slots:
    void init() { makeFiles(); }

    void severalFilesAreOpen()
    {
        MainWindow window(settings());
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        open(window, m_a);
        views::Session *first = window.session();
        QVERIFY(!tabs(window).isVisible());
        open(window, m_b);
        views::Session *second = window.session();
        QVERIFY(first != second);
        QVERIFY(tabs(window).isVisible());
        QCOMPARE(window.windowTitle(), "b.onnx — Cutaway");
        QTest::keyClick(&window, Qt::Key_Tab, Qt::ControlModifier);
        QCOMPARE(window.session(), first);
        QCOMPARE(window.windowTitle(), "a.onnx — Cutaway");
        QTest::keyClick(&window, Qt::Key_Tab, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(window.session(), second);
    }

    void whatTakesTheKeyboardOfAPageIsVisibleAtOnce()
    {
        ModelPage page({.path = m_a}, nullptr);
        page.show();
        Opening opening;
        bool isVisible = false;
        connect(&opening, &Opening::opened, &page, [&](const QString &, const ReadModel &read) {
            page.setModel(read);
            isVisible = page.focusProxy()->isVisible();
        });
        QSignalSpy opened(&opening, &Opening::opened);
        opening.start(m_a);
        QVERIFY(opened.wait(30000));
        QVERIFY(isVisible);
    }

    void docksShowTheFileInFront()
    {
        MainWindow window(settings());
        window.show();
        open(window, m_a);
        const auto views = [&] {
            QList<QWidget *> all;
            for (const Dock &each : docks())
                all << dock(window, each.name)->widget();
            return all;
        };
        QVERIFY(window.showDock("nodes"));
        const QList<QWidget *> ofFirst = views();
        open(window, m_b);
        const QList<QWidget *> ofSecond = views();
        for (qsizetype i = 0; i < ofFirst.size(); ++i)
            QVERIFY(ofFirst[i] != ofSecond[i]);
        QTRY_VERIFY(dock(window, "nodes")->widget()->isVisible());
        tabs(window).setCurrentIndex(0);
        QCOMPARE(views(), ofFirst);
        QTRY_VERIFY(dock(window, "nodes")->widget()->isVisible());
        tabs(window).setCurrentIndex(1);
        action(window, "Close model")->trigger();
        QTRY_COMPARE(window.findChildren<views::Canvas *>().size(), 2);
        QCOMPARE(views(), ofFirst);
    }

    void eachFileHasItsSelectionAndItsEdits()
    {
        MainWindow window(settings());
        window.show();
        open(window, m_a);
        window.session()->navigation().select(ir::NodeId{3});
        QVERIFY(window.session()->document().give({{"batch=2"}, {}}));
        QVERIFY(undo(window)->isEnabled());
        QCOMPARE(undo(window)->text(), "Undo bindings");
        open(window, m_b);
        QVERIFY(!undo(window)->isEnabled());
        QVERIFY(window.session()->navigation().selection() == views::Selection{});
        QVERIFY(!action(window, "Clear selection")->isEnabled());
        tabs(window).setCurrentIndex(0);
        QVERIFY(undo(window)->isEnabled());
        QVERIFY(action(window, "Clear selection")->isEnabled());
    }

    void aFileIsOpenedOnce()
    {
        MainWindow window(settings());
        window.show();
        open(window, m_a);
        const views::Session *first = window.session();
        open(window, m_b);
        window.open(QFileInfo(m_a).path() + "/./a.onnx");
        QCOMPARE(window.session(), first);
        QCOMPARE(tabs(window).count(), 2);
    }

    void tabsCloseByKeyButtonAndMiddleClick()
    {
        MainWindow window(settings());
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const QString c = copied("c.onnx");
        for (const QString &path : {m_a, m_b, c})
            open(window, path);
        TabBar &bar = tabs(window);
        QTest::mouseClick(&bar, Qt::MiddleButton, {}, bar.tabRect(0).center());
        QCOMPARE(names(window), (QStringList{"b.onnx", "c.onnx"}));
        QCOMPARE(window.windowTitle(), "c.onnx — Cutaway");
        qobject_cast<QToolButton *>(bar.tabButton(0, QTabBar::RightSide))->click();
        QCOMPARE(names(window), QStringList{"c.onnx"});
        QTest::keyClick(&window, Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(bar.count(), 0);
        QVERIFY(!window.session());
        QCOMPARE(window.windowTitle(), "Cutaway");
        QVERIFY(!action(window, "Close model")->isEnabled());
        QVERIFY(!dock(window, "modules")->isVisible());
        open(window, m_a);
        QVERIFY(dock(window, "modules")->isVisible());
    }

    void tabsAreDraggedIntoAnotherOrder()
    {
        MainWindow window(settings());
        window.show();
        open(window, m_a);
        open(window, m_b);
        tabs(window).moveTab(1, 0);
        QCOMPARE(names(window), (QStringList{"b.onnx", "a.onnx"}));
        QCOMPARE(window.windowTitle(), "b.onnx — Cutaway");
        tabs(window).setCurrentIndex(1);
        QCOMPARE(window.windowTitle(), "a.onnx — Cutaway");
    }

    void equalNamesHaveTheirFolders()
    {
        MainWindow window(settings());
        window.show();
        QVERIFY(QDir(m_folder->path()).mkdir("old") && QFile::copy(m_a, m_folder->filePath("old/a.onnx")));
        open(window, m_a);
        QCOMPARE(names(window), QStringList{"a.onnx"});
        open(window, m_folder->filePath("old/a.onnx"));
        QCOMPARE(names(window), (QStringList{QFileInfo(m_folder->path()).fileName() + "/a.onnx", "old/a.onnx"}));
        tabs(window).setCurrentIndex(0);
        action(window, "Close model")->trigger();
        QCOMPARE(names(window), QStringList{"a.onnx"});
    }

    void droppedFilesOpenATabEach()
    {
        MainWindow window(settings());
        window.show();
        QMimeData data;
        data.setUrls(
            {QUrl::fromLocalFile(m_a), QUrl::fromLocalFile(write("bad.onnx", "no model")), QUrl::fromLocalFile(m_b)});
        QSignalSpy opened(&window, &MainWindow::opened), failed(&window, &MainWindow::openingFailed);
        QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &event);
        QTRY_COMPARE(opened.count(), 2);
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(names(window), (QStringList{"a.onnx", "bad.onnx", "b.onnx"}));
        QCOMPARE(window.windowTitle(), "b.onnx — Cutaway");
        tabs(window).setCurrentIndex(1);
        QVERIFY(!window.session());
        QVERIFY(!dock(window, "modules")->isVisible());
        QVERIFY(!window.pages().current()->findChildren<QPushButton *>().isEmpty());
    }

    void aDroppedTraceIsOpenedOnTheModelInFront()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(writeTrace())});
        QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QDropEvent event({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &event);
        QTRY_VERIFY(window.session()->running().trace());
        QCOMPARE(names(window), QStringList{"a.onnx"});
    }

    void aTraceAloneIsOpenedWithItsTimesAndItsTimeline()
    {
        MainWindow window(settings());
        window.show();
        const QString trace = writeTrace();
        openDrawn(window, trace);
        QTRY_VERIFY(window.session()->running().trace());
        QCOMPARE(window.session()->running().trace()->path, trace.toStdString());
        QCOMPARE(window.session()->document().function().graph.nodeCount(), 1U);
        QVERIFY(dock(window, "timeline")->isVisible());
        QTRY_VERIFY(window.session()->analysing().colouring() == views::Colouring(views::Measure::Measured));
        for (const char *run : {"Profile model", "Run model"})
            QVERIFY2(!action(window, run)->isEnabled(), run);
        dock(window, "timeline")->close();
        const std::weak_ptr<const views::OpenedTrace> read = window.session()->running().trace();
        window.pages().reload(*window.pages().current());
        QTRY_VERIFY(read.expired() && window.session()->running().trace());
        QVERIFY(!dock(window, "timeline")->isVisible());
        const QString second = m_folder->filePath("second.json");
        QVERIFY(QFile::copy(trace, second));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(second)});
        QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QDropEvent event({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &event);
        // The page in front has no model of the file.
        QTRY_COMPARE(names(window), (QStringList{"run.json", "second.json"}));
        window.pages().openBeside(trace);
        QTRY_COMPARE(window.pages().panes().fronts().size(), 2);
        QTRY_VERIFY(window.session() && window.session()->running().trace());
    }

    void aFileThatChangesIsOfferedToBeReloaded_data()
    {
        QTest::addColumn<bool>("isReplaced");
        QTest::newRow("written to") << false;
        QTest::newRow("replaced") << true;
    }
    void aFileThatChangesIsOfferedToBeReloaded()
    {
        QFETCH(bool, isReplaced);
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        window.session()->navigation().select(ir::NodeId{0}); // a Conv, which stays one
        QVERIFY(window.session()->document().give({{"batch=4"}, {}}));
        const std::shared_ptr<const ir::Model> before = window.session()->document().models().file;
        Banner &banner = window.pages().current()->banner();
        QVERIFY(!banner.isVisible());
        const QByteArray other = read(m_a).replace("\x22\x04Relu", "\x22\x04Selu");
        QVERIFY(other != read(m_a));
        QTest::qWait(20); // another time of change
        if (isReplaced)
            QVERIFY(QFile::remove(m_a));
        write("a.onnx", other);
        QTRY_VERIFY(banner.isVisible());
        QCOMPARE(banner.text(), "a.onnx has changed on disk.");
        QVERIFY(window.session()->document().models().file == before);
        QSignalSpy opened(&window, &MainWindow::opened);
        banner.findChild<QPushButton *>()->click();
        QVERIFY(opened.wait());
        QVERIFY(!banner.isVisible());
        QVERIFY(window.session()->document().models().file != before);
        QVERIFY(window.session()->navigation().selection() == views::Selection(ir::NodeId{0}));
        QCOMPARE(window.session()->document().given().bindings, std::vector<std::string>{"batch=4"});
        QTest::qWait(500);
        QVERIFY(!banner.isVisible());
    }

    void aFileThatGoesIsSaidAndComesBack()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        Banner &banner = window.pages().current()->banner();
        QVERIFY(QFile::rename(m_a, m_a + ".away"));
        QTRY_VERIFY(banner.isVisible());
        QCOMPARE(banner.text(), "a.onnx was moved or deleted. The last version read is shown.");
        QVERIFY(!banner.findChild<QPushButton *>()->isVisible());
        QVERIFY(window.session());
        QVERIFY(QFile::rename(m_a + ".away", m_a));
        QTRY_VERIFY(!banner.isVisible());
    }

    void whatCannotBeReloadedStaysAsItWas()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        const views::Session *session = window.session();
        QVERIFY(QFile::remove(m_a));
        QSignalSpy failed(&window, &MainWindow::openingFailed);
        action(window, "Reload")->trigger();
        QVERIFY(failed.wait());
        QCOMPARE(window.session(), session);
        Banner &banner = window.pages().current()->banner();
        QVERIFY(banner.isVisible() && banner.text().contains("Could not reload"));
    }

    void whatWasOpenComesBack()
    {
        const auto device = analysis::findDevice("l4");
        QVERIFY(device);
        double zoom = 0;
        {
            MainWindow window(settings());
            window.show();
            openDrawn(window, m_a);
            views::Session &session = *window.session();
            QVERIFY(session.document().give({{"batch=4"}, {}}));
            session.navigation().setDepth(2);
            QTRY_VERIFY(!session.drawing().isBusy());
            session.navigation().select(ir::NodeId{5});
            session.bookmarks().setNote(layout::Subject(ir::NodeId{7}), "look here");
            session.stepping().chosen().setPipeline(*passes::parsePipeline("dead-code"));
            session.analysing().setDevice(*device);
            QTRY_VERIFY(!session.analysing().isBusy() && !session.drawing().isBusy());
            canvas(window).lookAt({40, 60}, 0.5);
            zoom = canvas(window).viewport().zoom;
            window.close();
        }
        settings()->setValue("device", "h100-sxm");
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        views::Session &session = *window.session();
        QCOMPARE(session.document().given().bindings, std::vector<std::string>{"batch=4"});
        QVERIFY(session.navigation().selection() == views::Selection(ir::NodeId{5}));
        QCOMPARE(session.bookmarks().all().size(), 1u);
        QCOMPARE(session.bookmarks().all().front().note, "look here");
        QVERIFY(session.stepping().chosen().pipeline() == *passes::parsePipeline("dead-code"));
        QCOMPARE(session.analysing().device().id, "l4");
        QCOMPARE(canvas(window).viewport().zoom, zoom);
        QVERIFY(!undo(window)->isEnabled());
        QVERIFY(!window.pages().current()->banner().isVisible());
        open(window, m_b); // is another file
        QVERIFY(window.session()->bookmarks().all().empty());
    }

    void aBookmarkIsKeptWithoutClosing()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        window.session()->bookmarks().toggle(layout::Subject(ir::NodeId{7}));
        QTRY_COMPARE(QDir(m_folder->filePath("sessions")).entryList({"*.json"}).size(), 1);
    }

    void whatCannotBeKeptIsSaidOnce()
    {
        write("sessions", "in the way of the folder");
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        Banner &banner = window.pages().current()->banner();
        window.session()->bookmarks().toggle(layout::Subject(ir::NodeId{7}));
        QTRY_VERIFY(banner.isVisible());
        QVERIFY2(banner.text().startsWith("Could not save the session: "), qPrintable(banner.text()));
        banner.hide();
        window.session()->bookmarks().toggle(layout::Subject(ir::NodeId{8}));
        QTest::qWait(1500); // longer than until it is kept
        QVERIFY(!banner.isVisible());
    }

    void aSessionBesideItsModelIsOpenedElsewhere()
    {
        {
            MainWindow window(settings());
            window.show();
            openDrawn(window, m_a);
            QVERIFY(window.session()->document().give({{"batch=4"}, {}}));
            window.session()->bookmarks().setNote(layout::Subject(ir::NodeId{7}), "for you");
            QVERIFY(window.pages().kept().save(*window.pages().current(), m_a + ".cutaway.json").has_value());
        }
        const QTemporaryDir other;
        QVERIFY(QFile::rename(m_a, other.filePath("a.onnx")));
        QVERIFY(QFile::rename(m_a + ".cutaway.json", other.filePath("a.onnx.cutaway.json")));
        MainWindow window(std::make_unique<QSettings>(other.filePath("settings.ini"), QSettings::IniFormat));
        window.show();
        open(window, other.filePath("a.onnx.cutaway.json"));
        QCOMPARE(window.windowTitle(), "a.onnx — Cutaway");
        QCOMPARE(window.session()->document().given().bindings, std::vector<std::string>{"batch=4"});
        QCOMPARE(window.session()->bookmarks().all().front().note, "for you");
        window.session()->bookmarks().remove(0);
        window.open(other.filePath("a.onnx.cutaway.json")); // the session of an open file
        QCOMPARE(window.session()->bookmarks().all().size(), 1u);
        QCOMPARE(tabs(window).count(), 1);
        undo(window)->trigger();
        QVERIFY(window.session()->bookmarks().all().empty());
    }

    void aSessionNamesItsTraceByThePathFromIt()
    {
        QVERIFY(QDir(m_folder->path()).mkdir("times"));
        write("times/run.json", R"({"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 2, "tid": 2, "ts": 5, "dur": 60}]})");
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        window.session()->running().openTrace(m_folder->filePath("times/run.json"));
        QTRY_VERIFY(window.session()->running().trace());
        QVERIFY(window.pages().kept().save(*window.pages().current(), m_a + ".cutaway.json").has_value());
        QVERIFY(read(m_a + ".cutaway.json").contains(R"("trace":"times/run.json")"));
    }

    void aSessionOfAnotherModelIsSaidAndKept()
    {
        write("a.onnx.cutaway.json",
              R"({"schema":"cutaway.session/1","file":"a.onnx","function":"main_graph","bookmarks":[)"
              R"({"function":"main_graph","on":{"kind":"node","name":"elsewhere","op":"onnx::Gelu","id":3},)"
              R"("note":"not here"}]})");
        MainWindow window(settings());
        window.show();
        open(window, m_a + ".cutaway.json");
        const Banner &banner = window.pages().current()->banner();
        QVERIFY(banner.isVisible());
        QVERIFY2(banner.text().contains("1 of the session's bookmarks"), qPrintable(banner.text()));
        QVERIFY(window.session()->bookmarks().all().empty());
        QTRY_VERIFY(!window.session()->drawing().isBusy() && window.session()->drawing().diagram());
        QVERIFY(window.pages().kept().save(*window.pages().current(), m_folder->filePath("again.cutaway.json")));
        QVERIFY(read(m_folder->filePath("again.cutaway.json")).contains("not here"));
    }

    void aSessionWithoutItsModelIsSaid()
    {
        MainWindow window(settings());
        window.show();
        open(window, m_a);
        const views::Session *session = window.session();
        const std::pair<const char *, const char *> files[] = {
            {R"({"schema":"cutaway.session/1","file":"gone.onnx"})", "gone.onnx"}, {"[", "not JSON"}};
        for (const auto &[text, part] : files) {
            window.open(write("x.cutaway.json", text));
            auto *box = window.findChild<QMessageBox *>("problem");
            QVERIFY(box && box->isVisible());
            QVERIFY2(box->text().contains(part), qPrintable(box->text()));
            box->close();
            QTRY_VERIFY(!window.findChild<QMessageBox *>("problem"));
        }
        QCOMPARE(window.session(), session);
        QCOMPARE(tabs(window).count(), 1);
    }

    void everyChangeIsUndoneByOneAction()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        views::Session &session = *window.session();
        const std::string device = session.analysing().device().id;
        const passes::Pipeline pipeline = session.stepping().chosen().pipeline();
        QVERIFY(session.document().give({{"batch=4"}, {}}));
        session.stepping().chosen().setPipeline(*passes::parsePipeline("dead-code"));
        session.analysing().setDevice(*analysis::findDevice("l4"));
        session.navigation().select(ir::NodeId{5});
        action(window, "Bookmark selection")->trigger();
        session.bookmarks().setNote(std::size_t{0}, "a note");
        for (const char *text :
             {"Undo note", "Undo new bookmark", "Undo choice of a device", "Undo pipeline change", "Undo bindings"}) {
            QCOMPARE(undo(window)->text(), text);
            undo(window)->trigger();
        }
        QVERIFY(!undo(window)->isEnabled());
        QVERIFY(session.document().given() == views::GivenTexts{});
        QVERIFY(session.stepping().chosen().pipeline() == pipeline);
        QCOMPARE(session.analysing().device().id, device);
        QVERIFY(session.bookmarks().all().empty());
        auto *redo = window.findChild<QAction *>("redo");
        while (redo->isEnabled())
            redo->trigger();
        QCOMPARE(session.document().given().bindings, std::vector<std::string>{"batch=4"});
        QCOMPARE(session.analysing().device().id, "l4");
        QCOMPARE(session.bookmarks().all().front().note, "a note");
    }

    void sizesThatAreUndoneAreSeenInTheirFields()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        QVERIFY(window.showDock("bindings"));
        auto *field = dock(window, "bindings")->widget()->findChild<QLineEdit *>();
        QTest::keyClicks(field, "12");
        QTRY_COMPARE(window.session()->document().given().bindings, std::vector<std::string>{"batch=12"});
        QTRY_VERIFY(!window.session()->analysing().isBusy());
        undo(window)->trigger();
        QTRY_COMPARE(field->text(), "");
        QVERIFY(window.session()->document().given() == views::GivenTexts{});
    }

    void aNoteIsWrittenInTheList()
    {
        MainWindow window(settings());
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openDrawn(window, m_a);
        window.session()->navigation().select(ir::NodeId{5});
        QTest::keyClick(&window, Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(window.session()->bookmarks().all().size(), 1u);
        QVERIFY(action(window, "Bookmark selection")->isChecked());
        QCOMPARE(canvas(window).highlighting().emphasis().bookmarks.size(), 1u);
        action(window, "Add note…")->trigger();
        auto *list = dock(window, "bookmarks")->widget()->findChild<QTreeView *>();
        QTRY_VERIFY(list->findChild<QLineEdit *>());
        auto *editor = list->findChild<QLineEdit *>();
        QTest::keyClicks(editor, "slow");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(window.session()->bookmarks().all().front().note, "slow");
        window.session()->navigation().select({});
        QMenu *menu = nullptr;
        for (QMenu *each : window.menuBar()->findChildren<QMenu *>())
            if (each->title() == "Boo&kmarks")
                menu = each;
        QVERIFY(menu);
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 1);
        QVERIFY(menu->actions().front()->text().endsWith("— slow"));
        menu->actions().front()->trigger();
        QVERIFY(window.session()->navigation().selection() == views::Selection(ir::NodeId{5}));
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Delete);
        QVERIFY(window.session()->bookmarks().all().empty());
    }

    void whatPassesMadeIsNotClosedUnasked()
    {
        MainWindow window(settings());
        window.show();
        openChanged(window);
        action(window, "Close model")->trigger();
        auto *box = window.findChild<QMessageBox *>("unwritten");
        QVERIFY(box && box->isVisible());
        QVERIFY(window.session());
        const auto isSave = [](const QAbstractButton *each) { return each->text().remove('&') == "Save…"; };
        QVERIFY(std::ranges::any_of(box->buttons(), isSave));
        box->button(QMessageBox::Cancel)->click();
        QTRY_VERIFY(!window.findChild<QMessageBox *>("unwritten"));
        QVERIFY(window.session());
        QVERIFY(!window.close());
        QVERIFY(window.isVisible());
        press(window, "Close without saving");
        QTRY_VERIFY(!window.isVisible());
    }

    void aTabThatIsDiscardedCloses()
    {
        MainWindow window(settings());
        window.show();
        openChanged(window);
        action(window, "Close model")->trigger();
        press(window, "Close without saving");
        QTRY_VERIFY(!window.session());
        openDrawn(window, m_a); // where the same passes are run again
        QTRY_VERIFY(window.session()->stepping().position() > 0);
        window.session()->stepping().clear();
        QVERIFY(window.close());
    }

    void recentFilesHaveTheirPictures()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        action(window, "Close model")->trigger();
        const QDir folder(m_folder->filePath("sessions"));
        for (const char *kind : {"*.light.png", "*.dark.png"}) {
            const QStringList found = folder.entryList({kind});
            QCOMPARE(found.size(), 1);
            const QImage picture(folder.filePath(found.front()));
            QVERIFY(!picture.isNull());
            QSet<QRgb> colours;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    colours.insert(picture.pixel(x, y));
            QVERIFY2(colours.size() > 8, kind); // boxes, text and lines
        }
        for (const QString &size : {QString("1440x900"), QString("1024x700")}) {
            window.resize(size.section('x', 0, 0).toInt(), size.section('x', 1, 1).toInt());
            QVERIFY(!window.grab().isNull());
        }
    }

private:
    static void press(const MainWindow &window, const QString &button)
    {
        const auto *box = window.findChild<QMessageBox *>("unwritten");
        QVERIFY(box);
        for (QAbstractButton *each : box->buttons())
            if (each->text().remove('&') == button)
                return each->click();
        QFAIL("there is no such button");
    }

    /// With a state that passes have made.
    void openChanged(MainWindow &window) const
    {
        openDrawn(window, m_a);
        window.session()->stepping().run();
        QTRY_VERIFY(window.session()->stepping().position() > 0);
    }
};

QTEST_MAIN(TestPages)
#include "tst_pages.moc"
