// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The selection, open boxes, and requests to the graph.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"

#include <algorithm>
#include <functional>

using namespace cutaway;
using namespace cutaway::views;

using Change = std::function<void(Navigation &, const Session &)>;

class TestNavigation : public QObject {
    Q_OBJECT

private slots:
    void selectTellsOnce()
    {
        Session session(sample::model());
        QSignalSpy spy(&session.navigation(), &Navigation::selectionChanged);
        session.navigation().select(sample::node(session, "act"));
        session.navigation().select(sample::node(session, "act"));
        QCOMPARE(spy.count(), 1);
        QVERIFY(session.navigation().selection() == Selection(sample::node(session, "act")));
    }

    void selectIgnoresWhatIsNotThere()
    {
        Session session(sample::model());
        session.navigation().select(sample::node(session, "act"));
        session.navigation().select(ir::NodeId{1000});
        QVERIFY(session.navigation().selection() == Selection(sample::node(session, "act")));
    }

    void revealOpensWhatEnclosesAndThenCentres()
    {
        Session session(sample::model());
        session.navigation().setDepth(0);
        QVERIFY(sample::waitForLayout(session));
        const layout::Subject conv = sample::node(session, "conv");
        QVERIFY(!has(session, conv));
        QSignalSpy centre(&session.navigation(), &Navigation::centreRequested);
        session.navigation().reveal(sample::node(session, "conv"));
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(has(session, conv));
        QCOMPARE(centre.count(), 1);
        QVERIFY(centre.first().first().value<layout::Subject>() == conv);
    }

    void revealOfWhatIsSeenCentresAtOnce()
    {
        Session session(sample::model());
        session.start();
        QVERIFY(sample::waitForLayout(session));
        QSignalSpy centre(&session.navigation(), &Navigation::centreRequested);
        QSignalSpy diagram(&session.drawing(), &Drawing::diagramChanged);
        session.navigation().reveal(sample::node(session, "mean"));
        QCOMPARE(centre.count(), 1);
        QCOMPARE(diagram.count(), 0);
    }

    void selectionsAreGoneBackThroughAndForward()
    {
        Session session(sample::model());
        session.start();
        QVERIFY(sample::waitForLayout(session));
        Navigation &navigation = session.navigation();
        const auto at = [&](const char *name) {
            return navigation.selection() == Selection(sample::node(session, name));
        };
        QVERIFY(!navigation.canGo(-1) && !navigation.canGo(1));
        for (const char *name : {"conv", "act", "mean"})
            navigation.select(sample::node(session, name));
        navigation.go(-1);
        QVERIFY(at("act") && navigation.canGo(1));
        navigation.go(-1);
        QVERIFY(at("conv") && !navigation.canGo(-1));
        navigation.go(1);
        QVERIFY(at("act"));
        navigation.select({});
        navigation.go(-1); // to what was selected last
        QVERIFY(at("act"));
        navigation.select(sample::node(session, "conv")); // forgets what was ahead
        QVERIFY(!navigation.canGo(1));
        navigation.go(-1);
        QVERIFY(at("act"));
    }

    void openingAnotherBoxDropsAPendingReveal()
    {
        Session session(sample::model());
        session.navigation().setDepth(0);
        QVERIFY(sample::waitForLayout(session));
        QSignalSpy centre(&session.navigation(), &Navigation::centreRequested);
        session.navigation().reveal(sample::node(session, "conv"));
        session.navigation().setOpen(sample::module(session, "head"), true);
        QVERIFY(sample::waitForLayout(session));
        QCOMPARE(centre.count(), 0);
    }

    void depthOpensAndClosesLevels()
    {
        Session session(sample::model());
        session.navigation().setDepth(0);
        QVERIFY(sample::waitForLayout(session));
        const layout::Subject conv = sample::node(session, "conv");
        session.navigation().openDeeper();
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(session.navigation().expansion().isOpen(sample::module(session, "stem")));
        QVERIFY(has(session, conv));
        session.navigation().closeDeepest();
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(!has(session, conv));
    }

    void whatIsOpenedAndClosedIsUndone_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("text");
        QTest::newRow("one box") << Change([](Navigation &to, const Session &session) {
            to.setOpen(sample::module(session, "stem"), true);
        }) << "expansion of boxes";
        QTest::newRow("levels") << Change([](Navigation &to, const Session &) { to.setDepth(1); })
                                << "choice of expanded levels";
        QTest::newRow("focus") << Change([](Navigation &to, const Session &session) {
            to.focusOn(sample::node(session, "conv"));
        }) << "isolation of the selection";
    }
    void whatIsOpenedAndClosedIsUndone()
    {
        QFETCH(Change, change);
        QFETCH(QString, text);
        Session session(sample::model());
        session.navigation().show({});
        QVERIFY(sample::waitForLayout(session));
        QUndoStack &edits = session.document().edits();
        const layout::Subject stem = sample::module(session, "stem");
        change(session.navigation(), session);
        QCOMPARE(edits.undoText(), text);
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(session.drawing().expansion().isOpen(stem));
        edits.undo();
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(session.drawing().expansion().open.empty());
        QVERIFY(!edits.canUndo());
        edits.redo();
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(session.drawing().expansion().isOpen(stem));
    }

    void quickChangesOfBoxesAreUndoneTogether()
    {
        Session session(sample::model());
        session.navigation().show({});
        QVERIFY(sample::waitForLayout(session));
        QUndoStack &edits = session.document().edits();
        session.navigation().setOpen(sample::module(session, "stem"), true);
        session.navigation().setOpen(sample::node(session, "both"), true);
        QCOMPARE(edits.count(), 1);
        session.navigation().setDepth(0); // this edit has another kind
        QCOMPARE(edits.count(), 2);
        edits.undo();
        QVERIFY(session.navigation().expansion().isOpen(sample::node(session, "both")));
        edits.undo();
        QVERIFY(session.navigation().expansion().open.empty());
    }

    void whatIsOpenedAndClosedAtOnceIsNoEdit()
    {
        Session session(sample::model());
        session.navigation().show({});
        QVERIFY(sample::waitForLayout(session));
        session.navigation().setOpen(sample::module(session, "stem"), true);
        session.navigation().setOpen(sample::module(session, "stem"), false);
        QVERIFY(!session.document().edits().canUndo());
    }

    void focusClosesWhatIsBeside()
    {
        Session session(sample::model());
        session.navigation().show({.open = {sample::module(session, "stem"), sample::node(session, "both")},
                                   .everything = false,
                                   .flat = false});
        QVERIFY(sample::waitForLayout(session));
        session.navigation().focusOn(sample::module(session, "stem"));
        QVERIFY(session.navigation().selection() == Selection(sample::module(session, "stem")));
        QCOMPARE(session.navigation().expansion().open, std::set<layout::Subject>{sample::module(session, "stem")});
    }

    void undoShowsTheFunctionOfItsBoxes()
    {
        Session session(sample::model(sample::twoFunctions));
        session.navigation().setDepth(0);
        session.document().setFunction(ir::FunctionId{1});
        session.document().edits().undo();
        QCOMPARE(session.document().functionId().index, 0u);
    }

    void cancelledLayoutTakesBackWhatItShouldOpen()
    {
        Session session(sample::model());
        session.navigation().setDepth(0);
        QVERIFY(sample::waitForLayout(session));
        QSignalSpy centre(&session.navigation(), &Navigation::centreRequested);
        session.navigation().reveal(sample::node(session, "conv"));
        QVERIFY(session.navigation().expansion().isOpen(sample::module(session, "stem")));
        session.drawing().cancel();
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(!session.navigation().expansion().isOpen(sample::module(session, "stem")));
        QCOMPARE(centre.count(), 0);
    }

    void anotherFunctionHasNothingSelected()
    {
        Session session(sample::model(sample::twoFunctions));
        session.navigation().select(ir::NodeId{0}); // the other function has the id, too
        QSignalSpy spy(&session.navigation(), &Navigation::selectionChanged);
        session.document().setFunction(ir::FunctionId{1});
        QVERIFY(session.navigation().selection() == Selection{});
        QCOMPARE(spy.count(), 1);
    }

    void whatAPassTakesAwayIsNoLongerSelected()
    {
        Session session(sample::model());
        auto without = std::make_shared<ir::Model>(session.document().file());
        const ir::NodeId branch = sample::node(session, "both"), act = sample::node(session, "act");
        ir::Graph &graph = without->functions.front().graph;
        graph.setOutputs(ir::Graph::body, {ir::Operand(graph.at(sample::node(session, "mean")).outputs.front())});
        graph.remove(branch);
        session.navigation().select(branch);
        session.document().show({without});
        QVERIFY(session.navigation().selection() == Selection{});
        session.navigation().select(act);
        session.document().show({session.document().models().file});
        QVERIFY(session.navigation().selection() == Selection(act));
    }

private:
    static bool has(const Session &session, const layout::Subject &subject)
    {
        return std::ranges::contains(session.drawing().diagram()->boxes, subject, &layout::Box::subject);
    }
};

VIEW_TEST(tst_navigation, TestNavigation)
#include "tst_navigation.moc"
