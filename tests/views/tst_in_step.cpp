// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs that are kept in step: place, zoom and selection of what corresponds.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/graph/in_step.h"
#include "views/session/comparing.h"

#include <memory>

using namespace cutaway;
using namespace cutaway::views;

namespace {

/// The sample with a node more in front, so that all else lies lower and has another id.
constexpr const char *longer = R"(model "longer"
tensor @stem.conv.weight: float32[4, 3, 3, 3] parameter
tensor @head.weight: float32[10, 4] parameter
scope stem class "net.Stem"
scope stem.conv class "torch.nn.Conv2d"
scope stem.act class "torch.nn.ReLU"
scope head class "torch.nn.Linear"
graph @forward(%x: float32[1, 3, 8, 8], %flag: bool) {
  weight %w = @stem.conv.weight
  weight %v = @head.weight
  %first: float32[1, 3, 8, 8] = aten::abs.default(%x)
  %second: float32[1, 3, 8, 8] = aten::neg.default(%first)
  %conv: float32[1, 4, 6, 6] = aten::conv2d.default(%second, %w, stride=[1, 1]) in stem.conv
  %act: float32[1, 4, 6, 6] = aten::relu.default(%conv) in stem.act
  %mean: float32[1, 4] = aten::mean.dim(%act, [2, 3])
  %out: float32[1, 10] = aten::linear.default(%mean, %v) in head
  return %out
}
)";

/// A model in a canvas.
struct InCanvas {
    explicit InCanvas(std::shared_ptr<const ir::Model> model) : session(std::move(model))
    {
        canvas.resize(500, 400);
        session.start();
        if (!sample::waitForLayout(session) || !sample::waitForFigures(session))
            qFatal("no diagram");
    }

    ir::NodeId node(const char *name) const { return sample::node(session, name); }
    /// Where a node is on the screen, from the middle.
    QPointF at(const char *name) const
    {
        const auto box = canvas.highlighting().visibleBox(node(name));
        return canvas.viewport().toScreen(toQt(canvas.picture()->box(*box).rect).center())
            - QRectF(canvas.rect()).center();
    }
    void press() { QTest::mousePress(&canvas, Qt::MiddleButton, {}, QPoint(3, 3)); }

    Session session;
    Canvas canvas{session};
};

bool isNear(QPointF a, QPointF b) { return (a - b).manhattanLength() < 1e-6; }

} // namespace

class TestInStep : public QObject {
    Q_OBJECT

private slots:
    void twoViewsOfOneFileGoTogether()
    {
        const auto model = sample::model();
        InCanvas a(model), b(model);
        const InStep inStep({&a.canvas, &b.canvas}, a.canvas);
        QVERIFY(inStep.isReady());
        a.canvas.lookAt({30, 90}, 0.9);
        QCOMPARE(b.canvas.viewport().zoom, 0.9);
        QVERIFY(isNear(b.at("mean"), a.at("mean")));
        a.session.navigation().select(a.node("act"));
        QVERIFY(b.session.navigation().selection() == Selection(a.node("act")));
        b.session.navigation().select({});
        QVERIFY(a.session.navigation().selection() == Selection{});
    }

    void nodesOfTwoFilesAreFollowedByTheirComparison()
    {
        InCanvas a(sample::model()), b(sample::model(longer));
        const InStep inStep({&a.canvas, &b.canvas}, a.canvas);
        QVERIFY(QTest::qWaitFor([&] { return inStep.isReady(); }, 10000));
        a.session.navigation().select(a.node("mean"));
        QVERIFY(b.session.navigation().selection() == Selection(b.node("mean")));
        a.canvas.lookAt(a.canvas.sight().middle() + QPointF(11, 17), 0.7);
        QVERIFY(isNear(b.at("mean"), a.at("mean")));
        QCOMPARE(b.canvas.viewport().zoom, 0.7);
        a.session.navigation().select(a.node("both")); // the other graph lacks this node
        QVERIFY(b.session.navigation().selection() == Selection{});
    }

    void theOneThatTheUserMovesLeads()
    {
        const auto model = sample::model();
        InCanvas a(model), b(model);
        const InStep inStep({&a.canvas, &b.canvas}, a.canvas);
        const Viewport before = a.canvas.viewport();
        b.canvas.lookAt({1, 2}, 0.3); // is not the leader, so it comes back
        QCOMPARE(a.canvas.viewport().zoom, before.zoom);
        QCOMPARE(b.canvas.viewport().zoom, before.zoom);
        b.press();
        b.canvas.lookAt({30, 90}, 0.6);
        QCOMPARE(a.canvas.viewport().zoom, 0.6);
        QVERIFY(isNear(b.at("mean"), a.at("mean")));
    }

    void aRequestToOneOfThemIsFollowed()
    {
        const auto model = sample::model();
        InCanvas a(model), b(model);
        const InStep inStep({&a.canvas, &b.canvas}, a.canvas);
        b.session.navigation().reveal(b.node("out"));
        QTRY_VERIFY(b.at("out").manhattanLength() < 200 && !b.canvas.sight().isMoving());
        QVERIFY(isNear(b.at("out"), a.at("out")));
        QVERIFY(a.session.navigation().selection() == Selection(b.node("out")));
    }

    void whatIsClosedInTheOtherIsFollowedByTheBoxAroundIt()
    {
        const auto model = sample::model();
        InCanvas a(model), b(model);
        b.session.navigation().setDepth(0);
        a.session.navigation().setDepth(9);
        QVERIFY(sample::waitForLayout(a.session) && sample::waitForLayout(b.session));
        const InStep inStep({&a.canvas, &b.canvas}, a.canvas);
        a.session.navigation().select(a.node("conv"));
        a.canvas.lookAt(a.canvas.sight().middle(), 0.8);
        QVERIFY(isNear(b.at("conv"), a.at("conv"))); // the box of stem
    }

    void aNewPictureComesBackIntoStep()
    {
        const auto model = sample::model();
        InCanvas a(model), b(model);
        const InStep inStep({&a.canvas, &b.canvas}, a.canvas);
        a.canvas.lookAt({30, 90}, 0.5);
        b.session.navigation().setDepth(9);
        QVERIFY(sample::waitForLayout(b.session));
        QCOMPARE(b.canvas.viewport().zoom, 0.5);
        QCOMPARE(a.canvas.viewport().zoom, 0.5);
    }

    void statesOfOneFileAreFollowedById()
    {
        const auto model = sample::model();
        InCanvas a(model), b(model);
        auto changed = std::make_shared<ir::Model>(*model);
        ir::Graph &graph = changed->functions.front().graph;
        const ir::NodeId branch = a.node("both");
        graph.setOutputs(ir::Graph::body, {ir::Operand(graph.at(a.node("mean")).outputs.front())});
        graph.remove(branch);
        b.session.document().show({changed});
        QVERIFY(sample::waitForLayout(b.session));
        const InStep inStep({&a.canvas, &b.canvas}, a.canvas);
        QVERIFY(inStep.isReady());
        a.session.navigation().select(a.node("mean"));
        QVERIFY(b.session.navigation().selection() == Selection(a.node("mean")));
        a.session.navigation().select(branch);
        QVERIFY(b.session.navigation().selection() == Selection{});
    }

    void threeFollowOne()
    {
        const auto model = sample::model();
        InCanvas a(model), b(sample::model(longer)), c(model);
        const InStep inStep({&a.canvas, &b.canvas, &c.canvas}, b.canvas);
        QVERIFY(QTest::qWaitFor([&] { return inStep.isReady(); }, 10000));
        b.canvas.lookAt({30, 90}, 0.45);
        QCOMPARE(a.canvas.viewport().zoom, 0.45);
        QCOMPARE(c.canvas.viewport().zoom, 0.45);
        b.session.navigation().select(b.node("out"));
        QVERIFY(a.session.navigation().selection() == Selection(a.node("out")));
        QVERIFY(c.session.navigation().selection() == Selection(c.node("out")));
    }

    void comparedModelsKeepTheirSelection()
    {
        InCanvas a(sample::model());
        a.session.comparing().start(sample::model(longer));
        QVERIFY(QTest::qWaitFor([&] { return a.session.comparing().difference() != nullptr; }, 10000));
        Session &other = *a.session.comparing().other();
        Canvas second(other);
        second.resize(500, 400);
        QVERIFY(sample::waitForLayout(a.session) && sample::waitForLayout(other));
        const InStep inStep({&a.canvas, &second}, a.canvas);
        QVERIFY(inStep.isReady()); // as the comparison knows it
        a.session.navigation().select(sample::module(a.session, "stem"));
        QVERIFY(a.session.navigation().selection() == Selection(sample::module(a.session, "stem")));
        QVERIFY(other.navigation().selection() == Selection(sample::module(other, "stem")));
    }
};

VIEW_TEST(tst_in_step, TestInStep)
#include "tst_in_step.moc"
