// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Measured times in all views of nodes: beside predicted ones, over time, with one selection everywhere.

#include "core/lint/lint.h"
#include "tests/views/fake_backend.h"
#include "tests/views/item_model_test.h"
#include "tests/views/view_test.h"
#include "views/memory/timeline.h"
#include "views/modules/module_model.h"
#include "views/node_table/node_model.h"
#include "views/node_table/node_table.h"
#include "views/roofline/scatter.h"
#include "views/session/document.h"
#include "views/session/figures.h"
#include "views/session/times_text.h"
#include "views/timeline/lanes.h"
#include "views/timeline/ruler.h"

#include <QElapsedTimer>
#include <QTreeView>

using namespace cutaway;
using namespace cutaway::views;

namespace {

/// The sample at s0 = 8. wide and act run as one for 3 s, something of the backend's own for 1 s, last for 6 s.
struct ProfiledNet {
    sample::FakeAnswers answers;
    Session session{sample::model(sample::open)};

    ProfiledNet()
    {
        answers.nodes = {sample::timed("wide", 0, 3), sample::timed("reorder", 3, 1), sample::timed("last", 4, 6)};
        if (!session.document().give({{"s0=8"}, {}}) || !sample::profile(session, answers))
            qFatal("no profile");
    }

    ir::NodeId node(const char *name) const { return sample::node(session, name); }
};

QString cell(const NodeModel &model, ir::NodeId node, int column)
{
    return model.indexOf(node).siblingAtColumn(column).data().toString();
}

template <class View>
std::unique_ptr<View> shownView(Session &session)
{
    auto view = std::make_unique<View>(session);
    view->resize(900, 240);
    view->fill();
    view->show();
    return view;
}

} // namespace

class TestTimes : public QObject {
    Q_OBJECT

private slots:
    void theTableHasTimesSharesAndErrorsOfPredictions()
    {
        const ProfiledNet profiled;
        NodeModel model;
        const QAbstractItemModelTester tester(&model, fatal);
        model.setFigures(profiled.session.analysing().figures());
        QCOMPARE(cell(model, profiled.node("wide"), NodeModel::MeasuredColumn), "3 s");
        QCOMPARE(cell(model, profiled.node("wide"), NodeModel::ShareColumn), "30.0 %");
        const ir::NodeId wide = profiled.node("wide");
        QCOMPARE(cell(model, wide, NodeModel::RatioColumn),
                 numberText(Quantity::Unit::Ratio,
                            3 / *profiled.session.analysing().figures()->of(wide, Measure::Time).number()));
        QCOMPARE(cell(model, profiled.node("deep"), NodeModel::MeasuredColumn), "not timed");
        QCOMPARE(cell(model, profiled.node("deep"), NodeModel::ShareColumn), "");
        model.sort(NodeModel::MeasuredColumn, Qt::DescendingOrder);
        QCOMPARE(model.index(0, 0).data().toString(), "last");
        QCOMPARE(model.index(1, 0).data().toString(), "wide");
        model.setGrouping(NodeModel::Grouping::Operator);
        model.sort(NodeModel::ShareColumn, Qt::DescendingOrder);
        QCOMPARE(model.index(0, NodeModel::MeasuredColumn).data().toString(), "9 s");
    }

    void whatRunsAsPartOfAnotherSaysWithWhich()
    {
        const ProfiledNet profiled;
        const Figures &before = *profiled.session.analysing().figures();
        const ir::NodeId wide = profiled.node("wide"), act = profiled.node("act");
        const auto timing =
            std::make_shared<const run::Timing>(run::Timing{{}, {}, 0, {{{wide, act}, sample::timed("fused", 0, 1)}}});
        NodeModel model;
        model.setFigures(std::make_shared<const Figures>(before.model(), lint::Origin::File, before.sharedAnalysis(),
                                                         before.device(), timing));
        QCOMPARE(cell(model, act, NodeModel::MeasuredColumn), "fused with wide");
        QCOMPARE(cell(model, act, NodeModel::ShareColumn), "");
        const Figures figures(before.model(), lint::Origin::File, before.sharedAnalysis(), before.device(), timing);
        QVERIFY(timesText(figures, act).contains("fused with wide"));
        QVERIFY(timesText(figures, wide).contains("fused with act"));
        QVERIFY(timesText(before, profiled.node("deep")).startsWith("not timed"));
    }

    void nodesWithoutANameAreToldByWhatTheyAre()
    {
        const Session session(sample::model(sample::open));
        const ir::NodeId wide = sample::node(session, "wide");
        ir::Model model = session.document().model();
        ir::Graph &graph = model.functions.front().graph;
        ir::NodeDraft draft;
        draft.op = model.context->op("aten", "relu");
        const ir::NodeId outside = graph.append(ir::Graph::body, draft);
        draft.scope = graph.at(wide).scope;
        QCOMPARE(nodeText({graph, wide}), "wide");
        QCOMPARE(nodeText({graph, outside}), "relu");
        QCOMPARE(nodeText({graph, graph.append(ir::Graph::body, draft)}), "relu in net.wide");
    }

    void columnsOfAProfileAreHiddenWhereNoNodeIsTimed()
    {
        Session session(sample::model(sample::open));
        QVERIFY(session.document().give({{"s0=8"}, {}}));
        QVERIFY(sample::waitForFigures(session));
        const std::unique_ptr<QWidget> table(makeNodeTable(session, nullptr));
        table->show();
        const auto *list = table->findChild<QTreeView *>();
        QVERIFY(list->isColumnHidden(NodeModel::MeasuredColumn));
        QVERIFY(!list->isColumnHidden(NodeModel::TimeColumn));
        sample::FakeAnswers answers; // the backend times only whole runs
        QVERIFY(sample::profile(session, answers));
        QVERIFY(list->isColumnHidden(NodeModel::MeasuredColumn));
        answers.nodes = {sample::timed("last", 0, 1)};
        QVERIFY(sample::profile(session, answers));
        QVERIFY(!list->isColumnHidden(NodeModel::MeasuredColumn));
        session.running().forget();
        QVERIFY(sample::waitForFigures(session));
        QVERIFY(list->isColumnHidden(NodeModel::MeasuredColumn));
    }

    void modulesHaveTheTimeOfWhatTheyCall()
    {
        const ProfiledNet profiled;
        ModuleModel model(profiled.session.document());
        model.setFigures(profiled.session.analysing().figures());
        const auto text = [&](const char *path) {
            return model.indexOf(sample::scope(profiled.session, path), ModuleModel::MeasuredColumn).data().toString();
        };
        QCOMPARE(text("net"), "3 s");
        QCOMPARE(text("net.wide"), "3 s");
    }

    void ringsOfTheRooflineAreWhatWasReached()
    {
        ProfiledNet profiled;
        const auto scatter = shownView<Scatter>(profiled.session);
        QCOMPARE(scatter->ringCount(), 2u);
        QVERIFY(!scatter->measuredPlaceOf(profiled.node("deep")));
        const auto dot = scatter->placeOf(profiled.node("last")),
                   ring = scatter->measuredPlaceOf(profiled.node("last"));
        QVERIFY(dot && ring);
        QVERIFY(qAbs(dot->x() - ring->x()) < 1); // as many operations per byte
        QVERIFY(ring->y() > dot->y());           // and slower
        QTest::mouseClick(scatter.get(), Qt::LeftButton, {}, ring->toPoint());
        QVERIFY(profiled.session.navigation().selection() == Selection(profiled.node("last")));
        QVERIFY(!scatter->grab().isNull());
    }

    void memoryThatWasMeasuredStandsBesideThePredictedOne()
    {
        ProfiledNet profiled;
        const auto none = shownView<Timeline>(profiled.session);
        QVERIFY(!none->measuredAt(4));
        profiled.answers.nodes.back().memory = 12'345; // the memory of the node `last`
        QVERIFY(sample::profile(profiled.session, profiled.answers));
        const auto memory = shownView<Timeline>(profiled.session);
        QCOMPARE(memory->measuredAt(4), 12'345.0);
        QVERIFY(!memory->measuredAt(1));
        QVERIFY(!memory->grab().isNull());
    }

    void theTimelineHasABoxForAllThatWasTimed()
    {
        ProfiledNet profiled;
        const auto lanes = shownView<Lanes>(profiled.session);
        QCOMPARE(lanes->boxCount(), 3u);
        QCOMPARE(lanes->range(), std::pair(0.0, 10.0));
        const auto wide = lanes->placeOf(profiled.node("wide")), last = lanes->placeOf(profiled.node("last"));
        QVERIFY(wide && last && !lanes->placeOf(profiled.node("deep")));
        QCOMPARE(last->width(), 2 * wide->width());
        QVERIFY(last->left() > wide->right());
        QVERIFY(!lanes->grab().isNull());
    }

    void tenThousandNodesAreDrawnWithoutDelay()
    {
        constexpr int count = 10'000;
        std::string text = "model \"long\"\ngraph @forward(%x: float32[2]) {\n";
        std::vector<protocol::Profile::NodeTime> times;
        for (int i = 0; i < count; ++i) {
            text += "  %n" + std::to_string(i) + " = aten::relu(self=%" + (i == 0 ? "x" : "n" + std::to_string(i - 1))
                + ")\n";
            times.push_back(sample::timed("n" + std::to_string(i), i * 1e-6, 0.9e-6));
        }
        text += "  return %n" + std::to_string(count - 1) + "\n}\n";
        Session session(sample::model(text.c_str()));
        sample::FakeAnswers answers;
        answers.nodes = std::move(times);
        session.start();
        QVERIFY(sample::profile(session, answers));
        const auto lanes = shownView<Lanes>(session);
        QCOMPARE(lanes->boxCount(), std::size_t(count));
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; i < 10; ++i) {
            turnWheel(*lanes, lanes->rect().center(), {0, 120});
            QTest::mouseMove(lanes.get(), lanes->rect().center() + QPoint(i, 0));
            QVERIFY(!lanes->grab().isNull());
        }
        qInfo("a picture takes %.1f ms", double(clock.elapsed()) / 10);
        QVERIFY(clock.elapsed() < 10 * 500); // far more than it takes, for a busy machine
    }

    void aClickOnABoxSelectsTheNode()
    {
        ProfiledNet profiled;
        const auto lanes = shownView<Lanes>(profiled.session);
        QTest::mouseClick(lanes.get(), Qt::LeftButton, {}, lanes->placeOf(profiled.node("last"))->center().toPoint());
        QVERIFY(profiled.session.navigation().selection() == Selection(profiled.node("last")));
        QTest::keyClick(lanes.get(), Qt::Key_Left); // over what is no node
        QVERIFY(profiled.session.navigation().selection() == Selection(profiled.node("wide")));
    }

    void theWheelZoomsAtThePointer()
    {
        ProfiledNet profiled;
        const auto lanes = shownView<Lanes>(profiled.session);
        const QPointF at = lanes->placeOf(profiled.node("last"))->topLeft() + QPointF(0, 4);
        turnWheel(*lanes, at, {0, 480});
        const auto [from, to] = lanes->range();
        QVERIFY(to - from < 5);
        QVERIFY(qAbs(lanes->placeOf(profiled.node("last"))->left() - at.x()) < 0.5);
        turnWheel(*lanes, at, {0, -240}, Qt::ShiftModifier); // later
        QVERIFY(lanes->range().first > from);
        QTest::keyClick(lanes.get(), Qt::Key_0);
        QCOMPARE(lanes->range(), std::pair(0.0, 10.0));
        turnWheel(*lanes, at, {0, -480}); // not farther than the run
        QCOMPARE(lanes->range(), std::pair(0.0, 10.0));
    }

    void whatIsSelectedElsewhereComesIntoSight()
    {
        ProfiledNet profiled;
        const auto lanes = shownView<Lanes>(profiled.session);
        turnWheel(*lanes, lanes->placeOf(profiled.node("wide"))->topLeft(), {0, 1200});
        QVERIFY(lanes->range().second < 4);
        profiled.session.navigation().select(profiled.node("last"));
        QVERIFY(lanes->range().second > 4);
    }

    void draggingMovesAndSelectsNothing()
    {
        ProfiledNet profiled;
        const auto lanes = shownView<Lanes>(profiled.session);
        turnWheel(*lanes, lanes->placeOf(profiled.node("last"))->center(), {0, 480});
        const double from = lanes->range().first;
        const QPoint at = lanes->rect().center();
        QTest::mousePress(lanes.get(), Qt::LeftButton, {}, at);
        QTest::mouseMove(lanes.get(), at + QPoint(60, 0));
        QTest::mouseRelease(lanes.get(), Qt::LeftButton, {}, at + QPoint(60, 0));
        QVERIFY(lanes->range().first < from);
        QVERIFY(profiled.session.navigation().selection() == Selection{});
    }

    void ticksAreAtRoundSecondsAndTellApart_data()
    {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<QStringList>("texts");
        QTest::newRow("a run") << 0.0 << 0.0828 << QStringList({"0 ms", "20 ms", "40 ms", "60 ms", "80 ms"});
        QTest::newRow("a part of it") << 0.01234 << 0.01235
                                      << QStringList({"12.340 ms", "12.342 ms", "12.344 ms", "12.346 ms", "12.348 ms",
                                                      "12.350 ms"});
        QTest::newRow("seconds") << 0.0 << 2.4 << QStringList({"0.0 s", "0.5 s", "1.0 s", "1.5 s", "2.0 s"});
        QTest::newRow("nothing") << 1.0 << 1.0 << QStringList();
    }

    void ticksAreAtRoundSecondsAndTellApart()
    {
        QFETCH(double, from);
        QFETCH(double, to);
        QStringList texts;
        for (const RulerTick &tick : rulerTicks(from, to, 5))
            texts << tick.text;
        QTEST(texts, "texts");
    }
};

VIEW_TEST(tst_times, TestTimes)
#include "tst_times.moc"
