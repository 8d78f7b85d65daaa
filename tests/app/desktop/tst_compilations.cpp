// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings of other compilers in the window: logs, files in a row, the clipboard; and files that are none.

#include "app/desktop/keeping/unwritten.h"
#include "app/desktop/panes/panes.h"
#include "tests/app/desktop/window_test.h"
#include "tests/core/sequence/small_log.h"
#include "views/session/document.h"
#include "views/session/stepping.h"

#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>
#include <QUrl>

using namespace cutaway;
using namespace cutaway::desktop;

namespace {

constexpr const char *relu = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, x: \"f32[4]\"):\n"
                             "        a: \"f32[4]\" = torch.ops.aten.relu.default(x)\n"
                             "        return (a,)\n";

} // namespace

class TestCompilationsInWindow : public WindowTest {
    Q_OBJECT

private slots:
    void init() { makeFiles(); }
    void cleanup() { QGuiApplication::clipboard()->clear(); }

    void aLogIsListedAndACompilationSteppedThrough()
    {
        MainWindow window(settings());
        window.show();
        bool isSeenAtOnce = false; // else a window that becomes active before gives the keyboard to another widget
        const auto look = [&window, &isSeenAtOnce] {
            isSeenAtOnce = window.pages().current()->findChild<QTreeView *>("compilations")->isVisible();
        };
        connect(&window, &MainWindow::opened, &window, look, Qt::SingleShotConnection);
        open(window, write("run.log", QByteArray::fromStdString(test::smallLog())));
        QVERIFY(isSeenAtOnce);
        QVERIFY(!window.session());
        QCOMPARE(names(window), QStringList{"run.log"});
        QVERIFY(action(window, "Reload")->isEnabled());
        auto *list = window.pages().current()->findChild<QTreeView *>("compilations");
        QTest::keyClick(list, Qt::Key_Return);
        QTRY_VERIFY(isStepping(window));
        QCOMPARE(names(window), (QStringList{"run.log", "run.log#0/0_1"}));
        views::Stepping &stepping = window.session()->stepping();
        QCOMPARE(stepping.count(), 5u);
        QCOMPARE(stepping.position(), 0u);
        QVERIFY(stepping.next());
        QVERIFY(stepping.next());
        QVERIFY(stepping.next());
        QCOMPARE(stepping.position(), 4u); // the step before it changed nothing
        QVERIFY(!stepping.next());
        QCOMPARE(window.session()->document().model().functions.front().graph.at(ir::Graph::body).nodes.size(), 2u);
        QVERIFY(!isUnwritten(*window.pages().current()));
        QVERIFY(!action(window, "Run passes")->isEnabled());
        stepping.clear();
        QCOMPARE(stepping.position(), 0u);
        QCOMPARE(stepping.count(), 5u);
        tabs(window).setCurrentIndex(0);
        QTest::keyClick(list, Qt::Key_Return); // it is open
        QCOMPARE(names(window).size(), 2);
        QVERIFY(window.session());
    }

    void aSequenceAndAStepAreOpenedByTheirAddresses()
    {
        const QString log = write("run.log", QByteArray::fromStdString(test::smallLog()));
        MainWindow window(settings());
        window.show();
        open(window, log + "#0/0_1/backward");
        QTRY_VERIFY(isStepping(window));
        QCOMPARE(window.session()->stepping().count(), 1u);
        open(window, log + "#0/0_1/aot_forward_graph");
        QVERIFY(!window.session()->stepping().isRecorded());
        QCOMPARE(names(window), (QStringList{"run.log#0/0_1/backward", "run.log#0/0_1/aot_forward_graph"}));
    }

    void anExportedPageHasItsStates()
    {
        MainWindow window(settings());
        window.show();
        open(window, write("run.log", QByteArray::fromStdString(test::smallLog())) + "#0/0_1");
        QTRY_VERIFY(isStepping(window) && window.session()->stepping().count() == 5);
        QTRY_VERIFY(action(window, "Export page…")->isEnabled());
        const QString path = m_folder->filePath("page.html");
        window.exports().writePage(path);
        QTRY_VERIFY(QFile::exists(path));
        QVERIFY(read(path).contains("\"states\":[\""));
    }

    void theStepStaysOverReloading()
    {
        const QString log = write("run.log", QByteArray::fromStdString(test::smallLog()));
        MainWindow window(settings());
        window.show();
        open(window, log + "#0/0_1");
        QTRY_VERIFY(isStepping(window) && window.session()->drawing().diagram());
        window.session()->stepping().goTo(4);
        QTRY_VERIFY(window.session()->drawing().diagram() && !window.session()->drawing().isBusy());
        QSignalSpy opened(&window, &MainWindow::opened);
        window.pages().reload(*window.pages().current());
        QVERIFY(opened.wait());
        QTRY_COMPARE(window.session()->stepping().position(), 4u);
    }

    void aSessionOfAFolderGoesToItsStep()
    {
        QDir(m_folder->path()).mkdir("steps");
        write("steps/1.py", relu);
        write("steps/2.py", QByteArray(relu).replace("relu", "sin"));
        const QString session = m_folder->filePath("steps.cutaway.json");
        {
            MainWindow window(settings());
            window.show();
            open(window, m_folder->filePath("steps"));
            QTRY_VERIFY(isStepping(window) && window.session()->drawing().diagram());
            window.session()->stepping().goTo(1);
            QVERIFY(window.pages().kept().save(*window.pages().current(), session).has_value());
        }
        MainWindow window(settings());
        window.show();
        open(window, session);
        QTRY_VERIFY(isStepping(window) && window.session()->stepping().position() == 1);
        window.session()->stepping().goTo(0);
        window.open(session); // its steps are there
        QCOMPARE(window.session()->stepping().position(), 1u);
    }

    void filesInARowAreSteps()
    {
        MainWindow window(settings());
        window.show();
        QSignalSpy opened(&window, &MainWindow::opened);
        window.pages().open(rowOf({m_a, m_b}));
        QVERIFY(opened.wait());
        QTRY_VERIFY(isStepping(window));
        QCOMPARE(names(window), QStringList{"a.onnx … b.onnx"});
        QCOMPARE(window.session()->stepping().history()->startTitle(), "a.onnx");
        QCOMPARE(window.session()->stepping().count(), 1u);
        QVERIFY(!window.session()->stepping().history()->steps()[0].isChange);
    }

    void aSavedSessionOfFilesInARowOpensThemAgain()
    {
        const QString session = m_folder->filePath("row.cutaway.json");
        {
            MainWindow window(settings());
            window.show();
            window.pages().open(rowOf({m_a, m_b}));
            QTRY_VERIFY(isStepping(window));
            QVERIFY(window.pages().kept().save(*window.pages().current(), session).has_value());
        }
        const QTemporaryDir other;
        for (const QString &path : {m_a, m_b, session})
            QVERIFY(QFile::rename(path, other.filePath(QFileInfo(path).fileName())));
        MainWindow window(std::make_unique<QSettings>(other.filePath("settings.ini"), QSettings::IniFormat));
        window.show();
        window.open(other.filePath("row.cutaway.json"));
        QTRY_VERIFY(isStepping(window));
        QCOMPARE(names(window), QStringList{"a.onnx … b.onnx"});
        QCOMPARE(window.session()->stepping().count(), 1u);
    }

    void aFolderOfNumberedFilesIsARow()
    {
        QDir(m_folder->path()).mkdir("steps");
        write("steps/2.py", QByteArray(relu).replace("relu", "sin"));
        write("steps/10.py", relu);
        write("steps/notes.bin", QByteArray(10, '\0'));
        MainWindow window(settings());
        window.show();
        open(window, m_folder->filePath("steps"));
        QVERIFY(!window.session()); // it is said that a file was left out
        QVERIFY(labelTexts(*window.pages().current()).contains("1 file in the folder holds no graph"));
        QTest::keyClick(window.pages().current()->findChild<QTreeView *>("compilations"), Qt::Key_Return);
        QTRY_VERIFY(isStepping(window));
        QCOMPARE(window.session()->stepping().history()->startTitle(), "2.py");
    }

    /// The page stands beside the graphs, which its links step through.
    void anExportThatFailedTellsWhyBesideItsGraphs()
    {
        const auto step = [](const char *name, const char *op) {
            return test::record(formatted(R"("cutaway_step": {{"name": "{}"}})", name), R"("rank": 0)",
                                QString(relu).replace("relu", op).trimmed().toStdString());
        };
        const std::string log = test::record(R"("cutaway_recording": {"version": 1})", R"("rank": 0)")
            + test::record(R"("cutaway_export_failure": {})", R"("rank": 0)",
                           R"({"model": "Gated", "reason": "it <b>branches</b>", "advice": ["use cond"], "place":
{"file": "net%2.py", "line": 8, "function": "forward", "code": "if y:", "first_around": 7, "around": ["y = x", "if y:"]},
"attempts": [{"how": "strict", "outcome": "after 1 node", "message": "all that", "has_graph": true},
{"how": "draft", "outcome": "a graph of 1 node", "message": "", "has_graph": true}]})")
            + step("strict", "relu") + step("draft", "sigmoid");
        MainWindow window(settings());
        window.show();
        open(window, write("Gated-export.cutaway", QByteArray::fromStdString(log)));
        QTRY_VERIFY(isStepping(window));
        auto *page = window.pages().current()->findChild<QTextBrowser *>("exportFailure");
        QVERIFY(page && page->isVisible());
        for (const char *text : {"Gated cannot be exported", "it <b>branches</b>", "net%2.py:8 in forward",
                                 "8  if y:", "use cond", "after 1 node"})
            QVERIFY2(page->toPlainText().contains(text), qPrintable(page->toPlainText()));
        QVERIFY(!page->toPlainText().contains("all that\n"));
        emit page->anchorClicked(QUrl("message:0"));
        QVERIFY(page->toPlainText().contains("all that\n"));
        emit page->anchorClicked(QUrl("step:1"));
        QTRY_COMPARE(window.session()->stepping().position(), 1u);
        QTRY_VERIFY(page->toPlainText().contains("draft is shown"));
    }

    void anExportWithoutAGraphTellsWhy()
    {
        const std::string log = test::record(R"("cutaway_recording": {"version": 1})", R"("rank": 0)")
            + test::record(R"("cutaway_export_failure": {})", R"("rank": 0)",
                           R"({"model": "Gated", "reason": "no input was given", "advice": [], "attempts":
[{"how": "strict", "outcome": "at once", "message": "all that", "has_graph": false}]})");
        MainWindow window(settings());
        window.show();
        open(window, write("Gated-export.cutaway", QByteArray::fromStdString(log)));
        QVERIFY(!window.session());
        QVERIFY(window.pages().current()->isRead());
        auto *page = window.pages().current()->findChild<QTextBrowser *>("exportFailure");
        QVERIFY(page);
        QTRY_VERIFY(page->isVisible());
        QVERIFY2(page->toPlainText().contains("no input was given"), qPrintable(page->toPlainText()));
        emit page->anchorClicked(QUrl("message:0"));
        QVERIFY(page->toPlainText().contains("all that"));
    }

    void theClipboardIsAGraphOrALog()
    {
        MainWindow window(settings());
        window.show();
        QSignalSpy opened(&window, &MainWindow::opened);
        QGuiApplication::clipboard()->setText(relu);
        action(window, "Open from clipboard")->trigger();
        QVERIFY(opened.wait());
        QVERIFY(window.session());
        QCOMPARE(names(window), QStringList{"clipboard"});
        QGuiApplication::clipboard()->setText(QString::fromStdString(test::smallLog()));
        action(window, "Open from clipboard")->trigger();
        QVERIFY(opened.wait());
        QVERIFY(window.pages().current()->listed());
        QCOMPARE(names(window).size(), 2);
        QTest::keyClick(window.pages().current()->findChild<QTreeView *>("compilations"), Qt::Key_Return);
        QTRY_VERIFY(isStepping(window));
        QVERIFY(settings()->value("recentFiles").toStringList().isEmpty());
    }

    void copiedFilesAreOpened()
    {
        auto *data = new QMimeData;
        data->setUrls({QUrl::fromLocalFile(m_a)});
        QGuiApplication::clipboard()->setMimeData(data);
        MainWindow window(settings());
        window.show();
        QSignalSpy opened(&window, &MainWindow::opened);
        action(window, "Open from clipboard")->trigger();
        QVERIFY(opened.wait());
        QCOMPARE(names(window), QStringList{"a.onnx"});
    }

    void whatHoldsNoGraphIsToldSo_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("said");
        QTest::newRow("an empty file") << QByteArray() << "empty";
        QTest::newRow("a letter") << QByteArray("Dear all,\n\nthe build is broken.\n") << "no graph was found";
    }
    void whatHoldsNoGraphIsToldSo()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, said);
        MainWindow window(settings());
        window.show();
        QSignalSpy failed(&window, &MainWindow::openingFailed);
        window.open(write("notes.log", content));
        QVERIFY(failed.wait());
        QVERIFY2(labelTexts(*window.pages().current()).contains(said, Qt::CaseInsensitive),
                 qPrintable(labelTexts(*window.pages().current())));
    }

    void aFolderWithoutGraphsIsToldSo()
    {
        QDir(m_folder->path()).mkdir("other");
        write("other/letter.txt", "Dear all,\n");
        MainWindow window(settings());
        window.show();
        QSignalSpy failed(&window, &MainWindow::openingFailed);
        window.open(m_folder->filePath("other"));
        QVERIFY(failed.wait());
        QVERIFY(labelTexts(*window.pages().current()).contains("The only file in the folder is not"));
    }

    void anEmptyClipboardIsToldSo()
    {
        MainWindow window(settings());
        window.show();
        QGuiApplication::clipboard()->setImage(QImage(4, 4, QImage::Format_RGB32));
        action(window, "Open from clipboard")->trigger();
        auto *box = window.findChild<QMessageBox *>("problem");
        QVERIFY(box && box->text().startsWith("The clipboard holds no text."));
        box->close();
    }

    void aLogThatGrowsIsReadAgain()
    {
        const QString log = write("run.log", QByteArray::fromStdString(test::smallLog()));
        MainWindow window(settings());
        window.show();
        QSignalSpy opened(&window, &MainWindow::opened);
        window.pages().open(Source{.path = log, .isFollowed = true});
        QVERIFY(opened.wait());
        QCOMPARE(window.pages().current()->findChild<QTreeView *>("compilations")->model()->rowCount(), 5);
        const std::string more =
            test::record(R"("dynamo_output_graph": {})", R"("frame_id": 2, "frame_compile_id": 0, "attempt": 0)", relu);
        write("run.log", QByteArray::fromStdString(test::smallLog() + more));
        QVERIFY(opened.wait(20000));
        QCOMPARE(window.pages().current()->findChild<QTreeView *>("compilations")->model()->rowCount(), 6);
    }

private:
    static bool isStepping(MainWindow &window)
    {
        return window.session() && window.session()->stepping().history() && !window.session()->stepping().isRunning();
    }
};

QTEST_MAIN(TestCompilationsInWindow)
#include "tst_compilations.moc"
