// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Axes with round numbers, and that what is clicked in a plot is selected everywhere.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/memory/alive_model.h"
#include "views/memory/memory.h"
#include "views/memory/timeline.h"
#include "views/parts/axis.h"
#include "views/roofline/roofline.h"
#include "views/roofline/scatter.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QPushButton>
#include <QTreeView>
#include <utility>

using namespace cutaway;
using namespace cutaway::views;

namespace {

struct AnalysedPlots {
    Session session{sample::model(sample::open)};

    AnalysedPlots()
    {
        if (!session.document().give({{"s0=8"}, {}}) || !sample::waitForFigures(session))
            qFatal("no figures");
    }
};

std::unique_ptr<QWidget> shownPlot(QWidget *view)
{
    view->resize(900, 300);
    view->show();
    return std::unique_ptr<QWidget>(view);
}

} // namespace

class TestPlots : public QObject {
    Q_OBJECT

private slots:
    void ticksAreRoundNumbers_data()
    {
        using Unit = Quantity::Unit;
        QTest::addColumn<Axis>("axis");
        QTest::addColumn<QStringList>("texts");
        QTest::newRow("steps") << Axis::linear(Unit::Count, 178) << QStringList({"0", "50", "100", "150"});
        QTest::newRow("bytes") << Axis::linear(Unit::Byte, 3.2 * 1024 * 1024)
                               << QStringList({"0 B", "1 MiB", "2 MiB", "3 MiB"});
        QTest::newRow("powers of ten") << Axis::logarithmic(Unit::Flop, 3e8, 2e11).per("/s")
                                       << QStringList(
                                              {"100 MFLOP/s", "1 GFLOP/s", "10 GFLOP/s", "100 GFLOP/s", "1 TFLOP/s"});
        QTest::newRow("nothing") << Axis::linear(Unit::Count, 0) << QStringList({"0", "0.2", "0.4", "0.6", "0.8", "1"});
    }

    void ticksAreRoundNumbers()
    {
        QFETCH(Axis, axis);
        axis.place(0, 400);
        QStringList texts;
        for (const Axis::Tick &tick : axis.ticks(80))
            texts << tick.text;
        QTEST(texts, "texts");
        for (double before = -80; const Axis::Tick &tick : axis.ticks(80))
            QVERIFY(axis.toPixel(tick.value) - std::exchange(before, axis.toPixel(tick.value)) >= 79.999);
    }

    void whereOneRoundNumberHasRoomTheEndIsNamed()
    {
        Axis axis = Axis::linear(Quantity::Unit::Count, 122);
        axis.place(0, 46);
        const auto ticks = axis.ticks(36);
        QCOMPARE(ticks.size(), 2u);
        QCOMPARE(ticks.back().text, "122");
    }

    void whatIsAliveIsSortedBySize()
    {
        const AnalysedPlots analysed;
        AliveModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(analysed.session.analysing().figures(), 4); // deep of 100 and last of 200
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, AliveModel::ValueColumn).data().toString(), "last");
        QCOMPARE(model.index(0, AliveModel::BytesColumn).data().toString(), "6.25 KiB");
        QCOMPARE(model.index(1, AliveModel::TypeColumn).data().toString(), "float32 [8, 100]");
        model.show(analysed.session.analysing().figures(), std::nullopt);
        QCOMPARE(model.rowCount(), 0);
    }

    void aClickOnTheTimelineSelectsTheNode()
    {
        AnalysedPlots analysed;
        const auto view = shownPlot(makeMemoryView(analysed.session, nullptr));
        auto *timeline = view->findChild<Timeline *>();
        QTest::mouseClick(timeline, Qt::LeftButton, {}, QPointF(timeline->pixelOf(2), 60).toPoint());
        QVERIFY(analysed.session.navigation().selection() == Selection(sample::node(analysed.session, "act")));
        QCOMPARE(timeline->step(), 2u);
        analysed.session.navigation().select(sample::node(analysed.session, "deep"));
        QCOMPARE(timeline->step(), 3u);
    }

    void aClickOnWhatIsAliveSelectsIt()
    {
        AnalysedPlots analysed;
        const auto view = shownPlot(makeMemoryView(analysed.session, nullptr));
        auto *list = view->findChild<QTreeView *>();
        QCOMPARE(view->findChild<Timeline *>()->step(), 4u); // the peak
        const QRect first = list->visualRect(list->model()->index(0, 0));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, first.center());
        const auto subject =
            subjectOf(analysed.session.document().function(), analysed.session.navigation().selection());
        QVERIFY(subject == layout::Subject(sample::node(analysed.session, "last")));
    }

    void openSizesHaveATimelineAtTheirExample()
    {
        Session session(sample::model(sample::open));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const auto view = shownPlot(makeMemoryView(session, nullptr));
        auto *timeline = view->findChild<Timeline *>();
        QCOMPARE(timeline->step(), 4u); // the peak
        const QAbstractItemModel &alive = *view->findChild<QTreeView *>()->model();
        QCOMPARE(alive.index(0, AliveModel::BytesColumn).data().toString(), "~3.91 KiB"); // 5 × 200 floats
        QTest::mouseClick(timeline, Qt::LeftButton, {}, QPointF(timeline->pixelOf(2), 60).toPoint());
        QVERIFY(session.navigation().selection() == Selection(sample::node(session, "act")));
    }

    void withoutKnownSizesThereIsNoTimeline()
    {
        Session session(sample::model("model \"m\"\ngraph @forward(%x: tensor[*]) {\n"
                                      "  %y = aten::relu(self=%x)\n  return %y\n}\n"));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const auto view = shownPlot(makeMemoryView(session, nullptr));
        auto *timeline = view->findChild<Timeline *>();
        QTest::mouseClick(timeline, Qt::LeftButton, {}, QPoint(200, 60));
        QVERIFY(session.navigation().selection() == Selection{});
        QVERIFY(!timeline->highest() && !timeline->grab().isNull());
    }

    void aClickOnADotSelectsTheNode()
    {
        AnalysedPlots analysed;
        const auto view = shownPlot(makeRooflineView(analysed.session, nullptr));
        auto *scatter = view->findChild<Scatter *>();
        QCOMPARE(scatter->dotCount(), 4u);
        const auto place = scatter->placeOf(sample::node(analysed.session, "last"));
        QVERIFY(place && QRectF(scatter->rect()).contains(*place));
        QTest::mouseClick(scatter, Qt::LeftButton, {}, place->toPoint());
        QVERIFY(analysed.session.navigation().selection() == Selection(sample::node(analysed.session, "last")));
    }

    void thisMachineIsMeasuredByAButton()
    {
        AnalysedPlots analysed;
        const auto view = shownPlot(makeRooflineView(analysed.session, nullptr));
        auto *devices = view->findChild<QComboBox *>();
        for (int i = 0; i < devices->count(); ++i)
            QVERIFY(!devices->itemText(i).contains("Measure"));
        const auto buttons = view->findChildren<QPushButton *>();
        const auto measure =
            std::ranges::find_if(buttons, [](const QPushButton *b) { return b->text().startsWith("Measure"); });
        QVERIFY(measure != buttons.end() && (*measure)->isVisible() && (*measure)->isEnabled());
    }

    void openSizesHaveDotsAtTheirExampleAndAButton()
    {
        Session session(sample::model(sample::open));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const auto view = shownPlot(makeRooflineView(session, nullptr));
        QCOMPARE(view->findChild<Scatter *>()->dotCount(), 4u);
        const auto buttons = view->findChildren<QPushButton *>();
        const auto set =
            std::ranges::find_if(buttons, [](const QPushButton *b) { return b->text() == "Set s0 size…"; });
        QVERIFY(set != buttons.end() && (*set)->isVisible());
        QSignalSpy asked(&session.document(), &Document::sizesRequested);
        (*set)->click();
        QCOMPARE(asked.count(), 1);
        QVERIFY(session.document().give({{"s0=8"}, {}}));
        QVERIFY(sample::waitForFigures(session));
        QTRY_VERIFY(!(*set)->isVisible());
    }

    void theDeviceThatIsChosenIsTheSessions()
    {
        AnalysedPlots analysed;
        const auto view = shownPlot(makeRooflineView(analysed.session, nullptr));
        auto *devices = view->findChild<QComboBox *>();
        QVERIFY(devices->count() > 1);
        QCOMPARE(devices->currentData().toString().toStdString(), analysed.session.analysing().device().id);
        const int other = devices->currentIndex() == 0 ? 1 : 0;
        devices->setCurrentIndex(other);
        emit devices->activated(other);
        QVERIFY(sample::waitForFigures(analysed.session));
        QCOMPARE(analysed.session.analysing().figures()->device().id, devices->currentData().toString().toStdString());
    }
};

VIEW_TEST(tst_plots, TestPlots)
#include "tst_plots.moc"
