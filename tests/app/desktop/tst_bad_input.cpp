// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of a user, a file or a disk in an open window: each is explained in a sentence, and nothing is lost. Sessions
// that do not fit, and files that change, are in tst_pages.

#include "tests/app/desktop/window_test.h"
#include "views/parts/query_line.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"
#include "views/tensor/tensor_page.h"

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <algorithm>
#include <csignal>
#include <sys/resource.h>

using namespace cutaway;
using namespace cutaway::desktop;

namespace {

/// As long as it is there, no file becomes longer than a few bytes, as on a disk that is full.
class FullDisk {
public:
    FullDisk()
    {
        constexpr rlim_t room = 100;
        std::signal(SIGXFSZ, SIG_IGN); // as the program does
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit none{room, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &none);
    }
    FullDisk(const FullDisk &) = delete;
    FullDisk &operator=(const FullDisk &) = delete;
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &m_before); }

private:
    rlimit m_before{};
};

/// 1,000 numbers of float32.
QByteArray safetensors()
{
    const QByteArray head = R"({"w":{"dtype":"F32","shape":[10,100],"data_offsets":[0,4000]}})";
    QByteArray file;
    for (int i = 0; i < 8; ++i)
        file += char(head.size() >> (8 * i));
    return file + head + QByteArray(4000, '\1');
}

} // namespace

class TestBadInput : public WindowTest {
    Q_OBJECT

private slots:
    void init() { makeFiles(); }

    void aQueryIsMarkedWhereItIsWrong_data()
    {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("marked");
        QTest::addColumn<QString>("said");
        for (const QString place : {"find", "nodes"}) {
            const auto row = [&](const char *name, const char *query, const char *marked, const char *said) {
                QTest::addRow("%s: %s", qPrintable(place), name) << place << query << marked << said;
            };
            row("a number", "op:conv* and flops>many", "m", "Expected a number, found 'm'.");
            row("a bracket", "(op:conv*", "(", "This '(' is not closed.");
            row("a property", "colour:red and op:conv*", "colour:", "There is no property 'colour:'");
        }
    }
    void aQueryIsMarkedWhereItIsWrong()
    {
        QFETCH(QString, place);
        QFETCH(QString, query);
        QFETCH(QString, marked);
        QFETCH(QString, said);
        MainWindow window(settings());
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openDrawn(window, m_a);
        window.session()->navigation().select(ir::NodeId{5});
        QVERIFY(window.showDock(place));
        auto *line = dock(window, place)->findChild<views::QueryLine *>();
        line->setFocus();
        QTest::keyClicks(line, query);
        QTRY_COMPARE(line->marked(), marked);
        QTRY_VERIFY2(labelTexts(*dock(window, place)).contains(said), qPrintable(labelTexts(*dock(window, place))));
        QVERIFY(window.session()->navigation().selection() == views::Selection(ir::NodeId{5}));
        keepPicture(window);
        line->clear();
        QTest::keyClicks(line, "op:conv*");
        QTRY_COMPARE(line->marked(), "");
    }

    void aTensorThatWasCutShortIsSaid_data()
    {
        QTest::addColumn<int>("left");
        QTest::addRow("in the middle") << 2000;
        QTest::addRow("by a byte") << int(safetensors().size() - 1);
        QTest::addRow("all of it") << 0;
    }
    void aTensorThatWasCutShortIsSaid()
    {
        QFETCH(int, left);
        const QString path = write("w.safetensors", safetensors());
        MainWindow window(settings());
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        open(window, path);
        QVERIFY(QFile::resize(path, left));
        window.session()->requests().tensor(ir::TensorId{0});
        auto *page = window.findChild<views::TensorPage *>();
        QTRY_VERIFY(!page->isBusy());
        QTRY_VERIFY2(labelTexts(*page).contains("became shorter") || labelTexts(*page).contains("has changed"),
                     qPrintable(labelTexts(*page)));
        keepPicture(window);
        QVERIFY(write("w.safetensors", safetensors()) == path);
        QSignalSpy opened(&window, &MainWindow::opened);
        action(window, "Reload")->trigger();
        QVERIFY(opened.wait());
        window.session()->requests().tensor(ir::TensorId{0});
        page = window.findChild<views::TensorPage *>();
        QTRY_VERIFY(!page->isBusy());
        QVERIFY2(!labelTexts(*page).contains("shorter"), qPrintable(labelTexts(*page)));
    }

    void aFileOfTensorsThatEndsTooEarlyIsSaid()
    {
        MainWindow window(settings());
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openDrawn(window, m_a);
        QSignalSpy failed(&window, &MainWindow::openingFailed);
        window.open(write("cut.safetensors", safetensors().chopped(1)));
        QVERIFY(failed.wait());
        const ModelPage &page = *window.pages().current();
        QVERIFY2(labelTexts(page).contains("cut.safetensors"), qPrintable(labelTexts(page)));
        keepPicture(window);
        QCOMPARE(names(window), QStringList({"a.onnx", "cut.safetensors"}));
    }

    void aDiskThatIsFullIsSaidAndLeavesWhatWasThere_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"a.svg", "a.png", "a.pdf", "a.dot", "a.html", "a.md", "a.csv", "a.json"})
            QTest::addRow("%s", name) << name;
    }
    void aDiskThatIsFullIsSaidAndLeavesWhatWasThere()
    {
        QFETCH(QString, name);
        const QString path = write(name, "of yesterday");
        MainWindow window(settings());
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openDrawn(window, m_a);
        const auto writeIt = [&] {
            const QString suffix = QFileInfo(name).suffix();
            if (QStringList{"html", "md", "csv", "json"}.contains(suffix))
                window.exports().writeReport(path);
            else
                window.exports().writePicture(path, {.suffix = suffix});
        };
        {
            const FullDisk full;
            writeIt();
            QTRY_VERIFY(window.findChild<QMessageBox *>("problem"));
        }
        auto *box = window.findChild<QMessageBox *>("problem");
        QVERIFY(box->isVisible());
        QVERIFY2(box->text().contains("Could not save the file: ") && box->text().contains(path),
                 qPrintable(box->text()));
        keepPicture(*box);
        box->close();
        QCOMPARE(read(path), "of yesterday");
        const QStringList beside = QDir(m_folder->path()).entryList({name + "*"}, QDir::Files);
        QCOMPARE(beside, QStringList(name)); // nothing is left of the attempt
        QVERIFY(window.session());
        writeIt(); // once there is room
        QTRY_VERIFY(read(path) != "of yesterday");
    }

    void aSessionOnADiskThatIsFullIsSaid()
    {
        const QString path = write("a.cutaway.json", "of yesterday");
        MainWindow window(settings());
        window.show();
        openDrawn(window, m_a);
        {
            const FullDisk full;
            const auto saved = window.pages().kept().save(*window.pages().current(), path);
            QVERIFY(!saved);
            QVERIFY2(saved.error().text().contains("could not save the file"), saved.error().text().c_str());
        }
        QCOMPARE(read(path), "of yesterday");
    }

private:
    /// Looked at: what the user sees.
    static void keepPicture(QWidget &widget)
    {
        if (const QString folder = qEnvironmentVariable("CUTAWAY_PICTURES"); !folder.isEmpty()) {
            const QString name =
                QString("%1/%2-%3.png").arg(folder, QTest::currentTestFunction(), QTest::currentDataTag());
            QVERIFY(widget.grab().save(QString(name).replace(' ', '-').replace(':', '-')));
        }
    }
};

QTEST_MAIN(TestBadInput)
#include "tst_bad_input.moc"
