// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Going through the steps of passes: what is shown at each, and what stays.

#include "core/passes/pipeline.h"
#include "tests/views/fake_backend.h"
#include "tests/views/view_test.h"
#include "views/graph/canvas.h"
#include "views/parts/elided_label.h"
#include "views/parts/step_text.h"
#include "views/passes/passes.h"
#include "views/passes/pipeline_model.h"
#include "views/passes/step_model.h"
#include "views/passes/step_patterns.h"
#include "views/session/navigation.h"
#include "views/session/stepping.h"
#include "views/steps/steps.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QFocusEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalSpy>

using namespace cutaway;
using namespace cutaway::views;

namespace {

/// absolute and the dropout go, the rest stays.
constexpr const char *net = R"(model "net"
scope act class "torch.nn.ReLU"
graph @forward(%x: float32[1, 4]) {
  %drop: float32[1, 4] = aten::dropout(input=%x, p=0.5, train=false)
  %abs: float32[1, 4] = aten::absolute(self=%drop)
  %dead: float32[1, 4] = aten::exp(self=%x)
  %relu: float32[1, 4] = aten::relu(self=%abs) in act
  return %relu
}
)";

passes::Pipeline pipeline(const char *text) { return *passes::parsePipeline(text); }

bool waitForSteps(Session &session)
{
    return QTest::qWaitFor([&] { return !session.stepping().isRunning() && session.stepping().history(); }, 10000)
        && sample::waitForLayout(session);
}

} // namespace

class TestStepping : public QObject {
    Q_OBJECT

private slots:
    void runShowsTheLastStep()
    {
        Session session(sample::model(net));
        Stepping &stepping = ran(session, "remove-identities,normalize-operators,dead-code");
        QCOMPARE(stepping.count(), 3u);
        QCOMPARE(stepping.position(), 3u); // the last that changed something
        QCOMPARE(nodesOf(session), 2);
        QVERIFY(!session.drawing().marks().isEmpty());
    }

    void beginningIsTheFilesModel()
    {
        Session session(sample::model(net));
        Stepping &stepping = ran(session, "remove-identities,dead-code");
        stepping.goTo(0);
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(&session.document().model() == &session.document().file());
        QVERIFY(std::ranges::all_of(session.drawing().marks().boxes,
                                    [](const auto &box) { return box.mark == layout::Mark::None; }));
        QCOMPARE(nodesOf(session), 4);
    }

    void theDockTellsWhatTheStepDid()
    {
        Session session(sample::model(net));
        const std::unique_ptr<QWidget> view(makePassesView(session, nullptr));
        view->show();
        Stepping &stepping = ran(session, "remove-identities,normalize-operators,dead-code");
        const auto has = [&](const QString &text) {
            return std::ranges::any_of(view->findChildren<QLabel *>(), [&](const QLabel *label) {
                return label->isVisible() && label->text() == text;
            });
        };
        QVERIFY(has("exp gone"));
        stepping.goTo(2);
        QVERIFY(has("absolute → abs"));
        StepModel model(stepping);
        QCOMPARE(model.index(1, StepModel::ChangeColumn).data(Qt::ToolTipRole).toString().contains("dropout gone"),
                 true);
        stepping.goTo(0);
        QVERIFY(!has("absolute → abs"));
    }

    void aLargeStepIsToldWhenItIsFoundOut()
    {
        constexpr int nodes = 2'100;
        std::string text = "model \"net\"\ngraph @forward(%d0: float32[1, 4]) {\n";
        for (int i = 1; i <= nodes; ++i)
            text += "  %d" + std::to_string(i) + ": float32[1, 4] = aten::dropout(input=%d" + std::to_string(i - 1)
                + ", p=0.5, train=false)\n";
        text += "  %relu: float32[1, 4] = aten::relu(self=%d" + std::to_string(nodes) + ")\n  return %relu\n}\n";
        Session session(sample::model(text.c_str()));
        Stepping &stepping = ran(session, "remove-identities");
        StepPatterns patterns(stepping, nullptr);
        QSignalSpy found(&patterns, &StepPatterns::found);
        QCOMPARE(patterns.textOf(1), "");
        QCOMPARE(patterns.textOf(1), ""); // it is being found out
        QTRY_COMPARE(found.size(), 1);
        QVERIFY2(patterns.textOf(1).contains("dropout gone"), qPrintable(patterns.textOf(1)));
    }

    void removedNodesStayInThePicture()
    {
        Session session(sample::model(net));
        const ir::NodeId drop = sample::node(session, "drop");
        Stepping &stepping = ran(session, "remove-identities,dead-code");
        stepping.goTo(1);
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(hasBox(session, drop));
        session.navigation().select(drop);
        QVERIFY(session.navigation().selection() == Selection(drop));
        QVERIFY(session.document().function().graph.at(drop).removed);
        QVERIFY(!session.navigation().selectedFunction().graph.at(drop).removed);
        stepping.goTo(2);
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(!hasBox(session, drop));
        QVERIFY(session.navigation().selection() == Selection());
    }

    void nothingMovesFromStepToStep()
    {
        Session session(sample::model(net));
        const ir::NodeId relu = sample::node(session, "relu"), drop = sample::node(session, "drop");
        Stepping &stepping = ran(session, "remove-identities,dead-code,replace-operator{from=abs to=neg}");
        session.navigation().setDepth(9);
        QVERIFY(sample::waitForLayout(session));
        const double place = boxOf(session, relu)->rect.y;
        QVERIFY(!hasBox(session, drop)); // its place is kept all the same
        for (const std::size_t at : {0, 1, 2}) {
            stepping.goTo(at);
            QVERIFY(sample::waitForLayout(session));
            QCOMPARE(boxOf(session, relu)->rect.y, place);
            QCOMPARE(hasBox(session, drop), at < 2);
        }
        stepping.goTo(3);
        stepping.display().setHoldsPlaces(false);
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(boxOf(session, relu)->rect.y < place);
    }

    void boxesSayWhatTheyAreAtEachStep()
    {
        Session session(sample::model(net));
        const ir::NodeId relu = sample::node(session, "relu");
        Stepping &stepping = ran(session, "dead-code,replace-operator{from=relu to=gelu}");
        QCOMPARE(boxOf(session, relu)->lines.front().text, std::string("gelu"));
        stepping.goTo(1);
        QVERIFY(sample::waitForLayout(session));
        QCOMPARE(boxOf(session, relu)->lines.front().text, std::string("relu"));
    }

    void statesThatLaterOnesAddToAreShown()
    {
        Session session(sample::model(net));
        Stepping &stepping = ran(session, "dead-code,fuse-pointwise");
        session.analysing().setColouring(Measure::Flops);
        for (const std::size_t at : {0, 1, 2}) {
            stepping.goTo(at);
            QVERIFY(sample::waitForLayout(session));
            QVERIFY(
                QTest::qWaitFor([&] { return session.analysing().figures() && !session.analysing().isBusy(); }, 10000));
            const auto mark = [&](const layout::Box &box) {
                return session.drawing()
                    .marks()
                    .boxes[std::size_t(&box - session.drawing().diagram()->boxes.data())]
                    .mark;
            };
            const auto isShownNode = [&](const layout::Box &box) {
                return box.kind == layout::Box::Kind::Node && mark(box) != layout::Mark::Absent;
            };
            QVERIFY(std::ranges::any_of(session.drawing().diagram()->boxes,
                                        isShownNode)); // the group, or what will be in it
        }
    }

    void changesOfThePipelineAreUndone()
    {
        Session session(sample::model(net));
        Stepping &stepping = ran(session, "dead-code");
        stepping.chosen().setPipeline(pipeline("dead-code,remove-identities"));
        QVERIFY(waitForSteps(session));
        session.document().edits().undo();
        QVERIFY(waitForSteps(session));
        QCOMPARE(stepping.count(), 1u);
        session.document().edits().redo();
        QVERIFY(waitForSteps(session));
        QCOMPARE(stepping.count(), 2u);
    }

    void stepsOfOneModuleTellWhatChangedInIt()
    {
        Session session(sample::model(net));
        StepModel model(session.stepping());
        Stepping &stepping =
            ran(session, "dead-code,replace-operator{from=relu to=gelu},replace-operator{from=abs to=neg}");
        stepping.display().setScope(sample::scope(session, "act"));
        QCOMPARE(model.rowCount(), 2); // the file's, and the second
        QCOMPARE(text(model, 1, StepModel::ChangeColumn), QStringLiteral("~1"));
        stepping.goTo(0);
        QVERIFY(stepping.next());
        QCOMPARE(stepping.position(), 2u);
        QVERIFY(!stepping.next());
        stepping.display().setScope({});
        QCOMPARE(model.rowCount(), 4);
    }

    void nextSkipsStepsThatChangedNothing()
    {
        Session session(sample::model(net));
        Stepping &stepping = ran(session, "common-subexpressions,remove-identities,common-subexpressions,dead-code");
        stepping.goTo(0);
        QVERIFY(stepping.next());
        QCOMPARE(stepping.position(), 2u);
        QVERIFY(stepping.next());
        QCOMPARE(stepping.position(), 4u);
        QVERIFY(!stepping.next());
        QVERIFY(stepping.previous());
        QCOMPARE(stepping.position(), 2u);
        QVERIFY(stepping.previous());
        QCOMPARE(stepping.position(), 0u);
        QVERIFY(!stepping.previous());
    }

    void parametersThatGoAreCountedAndNotSteppedTo()
    {
        Session session(sample::model(R"(model "net"
tensor @w: float32[4] parameter
tensor @v: float32[4] parameter
module 0 "" tensors(@w, @v)
graph @forward(parameter weight %w = @w target "w", parameter weight %v = @v target "v", %x: float32[4]) {
  %drop: float32[4] = aten::dropout(input=%x, p=0.5, train=false)
  %relu: float32[4] = aten::relu(self=%drop)
  return %relu
}
)"));
        Stepping &stepping = ran(session, "remove-identities,unused-parameters");
        QCOMPARE(stepping.count(), 2u);
        QVERIFY(stepping.changes().isChange(1));
        QCOMPARE(stepDelta(stepping.changes().of(1), true, stepping.changes().removedWeights(1)),
                 QStringLiteral("2 unused parameters removed"));
        QCOMPARE(stepping.position(), 1u); // the last that the graph shows
        QVERIFY(!stepping.next());
    }

    void theBarSaysWhichOfTheChangesAStepIs()
    {
        Session session(sample::model(net));
        const std::unique_ptr<QWidget> bar(makeStepBar(session, nullptr));
        const ElidedLabel *what = nullptr;
        for (const QWidget *each : bar->findChildren<QWidget *>())
            if (const auto *label = dynamic_cast<const ElidedLabel *>(each))
                what = label;
        QVERIFY(what);
        Stepping &stepping = ran(session, "common-subexpressions,remove-identities,dead-code,common-subexpressions");
        QCOMPARE(stepping.position(), 3u);
        QVERIFY2(what->text().startsWith("3 of 4, change 2 of 2   "), qPrintable(what->text()));
        QVERIFY(stepping.previous());
        QVERIFY2(what->text().startsWith("2 of 4, change 1 of 2   "), qPrintable(what->text()));
        stepping.goTo(1); // the step changes nothing
        QVERIFY2(what->text().startsWith("1 of 4   "), qPrintable(what->text()));
    }

    void theStateBeforeHasItsOwnTexts()
    {
        Session session(sample::model(net));
        Canvas canvas(session);
        Stepping &stepping = ran(session, "normalize-operators");
        const auto shows = [&](const char *title) {
            return std::ranges::any_of(canvas.picture()->diagram().boxes, [&](const layout::Box &box) {
                return !box.lines.empty() && box.lines.front().text == title;
            });
        };
        QTRY_VERIFY(canvas.picture() && shows("abs") && !shows("absolute"));
        stepping.display().setView(StepDisplay::View::Before);
        QVERIFY(shows("absolute") && !shows("abs"));
        canvas.setSide(Side::After); // as the right one of two panes
        QVERIFY(shows("abs") && !shows("absolute"));
        canvas.setSide(Side::Before);
        QVERIFY(shows("absolute"));
    }

    void anotherPipelineIsFollowedAtOnce()
    {
        Session session(sample::model(net));
        Stepping &stepping = ran(session, "remove-identities,dead-code");
        stepping.chosen().setPipeline(pipeline("dead-code"));
        QVERIFY(waitForSteps(session));
        QCOMPARE(stepping.count(), 1u);
        QCOMPARE(stepping.position(), 1u);
        QCOMPARE(nodesOf(session), 3);
    }

    void anotherPipelineIsFollowedWhilePassesRun()
    {
        Session session(sample::model(net));
        session.start();
        Stepping &stepping = session.stepping();
        stepping.chosen().setPipeline(pipeline("dead-code"));
        stepping.run();
        stepping.chosen().setPipeline(pipeline("remove-identities,dead-code"));
        QVERIFY(waitForSteps(session));
        QCOMPARE(stepping.count(), 2u);
    }

    void givenSizesRunThePassesAnew()
    {
        Session session(sample::model(sample::open));
        Stepping &stepping = ran(session, "dead-code");
        QVERIFY(std::holds_alternative<symbolic::Expr>(stepping.history()->totalsAfter(1).cost.flops));
        QVERIFY(session.document().give({{"s0=2"}, {}}));
        QVERIFY(waitForSteps(session));
        QVERIFY(std::holds_alternative<std::int64_t>(stepping.history()->totalsAfter(1).cost.flops));
    }

    void stepsOfOtherSizesGoAtOnce()
    {
        Session session(sample::model(sample::open));
        StepModel model(session.stepping());
        Stepping &stepping = ran(session, "replace-operator{from=relu to=gelu}");
        QCOMPARE(stepping.position(), 1u);
        stepping.display().setScope(sample::scope(session, "net"));
        QVERIFY(session.document().give({{"s0=2"}, {}}));
        QVERIFY(stepping.isRunning());
        QVERIFY(!stepping.history());
        QCOMPARE(stepping.position(), 0u);
        QCOMPARE(model.rowCount(), 0);
        QVERIFY(session.document().isFileShown());
        QVERIFY(waitForSteps(session));
        QCOMPARE(stepping.position(), 1u);
        QVERIFY(stepping.display().scope() == sample::scope(session, "net"));
    }

    void passesThatRunBeginAnewWithOtherSizes()
    {
        Session session(sample::model(sample::open));
        session.start();
        Stepping &stepping = session.stepping();
        stepping.chosen().setPipeline(pipeline("replace-operator{from=relu to=gelu}"));
        stepping.run();
        for (const char *size : {"s0=2", "s0=3"}) {
            QVERIFY(session.document().give({{size}, {}}));
            QVERIFY(!stepping.history());
        }
        QVERIFY(waitForSteps(session));
        QCOMPARE(stepping.count(), 1u);
        QVERIFY(stepping.history()->modelAfter(0) == session.document().models().given);
    }

    void passesThatRunEndWithTheirFunction()
    {
        Session session(sample::model(sample::twoFunctions));
        Stepping &stepping = session.stepping();
        stepping.chosen().setPipeline(pipeline("dead-code"));
        stepping.run();
        session.document().setFunction({1});
        QTRY_VERIFY(!stepping.isRunning());
        QVERIFY(!stepping.history());
    }

    void clearForgetsTheSteps()
    {
        Session session(sample::model(net));
        Stepping &stepping = ran(session, "dead-code");
        stepping.clear();
        QVERIFY(!stepping.history());
        QCOMPARE(stepping.position(), 0u);
        QCOMPARE(nodesOf(session), 4);
    }

    void onlyChangesOpensWhatHoldsThem()
    {
        Session session(sample::model(net));
        Stepping &stepping = ran(session, "replace-operator{from=relu to=gelu}");
        stepping.display().setFocusesChanges(true);
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(hasBox(session, sample::node(session, "relu")));
    }

    void numbersAreCheckedOnDemand()
    {
        Session session(sample::model(net));
        StepModel model(session.stepping());
        Stepping &stepping = ran(session, "remove-identities,replace-operator{from=relu to=gelu}");
        QCOMPARE(text(model, 1, StepModel::ErrorColumn), QString());
        stepping.setNumberCheck(Stepping::NumberCheck::Evaluator);
        QVERIFY(waitForSteps(session));
        QCOMPARE(text(model, 1, StepModel::ErrorColumn), QStringLiteral("0"));
        QVERIFY(text(model, 2, StepModel::ErrorColumn).toDouble() > 0.001);
        stepping.setNumberCheck(Stepping::NumberCheck::None);
        QVERIFY(waitForSteps(session));
        QCOMPARE(text(model, 1, StepModel::ErrorColumn), QString());
    }

    void numbersAreCheckedByTheBackendThatRunsModels()
    {
        Session session(sample::model(net));
        sample::FakeAnswers answers;
        sample::useFake(session, answers);
        StepModel model(session.stepping());
        session.stepping().setNumberCheck(Stepping::NumberCheck::Backend);
        Stepping &stepping = ran(session, "remove-identities,replace-operator{from=relu to=gelu}");
        QCOMPARE(text(model, 2, StepModel::ErrorColumn), QStringLiteral("0")); // it answers always the same
        QCOMPARE(answers.inputs.size(), 1u);
        answers.failure = Error{ErrorKind::Backend, "it has no licence", {}};
        QSignalSpy told(&stepping, &Stepping::message);
        stepping.clear();
        stepping.run();
        QVERIFY(waitForSteps(session));
        QCOMPARE(told.last().first().toString(), "Could not check the results: it has no licence.");
        QCOMPARE(text(model, 2, StepModel::ErrorColumn), QString());
    }

    void bisectGoesToTheStepThatChangesTheNumbers()
    {
        Session session(sample::model(net));
        Stepping &stepping =
            ran(session, "remove-identities,replace-operator{from=relu to=gelu},dead-code,normalize-operators");
        QSignalSpy told(&stepping, &Stepping::message);
        stepping.bisect(1e-6);
        QVERIFY(told.wait(10000));
        QCOMPARE(stepping.position(), 2u);
        stepping.bisect(10);
        QVERIFY(told.wait(10000));
        QCOMPARE(told.last().first().toString(), "No step changes the results by more than 10.");
    }

    void pipelineModelTellsWhatCameOfEachPass()
    {
        Session session(sample::model(net));
        PipelineModel model(session.stepping());
        const QAbstractItemModelTester tester(&model);
        ran(session, "common-subexpressions,remove-identities,dead-code");
        QCOMPARE(text(model, 0, PipelineModel::OutcomeColumn), QStringLiteral("–"));
        QCOMPARE(text(model, 1, PipelineModel::OutcomeColumn), QStringLiteral("−1 ~1"));
        QCOMPARE(text(model, 2, PipelineModel::OutcomeColumn), QStringLiteral("−1"));
        QVERIFY(model.setData(model.index(1, 0), Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(waitForSteps(session));
        QCOMPARE(session.stepping().count(), 2u);
        QVERIFY(model.move(2, -1));
        QCOMPARE(text(model, 1, PipelineModel::PassColumn), QStringLiteral("dead-code"));
        QVERIFY(!model.move(0, -1));
        model.remove(0);
        QCOMPARE(model.rowCount(), 2);
    }

    void stepModelHidesWhatChangedNothing()
    {
        Session session(sample::model(net));
        StepModel model(session.stepping());
        const QAbstractItemModelTester tester(&model);
        ran(session, "common-subexpressions,remove-identities,dead-code");
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(text(model, 1, StepModel::PassColumn), QStringLiteral("remove-identities"));
        QCOMPARE(text(model, 1, StepModel::NodesColumn), QStringLiteral("3"));
        session.stepping().display().setSkipsUnchanged(false);
        QCOMPARE(model.rowCount(), 4);
        model.setFilter("dead");
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.rowOf(3), 1);
    }

    void nodesLikeTheSelectedOneAreReplaced()
    {
        Session session(sample::model(net));
        session.start();
        QVERIFY(sample::waitForLayout(session));
        session.stepping().chosen().setPipeline({});
        const std::unique_ptr<QWidget> view(makePassesView(session, nullptr));
        session.navigation().select(sample::node(session, "abs"));
        const auto actions = view->findChildren<QAction *>();
        const auto action = std::ranges::find_if(
            actions, [](const QAction *it) { return it->text() == u"Replace all occurrences of the selection…"; });
        QVERIFY(action != actions.end());
        (*action)->trigger();
        const auto word = [&](std::string_view option) {
            return session.stepping().chosen().pipeline().entries.back().settings.word(option);
        };
        QVERIFY(word("before") == "graph @before(%x1) {\n  %t1 = aten::absolute(self=%x1)\n  return %t1\n}\n");
        const auto fields = view->findChildren<QPlainTextEdit *>();
        QCOMPARE(fields.size(), 2);
        QVERIFY(fields.front()->toPlainText().toStdString() == word("before"));
        const std::string identity = "graph @after(%x1) { return %x1 }";
        fields.back()->setPlainText(QString::fromStdString(identity));
        QVERIFY(word("after") != identity); // not while it is written
        QFocusEvent left(QEvent::FocusOut);
        QCoreApplication::sendEvent(fields.back(), &left);
        QVERIFY(word("after") == identity);
        session.stepping().run();
        QVERIFY(waitForSteps(session));
        QCOMPARE(nodesOf(session), 3);
    }

private:
    static Stepping &ran(Session &session, const char *passes)
    {
        session.start();
        if (!sample::waitForLayout(session))
            qFatal("no layout");
        session.stepping().chosen().setPipeline(pipeline(passes));
        session.stepping().run();
        if (!waitForSteps(session))
            qFatal("no steps");
        return session.stepping();
    }

    static int nodesOf(const Session &session)
    {
        return int(session.document().function().graph.at(ir::Graph::body).nodes.size());
    }

    /// Nothing for one that only keeps its place.
    static const layout::Box *boxOf(const Session &session, const layout::Subject &subject)
    {
        const auto &boxes = session.drawing().diagram()->boxes;
        const auto found = std::ranges::find(boxes, subject, &layout::Box::subject);
        const bool isAbsent = found == boxes.end()
            || (!session.drawing().marks().isEmpty()
                && session.drawing().marks().boxes[std::size_t(found - boxes.begin())].mark == layout::Mark::Absent);
        return isAbsent ? nullptr : &*found;
    }

    static bool hasBox(const Session &session, const layout::Subject &subject) { return boxOf(session, subject); }

    static QString text(const QAbstractItemModel &model, int row, int column)
    {
        return model.index(row, column).data().toString();
    }
};

VIEW_TEST(tst_stepping, TestStepping)
#include "tst_stepping.moc"
