// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A file without a graph: the table of its tensors has the window, not a part of it below an empty graph.

#include "app/desktop/main_window.h"
#include "app/desktop/panes/pane.h"
#include "app/desktop/panes/panes.h"
#include "views/graph/canvas.h"
#include "views/session/comparing.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"
#include "views/session/session.h"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>

using namespace cutaway;
using namespace cutaway::desktop;

namespace {

/// Two tensors of float32.
QByteArray safetensors()
{
    const QByteArray head = R"({"a.weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                            R"("a.bias":{"dtype":"F32","shape":[2],"data_offsets":[24,32]}})";
    QByteArray file;
    for (int i = 0; i < 8; ++i)
        file += char(head.size() >> (8 * i));
    return file + head + QByteArray(32, '\1');
}

} // namespace

class TestWeights : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        for (const char *name : {"a.safetensors", "b.safetensors"}) {
            QFile file(m_folder->filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(safetensors());
        }
    }

    void theTableIsThePage()
    {
        MainWindow window(settings());
        window.resize(1600, 1000);
        window.show();
        open(window, m_folder->filePath("a.safetensors"));
        const QTreeView &list = table(window);
        QTRY_COMPARE(list.model()->rowCount(), 2);
        QTRY_VERIFY(list.isVisible() && list.height() > 700);
        QVERIFY(window.pages().current()->width() > 1500);
        QVERIFY(!window.pages().current()->canvas()->isVisible());
        for (const QDockWidget *each : window.findChildren<QDockWidget *>())
            QVERIFY2(each->isHidden(), qPrintable(each->objectName()));
        QVERIFY(!action(window, "Export picture…")->isEnabled());
        QVERIFY(action(window, "Compare with…")->isEnabled());
        for (const char *ofGraphs : {"Costliest node", "Expand one level", "Collapse one level", "Zoom in", "Zoom out",
                                     "Fit entire graph", "Toggle bottom panel", "Profile model"})
            QVERIFY2(!action(window, ofGraphs)->isEnabled(), ofGraphs);
        for (const QToolButton *button : window.findChild<QToolBar *>()->findChildren<QToolButton *>())
            if (button->text().startsWith("Colour by"))
                QVERIFY(!button->isEnabled());
        const auto *status = window.statusBar()->findChild<QLabel *>();
        QCOMPARE(status->text(), "2 tensors   ·   32 B");
        window.session()->requests().tensor(ir::TensorId{1});
        QCOMPARE(list.currentIndex().row(), 1);
        QVERIFY(window.findChild<QDockWidget *>("tensor")->isHidden());
    }

    void docksGoAndComeWithTheFileInFront()
    {
        MainWindow window(settings());
        window.resize(1600, 1000);
        window.show();
        open(window, m_folder->filePath("a.safetensors"));
        open(window, QStringLiteral(CUTAWAY_SAMPLES "/small_vision.onnx"));
        const auto *modules = window.findChild<QDockWidget *>("modules");
        QVERIFY(!modules->isHidden());
        QVERIFY(window.pages().current()->canvas()->isVisible());
        QVERIFY(action(window, "Export picture…")->isEnabled());
        QVERIFY(action(window, "Fit entire graph")->isEnabled());
        window.pages().panes().active().step(-1);
        QVERIFY(modules->isHidden());
        QVERIFY(table(window).isVisible());
        window.pages().panes().active().step(1);
        QVERIFY(!modules->isHidden());
    }

    void twoAreCompared()
    {
        MainWindow window(settings());
        window.show();
        open(window, m_folder->filePath("a.safetensors"));
        window.compareWith(m_folder->filePath("b.safetensors"));
        QTRY_VERIFY(window.session()->comparing().difference());
        QTRY_VERIFY(window.findChild<QDockWidget *>("differences")->isVisible());
        QVERIFY(table(window).isVisible());
    }

private:
    std::unique_ptr<QSettings> settings() const
    {
        return std::make_unique<QSettings>(m_folder->filePath("settings.ini"), QSettings::IniFormat);
    }

    static void open(MainWindow &window, const QString &path)
    {
        QSignalSpy opened(&window, &MainWindow::opened);
        window.open(path);
        QVERIFY(opened.wait());
    }

    static const QTreeView &table(MainWindow &window)
    {
        return *window.pages().current()->findChild<QWidget *>("tensors")->findChild<QTreeView *>();
    }

    static QAction *action(const MainWindow &window, const QString &name)
    {
        for (QAction *each : window.findChildren<QAction *>())
            if (each->text().remove('&') == name)
                return each;
        qFatal("there is no such action");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_MAIN(TestWeights)
#include "tst_weights.moc"
