// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Surveys in the window: their models opened, and two of them compared.

#include "app/desktop/panes/panes.h"
#include "core/survey/database/database.h"
#include "tests/app/desktop/window_test.h"
#include "views/session/comparing.h"
#include "views/session/navigation.h"

#include <QDir>
#include <QPushButton>
#include <QTreeView>
#include <algorithm>

using namespace cutaway;
using namespace cutaway::desktop;

class TestSurveys : public WindowTest {
    Q_OBJECT

private slots:
    void init() { makeFiles(); }

    /// From a survey to a model and back, and to two models side by side.
    void aSurveyIsOpenedAndItsModelsFromIt()
    {
        const QString database = zoo();
        MainWindow window(settings());
        window.show();
        QVERIFY(!action(window, "Back to the survey")->isEnabled());
        QSignalSpy shown(&window.pages(), &Pages::surveyShown), opened(&window, &MainWindow::opened);
        window.open(database);
        QVERIFY(shown.wait());
        QVERIFY(window.windowTitle().startsWith("zoo.db"));
        auto *list = window.pages().current()->findChild<QTreeView *>();
        QCOMPARE(list->model()->rowCount(), 2);
        for (const QDockWidget *each : window.findChildren<QDockWidget *>())
            QVERIFY(each->isHidden());
        QTest::keyClick(list, Qt::Key_Return);
        QVERIFY(opened.wait());
        QVERIFY(window.windowTitle().startsWith("a.onnx"));
        action(window, "Back to the survey")->trigger();
        QVERIFY(!window.session());
        QVERIFY(list->isVisible());
        list->selectAll();
        window.pages().survey()->findChild<QPushButton *>("compare")->click();
        QTRY_VERIFY(window.session() && window.session()->comparing().difference());
        action(window, "Back to the survey")->trigger();
        QCOMPARE(list->selectionModel()->selectedRows().size(), 2);
        open(window, sample());
        window.open(database); // it is open, so its tab comes to the front
        QVERIFY(!window.session());
        QCOMPARE(window.pages().panes().pages().size(), 3);
        QCOMPARE(list->selectionModel()->selectedRows().size(), 2);
        window.pages().close(*window.pages().survey());
        QVERIFY(!window.pages().survey());
        QVERIFY(!action(window, "Back to the survey")->isEnabled());
    }

    void twoOfASurveyAreComparedThoughAnotherFileOpensFirst()
    {
        MainWindow window(settings());
        window.show();
        QSignalSpy shown(&window.pages(), &Pages::surveyShown), opened(&window, &MainWindow::opened);
        window.open(zoo());
        QVERIFY(shown.wait());
        window.open(sample());
        window.pages().panes().setCurrent(*window.pages().survey());
        window.pages().current()->findChild<QTreeView *>()->selectAll();
        window.pages().survey()->findChild<QPushButton *>("compare")->click();
        const auto isCompared = [&] {
            return std::ranges::any_of(window.pages().panes().pages(), [](const ModelPage *page) {
                return page->name() == "a.onnx" && page->session() && page->session()->comparing().difference();
            });
        };
        QTRY_VERIFY(isCompared());
        QCOMPARE(opened.count(), 2);
    }

private:
    /// The database of a survey of two models.
    QString zoo() const
    {
        const QDir folder(m_folder->path());
        const QString path = folder.filePath("zoo.db");
        auto database = survey::Database::open(path.toStdString(), "1");
        for (const char *name : {"a.onnx", "b.onnx"}) {
            survey::Record record;
            record.state = survey::State::Read;
            record.format = "onnx";
            if (!database || !database->put(survey::versionOf(folder.filePath(name).toStdString()), {}, record))
                qFatal("the survey could not be written");
        }
        return path;
    }

    /// A third model.
    QString sample() const { return copied("c.onnx"); }
};

QTEST_MAIN(TestSurveys)
#include "tst_surveys.moc"
