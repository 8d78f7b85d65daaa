// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The first minute of a new user, by mouse in a shown window, and the number of clicks. With
// CUTAWAY_TOUR_PICTURES=FOLDER each step leaves its picture there.

#include "app/desktop/main_window.h"
#include "app/desktop/writing/picture_dialog.h"
#include "views/graph/canvas.h"
#include "views/parts/elided_label.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <QAction>
#include <QCheckBox>
#include <QDir>
#include <QDockWidget>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QStatusBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

using namespace cutaway;
using namespace cutaway::desktop;

namespace {

const QString toured = QStringLiteral(CUTAWAY_SAMPLES "/small_vision.onnx");

/// Clicks where the user sees a thing, and counts.
class Visitor {
public:
    explicit Visitor(QWidget &window) : m_window(window) { }

    int clicks() const { return m_clicks; }

    void click(QWidget *target) { click(target, target ? target->rect().center() : QPoint()); }

    void click(QWidget *target, QPoint at)
    {
        QVERIFY(target);
        QWidget *window = target->window();
        const QPoint place = target->mapTo(window, at);
        const QWidget *hit = window->childAt(place);
        QVERIFY2(hit == target || target->isAncestorOf(hit), qPrintable(target->accessibleName()));
        QTest::mouseClick(window->windowHandle(), Qt::LeftButton, {}, place);
        ++m_clicks;
    }

    void keepPicture(const QString &name) const
    {
        const QString folder = qEnvironmentVariable("CUTAWAY_TOUR_PICTURES");
        if (!folder.isEmpty())
            QVERIFY(m_window.grab().save(QDir(folder).filePath(name + ".png")));
    }

private:
    QWidget &m_window;
    int m_clicks = 0;
};

template <class T>
T *find(const QWidget &window, const auto &isWanted)
{
    for (QWidget *each : window.findChildren<QWidget *>())
        if (auto *found = dynamic_cast<T *>(each); found && found->isVisible() && isWanted(*found))
            return found;
    return nullptr;
}

QPushButton *pushButton(const QWidget &window, const QString &text)
{
    return find<QPushButton>(window, [&](const QPushButton &button) { return button.text().remove('&') == text; });
}

bool isReady(const MainWindow &window)
{
    const views::Session *session = window.session();
    return session && session->analysing().figures() && session->drawing().diagram() && !session->drawing().isBusy()
        && !session->analysing().isBusy();
}

} // namespace

class TestTour : public QObject {
    Q_OBJECT

private slots:
    void fromTheFileToItsReportInFewClicks()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath("vision.onnx");
        QVERIFY(QFile::copy(toured, file));
        auto settings = std::make_unique<QSettings>(folder.filePath("settings.ini"), QSettings::IniFormat);
        settings->setValue("recentFiles", QStringList{file});
        MainWindow window(std::move(settings));
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        Visitor visitor(window);
        visitor.keepPicture("0 start");

        visitor.click(find<views::ElidedLabel>(
            window, [](const views::ElidedLabel &label) { return label.text() == "vision.onnx"; }));
        QTRY_VERIFY(isReady(window));
        visitor.keepPicture("1 opened");

        visitor.click(find<QToolButton>(window, [](const QToolButton &button) {
            return button.defaultAction() && button.defaultAction()->text().remove('&') == "Costliest node";
        }));
        const std::vector<ir::NodeId> &costliest =
            window.session()->analysing().figures()->costliest(views::Measure::Flops);
        QVERIFY(!costliest.empty());
        QVERIFY(window.session()->navigation().selectedNode() == costliest.front());
        QVERIFY2(window.statusBar()->currentMessage().endsWith("FLOP"),
                 qPrintable(window.statusBar()->currentMessage()));
        QTRY_VERIFY(isReady(window));
        QTRY_VERIFY(!window.pages().current()->canvas()->sight().isMoving());
        visitor.keepPicture("2 costliest node");

        visitor.click(pushButton(window, "Statistics of the weights"));
        QTRY_VERIFY(find<QWidget>(window, [](const QWidget &w) { return w.accessibleName() == "Histogram"; }));
        QTRY_VERIFY(find<views::ElidedLabel>(window, [](const views::ElidedLabel &l) { return l.text() == "mean"; }));
        visitor.keepPicture("3 weights");

        auto *tabs = find<QTabBar>(window, [](const QTabBar &bar) {
            for (int i = 0; i < bar.count(); ++i)
                if (bar.tabText(i) == "Source")
                    return true;
            return false;
        });
        QVERIFY(tabs);
        for (int i = 0; i < tabs->count(); ++i)
            if (tabs->tabText(i) == "Source")
                visitor.click(tabs, tabs->tabRect(i).center());
        const auto source = [&] {
            return find<QPlainTextEdit>(window, [](const QPlainTextEdit &e) { return e.accessibleName() == "Source"; });
        };
        QTRY_VERIFY(source());
        const ir::NodeRef node(window.session()->document().function().graph, costliest.front());
        const QString operation = QString::fromStdString(std::string(node.opName()));
        const auto isMarked = [&] {
            return std::ranges::any_of(source()->extraSelections(), [&](const QTextEdit::ExtraSelection &each) {
                return each.cursor.block().text().contains(operation);
            });
        };
        QTRY_VERIFY(isMarked());
        visitor.keepPicture("4 its line");

        visitor.click(window.findChild<QToolButton *>("export"), {8, 12});
        QTRY_VERIFY(window.findChild<PictureDialog *>());
        auto *dialog = window.findChild<PictureDialog *>();
        QVERIFY(QTest::qWaitForWindowExposed(dialog));
        visitor.click(dialog->findChild<QCheckBox *>(), {8, dialog->findChild<QCheckBox *>()->height() / 2});
        QVERIFY(!dialog->reportPath().isEmpty());
        visitor.click(pushButton(*dialog, "Export"));
        QTRY_VERIFY(QFile::exists(folder.filePath("vision.svg")));
        QTRY_VERIFY(QFile::exists(folder.filePath("vision.html")));
        visitor.keepPicture("5 exported");

        QVERIFY2(visitor.clicks() <= 8, qPrintable(QString::number(visitor.clicks())));
        QCOMPARE(visitor.clicks(), 7); // it does not become more unseen
    }

    void theSampleIsOneClickAway()
    {
        const QTemporaryDir folder;
        MainWindow window(std::make_unique<QSettings>(folder.filePath("settings.ini"), QSettings::IniFormat));
        window.resize(1024, 700);
        window.show();
        Visitor visitor(window);
        visitor.click(find<views::ElidedLabel>(
            window, [](const views::ElidedLabel &label) { return label.text().contains("sample"); }));
        QTRY_VERIFY(isReady(window));
        QCOMPARE(QFileInfo(window.pages().current()->path()).fileName(), "small_vision.onnx");
    }
};

QTEST_MAIN(TestTour)
#include "tst_tour.moc"
