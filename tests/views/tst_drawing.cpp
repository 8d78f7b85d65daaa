// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The diagram of a session: when it is made, replaced and kept, and the marks on it.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"

#include <algorithm>

using namespace cutaway;
using namespace cutaway::views;

class TestDrawing : public QObject {
    Q_OBJECT

private slots:
    void newerRequestsReplaceOlderOnes()
    {
        Session session(sample::model());
        session.navigation().setDepth(0);
        QVERIFY(sample::waitForLayout(session));
        QSignalSpy diagrams(&session.drawing(), &Drawing::diagramChanged);
        const layout::Subject stem = sample::module(session, "stem");
        for (int i = 0; i < 9; ++i)
            session.navigation().setOpen(stem, i % 2 == 0);
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(session.navigation().expansion().isOpen(stem));
        QVERIFY(has(session, sample::node(session, "conv")));
        QVERIFY2(diagrams.count() <= 2, qPrintable(QString::number(diagrams.count())));
    }

    void aFlatFileIsDrawnWithoutLimits()
    {
        std::string nodes;
        for (int i = 0; i < 5000; ++i) {
            const std::string n = std::to_string(i), back = std::to_string(i * 7 / 8);
            nodes += "  %n" + n + " = aten::add(self=" + (i == 0 ? "%x" : "%n" + std::to_string(i - 1))
                + ", other=" + (i < 8 ? "%x" : "%n" + back) + ")\n";
        }
        Session session(sample::model(
            ("model \"flat\"\ngraph @forward(%x: float32[2]) {\n" + nodes + "  return %n4999\n}\n").c_str()));
        session.start();
        QVERIFY(QTest::qWaitFor([&] { return !session.drawing().isBusy() && session.drawing().diagram(); }, 60000));
    }

    void cancelKeepsThePictureThatIsShown()
    {
        Session session(sample::model());
        session.navigation().setDepth(0);
        QVERIFY(sample::waitForLayout(session));
        const auto before = session.drawing().diagram();
        const layout::Subject stem = sample::module(session, "stem");
        session.navigation().setOpen(stem, true);
        session.drawing().cancel();
        QVERIFY(sample::waitForLayout(session));
        QCOMPARE(session.drawing().diagram(), before);
        QVERIFY(!session.navigation().expansion().isOpen(stem));
    }

    void analysisThatComesLaterIsDrawnToo()
    {
        Session session(sample::model(sample::open));
        session.start();
        QVERIFY(sample::waitForFigures(session) && sample::waitForLayout(session));
        const auto before = session.drawing().diagram();
        QVERIFY(session.document().give({{"s0=8"}, {}}));
        QTRY_VERIFY(session.drawing().diagram() != before);
        QVERIFY(sample::waitForLayout(session));
        const auto &edges = session.drawing().diagram()->edges;
        QVERIFY(std::ranges::any_of(edges, [](const layout::Edge &edge) { return edge.label.contains("[8, "); }));
    }

    void anotherDeviceNeedsNoOtherDiagram()
    {
        Session session(sample::model(sample::open));
        session.start();
        QVERIFY(sample::waitForFigures(session) && sample::waitForLayout(session));
        QSignalSpy diagrams(&session.drawing(), &Drawing::diagramChanged);
        QSignalSpy figures(&session.analysing(), &Analysing::figuresChanged);
        session.analysing().setDevice(session.analysing().device());
        QTRY_COMPARE(figures.count(), 1);
        QVERIFY(!session.drawing().isBusy());
        QCOMPARE(diagrams.count(), 0);
    }

    void anotherFunctionLeavesNoDiagramOfTheEarlierOne()
    {
        Session session(sample::model(sample::twoFunctions));
        session.start();
        QVERIFY(sample::waitForLayout(session));
        session.navigation().setDepth(1); // under way when the function changes
        session.document().setFunction(ir::FunctionId{1});
        QVERIFY(!session.drawing().diagram());
        QVERIFY(sample::waitForLayout(session));
        const auto nodes = std::ranges::count_if(session.drawing().diagram()->boxes, [](const layout::Box &box) {
            return std::holds_alternative<ir::NodeId>(box.subject);
        });
        QCOMPARE(nodes, 1);
    }

    void stateWithOneBeforeIsDrawnWithMarks()
    {
        Session session(sample::model(sample::twoFunctions));
        session.start();
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(session.drawing().marks().isEmpty());
        const SharedModel file = session.document().models().file;
        auto after = std::make_shared<ir::Model>(*file);
        const ir::NodeId last = sample::node(session, "b");
        ir::Graph &graph = after->functions.front().graph;
        graph.setOutputs(ir::Graph::body, {ir::Operand(graph.at(sample::node(session, "a")).outputs.front())});
        graph.remove(last);
        session.document().show({after, file});
        QTRY_VERIFY(!session.drawing().marks().isEmpty());
        QVERIFY(has(session, last)); // the removed node is visible
        QVERIFY(session.drawing().nodeMarks()->of(last) == layout::Mark::Removed);
    }

private:
    static bool has(const Session &session, const layout::Subject &subject)
    {
        return std::ranges::contains(session.drawing().diagram()->boxes, subject, &layout::Box::subject);
    }
};

VIEW_TEST(tst_drawing, TestDrawing)
#include "tst_drawing.moc"
