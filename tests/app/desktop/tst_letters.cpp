// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Files that other programs ask a window to open, and the Python that plugins run with.

#include "app/desktop/watching/letterbox.h"
#include "tests/app/desktop/window_test.h"
#include "views/session/comparing.h"
#include "views/session/running.h"
#include "views/session/running/opened_trace.h"

#include <QDir>
#include <QInputDialog>
#include <QMessageBox>
#include <unistd.h>

using namespace cutaway;
using namespace cutaway::desktop;

namespace {

QByteArray letterOf(const QString &path, const QString &compared = {}, const QString &folder = {})
{
    return QStringLiteral(R"({"open": "%1", "compare": "%2", "folder": "%3"})").arg(path, compared, folder).toUtf8();
}

} // namespace

class TestLetters : public WindowTest {
    Q_OBJECT

private slots:
    void init()
    {
        makeFiles();
        QDir(m_folder->path()).mkdir("runtime");
        qputenv("XDG_RUNTIME_DIR", m_folder->filePath("runtime").toUtf8());
        for (const char *name : {"CUTAWAY_PYTHON", "DISPLAY", "WAYLAND_DISPLAY"})
            qunsetenv(name);
    }

    void aLetterOpensItsModelInATab()
    {
        MainWindow window(settings());
        QSignalSpy opened(&window, &MainWindow::opened);
        window.open(m_a);
        QTRY_COMPARE(opened.count(), 1);
        const Letterbox letterbox;
        connect(&letterbox, &Letterbox::received, &window, &MainWindow::take);
        post(letterbox, letterOf(m_b));
        QTRY_COMPARE(opened.count(), 2);
        QCOMPARE(names(window), (QStringList{"a.onnx", "b.onnx"}));
        QVERIFY(lettersOf(letterbox).isEmpty());
    }

    void twoModelsAreCompared()
    {
        MainWindow window(settings());
        window.take({.source = {.path = m_a}, .compared = m_b});
        QTRY_VERIFY(window.session() && window.session()->comparing().other());
        QCOMPARE(names(window), QStringList{"a.onnx"});
    }

    void aModelComesWithItsTrace()
    {
        const QString run = writeTrace();
        const auto letter = parseLetter(QStringLiteral(R"({"open": "%1", "trace": "%2"})").arg(m_a, run).toUtf8());
        QVERIFY(letter);
        MainWindow window(settings());
        window.take(*letter);
        QTRY_VERIFY(window.session() && window.session()->running().trace());
        QCOMPARE(window.session()->running().trace()->path, run.toStdString());
        window.take({.source = {.path = m_b}});
        QTRY_COMPARE(names(window), (QStringList{"a.onnx", "b.onnx"}));
        window.take(*letter); // its page is there
        QTRY_COMPARE(window.pages().current()->name(), "a.onnx");
        QTRY_VERIFY(!window.session()->running().isBusy());
    }

    void aTemporaryFolderGoesWithItsTab()
    {
        const QString folder = temporaryFolder("cutaway-x");
        MainWindow window(settings());
        QSignalSpy opened(&window, &MainWindow::opened);
        window.take(*parseLetter(letterOf(folder + "/net.onnx", {}, folder)));
        QTRY_COMPARE(opened.count(), 1);
        QVERIFY(QFile::exists(folder));
        window.pages().close(*window.pages().current());
        QTRY_VERIFY(!QFile::exists(folder));
    }

    void aTemporaryFolderOfTheComparedModelGoesWithThePage()
    {
        const QString folder = temporaryFolder("cutaway-x");
        MainWindow window(settings());
        open(window, m_a);
        window.take(*parseLetter(letterOf(m_a, folder + "/net.onnx", folder)));
        QTRY_VERIFY(window.session()->comparing().other());
        QVERIFY(QFile::exists(folder));
        window.pages().close(*window.pages().current());
        QTRY_VERIFY(!QFile::exists(folder));
    }

    void aWindowThatIsShownNowhereTakesNoLettersOfADisplay()
    {
        qputenv("DISPLAY", ":7");
        const Letterbox letterbox;
        QCOMPARE(letterbox.folder().parent_path().filename(), "offscreen");
    }

    void anotherFolderIsLeftAlone_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isIn");
        QTest::addColumn<bool>("isOpenToAll");
        QTest::newRow("one of another name") << "models" << true << false;
        QTest::newRow("one that others can write into") << "cutaway-x" << true << true;
        QTest::newRow("one that the model is not in") << "cutaway-x" << false << false;
    }

    void anotherFolderIsLeftAlone()
    {
        QFETCH(QString, name);
        QFETCH(bool, isIn);
        QFETCH(bool, isOpenToAll);
        const QString folder = temporaryFolder(name);
        if (isOpenToAll)
            QFile::setPermissions(folder, QFile::permissions(folder) | QFile::WriteOther | QFile::ReadOther);
        {
            const auto letter = parseLetter(letterOf(isIn ? folder + "/net.onnx" : m_a, {}, folder));
            QVERIFY(letter && !letter->source.folder);
        }
        QVERIFY(QFile::exists(folder));
    }

    void aLinkToAFolderIsLeftAlone()
    {
        const QString folder = temporaryFolder("models"), link = m_folder->filePath("cutaway-link");
        QVERIFY(QFile::link(folder, link));
        QVERIFY(!parseLetter(letterOf(link + "/net.onnx", {}, link))->source.folder);
        QVERIFY(QFile::exists(folder + "/net.onnx"));
    }

    void aPathOutOfTheFolderIsNotInIt()
    {
        const QString folder = temporaryFolder("cutaway-x");
        QVERIFY(!parseLetter(letterOf(folder + "/../a.onnx", {}, folder))->source.folder);
        QVERIFY(QFile::exists(folder));
    }

    void whatIsNoLetterIsThrownAway_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("open a.onnx");
        QTest::newRow("a list") << QByteArray("[1]");
        QTest::newRow("no path") << QByteArray(R"({"open": 3})");
        QTest::newRow("a relative path") << QByteArray(R"({"open": "a.onnx"})");
    }

    void whatIsNoLetterIsThrownAway()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!parseLetter(text));
        const Letterbox letterbox;
        QSignalSpy received(&letterbox, &Letterbox::received);
        post(letterbox, text);
        QTRY_VERIFY(lettersOf(letterbox).isEmpty());
        QCOMPARE(received.count(), 0);
    }

    void theLetterboxIsTheUsersAloneAndGoesWithTheWindow()
    {
        QString folder;
        {
            const Letterbox letterbox;
            folder = QString::fromStdString(letterbox.folder().string());
            QCOMPARE(folder, m_folder->filePath("runtime/cutaway/offscreen/%1").arg(getpid()));
            const auto ofOthers = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
            QVERIFY(!(QFile::permissions(folder) & ofOthers));
        }
        QVERIFY(!QFile::exists(folder));
        QFile::setPermissions(m_folder->filePath("runtime/cutaway"), QFile::Permissions(0x7777));
        QVERIFY(Letterbox().folder().empty());
    }

    void thePythonOfPluginsIsKept()
    {
        const QString environment = m_folder->filePath("venv");
        {
            MainWindow window(settings());
            choosePython(window, environment);
            QCOMPARE(tellings(window), 1); // there is no such folder
            QVERIFY(qEnvironmentVariableIsEmpty("CUTAWAY_PYTHON"));
            QDir(m_folder->path()).mkdir("venv");
            choosePython(window, environment);
            QCOMPARE(qEnvironmentVariable("CUTAWAY_PYTHON"), environment);
        }
        qputenv("CUTAWAY_PYTHON", "mine");
        const MainWindow ofNamed(settings());
        QCOMPARE(qEnvironmentVariable("CUTAWAY_PYTHON"), "mine");
        qunsetenv("CUTAWAY_PYTHON");
        MainWindow next(settings());
        QCOMPARE(qEnvironmentVariable("CUTAWAY_PYTHON"), environment);
        choosePython(next, {});
        QVERIFY(qEnvironmentVariableIsEmpty("CUTAWAY_PYTHON"));
    }

private:
    QString temporaryFolder(const QString &name) const
    {
        const QString folder = m_folder->filePath(name);
        QDir(m_folder->path()).mkdir(name);
        QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QFile::copy(m_a, folder + "/net.onnx");
        return folder;
    }

    static QStringList lettersOf(const Letterbox &letterbox)
    {
        return QDir(QString::fromStdString(letterbox.folder().string())).entryList({"*.json"});
    }

    static void post(const Letterbox &letterbox, const QByteArray &text)
    {
        const QString path = QString::fromStdString((letterbox.folder() / "1.json").string());
        QFile file(path + ".part");
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("the letter could not be written");
        file.close();
        QFile::rename(file.fileName(), path);
    }

    static void choosePython(MainWindow &window, const QString &path)
    {
        action(window, "Python for plugins…")->trigger();
        auto *dialog = window.findChild<QInputDialog *>("python");
        dialog->setTextValue(path);
        dialog->accept();
        delete dialog;
    }

    static qsizetype tellings(const MainWindow &window) { return window.findChildren<QMessageBox *>("problem").size(); }
};

QTEST_MAIN(TestLetters)
#include "tst_letters.moc"
