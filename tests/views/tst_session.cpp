// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The state that views share: what one call changes and which signals tell of it.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"

#include <algorithm>

using namespace cutaway;
using namespace cutaway::views;

class TestSession : public QObject {
    Q_OBJECT

private slots:
    void startShowsADiagram()
    {
        Session session(sample::model(), sample::quickLayout());
        QVERIFY(!session.diagram());
        session.start();
        QVERIFY(session.isLayingOut());
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(!session.diagram()->boxes.empty());
    }

    void selectTellsOnce()
    {
        Session session(sample::model(), sample::quickLayout());
        QSignalSpy spy(&session, &Session::selectionChanged);
        session.select(sample::node(session, "act"));
        session.select(sample::node(session, "act"));
        QCOMPARE(spy.count(), 1);
        QVERIFY(session.selection() == Selection(sample::node(session, "act")));
    }

    void revealOpensWhatEnclosesAndThenCentres()
    {
        Session session(sample::model(), sample::quickLayout());
        session.setDepth(0);
        QVERIFY(sample::waitForLayout(session));
        const layout::Subject conv = sample::node(session, "conv");
        QVERIFY(!has(session, conv));
        QSignalSpy centre(&session, &Session::centreRequested);
        session.reveal(sample::node(session, "conv"));
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(has(session, conv));
        QCOMPARE(centre.count(), 1);
        QVERIFY(centre.first().first().value<layout::Subject>() == conv);
    }

    void revealOfWhatIsSeenCentresAtOnce()
    {
        Session session(sample::model(), sample::quickLayout());
        session.start();
        QVERIFY(sample::waitForLayout(session));
        QSignalSpy centre(&session, &Session::centreRequested);
        QSignalSpy diagram(&session, &Session::diagramChanged);
        session.reveal(sample::node(session, "mean"));
        QCOMPARE(centre.count(), 1);
        QCOMPARE(diagram.count(), 0);
    }

    void newerRequestsReplaceOlderOnes()
    {
        Session session(sample::model(), sample::quickLayout());
        session.setDepth(0);
        QVERIFY(sample::waitForLayout(session));
        QSignalSpy diagrams(&session, &Session::diagramChanged);
        const layout::Subject stem = sample::module(session, "stem");
        for (int i = 0; i < 9; ++i)
            session.setOpen(stem, i % 2 == 0);
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(session.expansion().isOpen(stem));
        QVERIFY(has(session, sample::node(session, "conv")));
        QVERIFY2(diagrams.count() <= 2, qPrintable(QString::number(diagrams.count())));
    }

    void depthOpensAndClosesLevels()
    {
        Session session(sample::model(), sample::quickLayout());
        session.setDepth(0);
        QVERIFY(sample::waitForLayout(session));
        const layout::Subject conv = sample::node(session, "conv");
        session.openDeeper();
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(session.expansion().isOpen(sample::module(session, "stem")));
        QVERIFY(has(session, conv));
        session.closeDeepest();
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(!has(session, conv));
    }

    void cancelKeepsThePictureThatIsShown()
    {
        Session session(sample::model(), sample::quickLayout());
        session.setDepth(0);
        QVERIFY(sample::waitForLayout(session));
        const auto before = session.diagram();
        const layout::Subject stem = sample::module(session, "stem");
        session.setOpen(stem, true);
        session.cancelLayout();
        QVERIFY(sample::waitForLayout(session));
        QCOMPARE(session.diagram(), before);
        QVERIFY(!session.expansion().isOpen(stem));
    }

    void endsWhileALayoutIsUnderWay()
    {
        auto session = std::make_unique<Session>(sample::model(), sample::quickLayout());
        session->start();
        session.reset();
    }

    void whatEnclosesABranchsNode()
    {
        Session session(sample::model(), sample::quickLayout());
        const ir::NodeId branch = sample::node(session, "both");
        const auto around = enclosingBoxes(session.model(), {}, sample::node(session, "twice"));
        QVERIFY(std::ranges::contains(around, layout::Subject(branch)));
        const ir::RegionId then = session.function().graph.at(branch).regions.front();
        QVERIFY(std::ranges::contains(enclosingBoxes(session.model(), {}, then), layout::Subject(branch)));
    }

    void aModuleDoesNotEncloseItself()
    {
        Session session(sample::model(), sample::quickLayout());
        const layout::Subject stem = sample::module(session, "stem");
        const layout::Subject conv = sample::module(session, "stem.conv");
        QVERIFY(enclosingBoxes(session.model(), {}, stem).empty());
        QVERIFY(!std::ranges::contains(enclosingBoxes(session.model(), {}, conv), conv));
    }

private:
    static bool has(const Session &session, const layout::Subject &subject)
    {
        return std::ranges::contains(session.diagram()->boxes, subject, &layout::Box::subject);
    }
};

VIEW_TEST(tst_session, TestSession)
#include "tst_session.moc"
