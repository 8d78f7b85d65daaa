// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Going through steps that another program wrote down: they are shown as those of passes are, and nothing loses them.

#include "core/passes/pipeline.h"
#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/inspector/history_section.h"
#include "views/parts/elided_label.h"
#include "views/parts/property_sheet.h"
#include "views/passes/passes.h"
#include "views/passes/step_model.h"
#include "views/session/navigation.h"
#include "views/session/stepping.h"
#include "views/steps/steps.h"

#include <QAbstractItemModelTester>
#include <QLayout>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeView>
#include <chrono>
#include <semaphore>

using namespace cutaway;
using namespace cutaway::views;

namespace {

constexpr const char *compiled = R"(model "net"
symbol s0 [2, 64] hint 5
graph @forward(%x: float32[s0, 4]) {
  %drop: float32[s0, 4] = aten::dropout(input=%x, p=0.5, train=false)
  %abs: float32[s0, 4] = aten::abs(self=%drop)
  %dead: float32[s0, 4] = aten::exp(self=%x)
  return %abs
}
graph @other(%x: float32[3]) {
  %y = aten::relu(self=%x)
  return %y
}
)";

using Text = passes::Recorded::Text;

/// The states that passes make, as another program would write them down; the second one changes nothing. They are read
/// when they are asked for, each once there is a permit.
std::shared_ptr<const passes::History> unreadStepsOf(const SharedModel &model, Text second,
                                                     std::shared_ptr<std::counting_semaphore<>> permits)
{
    passes::History made(model, {0});
    made.run(*passes::parsePipeline("remove-identities,remove-identities,dead-code"));
    passes::Recording recording;
    for (int number = 1; number <= 3; ++number)
        recording.steps.push_back({.name = "PASS " + std::to_string(number),
                                   .description = "run.log, line 2",
                                   .text = number == 2 ? second : Text::Other});
    recording.readNext = [made, steps = recording.steps, permits](passes::History &history, const Task &task) {
        while (!permits->try_acquire_for(std::chrono::milliseconds(5)))
            if (task.stopRequested())
                return;
        const std::size_t at = history.steps().size();
        history.record(steps[at], 0, made.steps()[at].model, task);
    };
    auto history = std::make_shared<passes::History>(model, ir::FunctionId{0});
    history->setStart({"BEFORE", "run.log, line 1"});
    history->expect(std::make_shared<const passes::Recording>(std::move(recording)));
    return history;
}

auto permits(int count) { return std::make_shared<std::counting_semaphore<>>(count); }

std::shared_ptr<const passes::History> recordedStepsOf(const SharedModel &model, Text second = Text::Repeated)
{
    auto history = std::make_shared<passes::History>(*unreadStepsOf(model, second, permits(3)));
    while (!history->unread().empty())
        history->readNext();
    return history;
}

} // namespace

class TestRecordedSteps : public QObject {
    Q_OBJECT

private slots:
    void theyBeginWithTheFirstGraph()
    {
        Session session(sample::model(compiled));
        Stepping &stepping = shown(session);
        QCOMPARE(stepping.count(), 3u);
        QCOMPARE(stepping.position(), 0u);
        QVERIFY(stepping.next());
        QCOMPARE(stepping.position(), 1u);
        QVERIFY(stepping.next());
        QCOMPARE(stepping.position(), 3u);
        QVERIFY(!stepping.next());
        QCOMPARE(session.document().function().graph.at(ir::Graph::body).nodes.size(), 1u);
    }

    void nothingReplacesThem()
    {
        Session session(sample::model(compiled));
        Stepping &stepping = shown(session);
        stepping.goTo(3);
        stepping.chosen().setPipeline(*passes::parsePipeline("dead-code"));
        stepping.run();
        QVERIFY(QTest::qWaitFor([&] { return !stepping.isRunning(); }));
        QCOMPARE(stepping.count(), 3u);
        QCOMPARE(stepping.position(), 3u);
        QVERIFY(session.document().give({{"s0=8"}, {}}));
        QVERIFY(QTest::qWaitFor([&] { return !stepping.isRunning(); }));
        QCOMPARE(stepping.count(), 3u);
        stepping.clear();
        QCOMPARE(stepping.count(), 3u);
        QCOMPARE(stepping.position(), 0u);
        QVERIFY(session.document().isFileShown());
    }

    void theyAreThereAgainAfterAnotherFunction()
    {
        Session session(sample::model(compiled));
        Stepping &stepping = shown(session);
        stepping.goTo(3);
        session.document().setFunction({1});
        QCOMPARE(stepping.count(), 0u);
        QCOMPARE(stepping.position(), 0u);
        stepping.run();
        QVERIFY(!stepping.isRunning());
        session.document().setFunction({0});
        QTRY_COMPARE(stepping.count(), 3u);
        QVERIFY(stepping.isRecorded());
    }

    void anotherFunctionKeepsThemAwayWhileTheyArePrepared()
    {
        Session session(sample::model(compiled));
        session.start();
        Stepping &stepping = session.stepping();
        stepping.show(recordedStepsOf(session.document().models().file));
        session.document().setFunction({1});
        QVERIFY(QTest::qWaitFor([&] { return !stepping.isRunning(); }));
        QCOMPARE(stepping.count(), 0u);
        session.document().setFunction({0});
        QTRY_COMPARE(stepping.count(), 3u);
    }

    void theirNumbersAreChecked()
    {
        const std::string fixed = QString(compiled).replace("float32[s0, 4]", "float32[2, 4]").toStdString();
        Session session(sample::model(fixed.c_str()));
        Stepping &stepping = shown(session);
        stepping.setNumberCheck(Stepping::NumberCheck::Evaluator);
        QTRY_VERIFY(!stepping.isRunning() && stepping.history()->checksNumbers());
        QVERIFY(stepping.history()->steps()[2].largestError);
        QCOMPARE(stepping.count(), 3u);
    }

    void theyAreThereAsTheyAreRead()
    {
        Session session(sample::model(compiled));
        session.start();
        Stepping &stepping = session.stepping();
        const auto more = permits(0);
        stepping.show(unreadStepsOf(session.document().models().file, Text::Repeated, more));
        QCOMPARE(stepping.count(), 0u);
        QCOMPARE(stepping.total(), 3u);
        more->release();
        QTRY_COMPARE(stepping.count(), 1u);
        QVERIFY(stepping.next());
        QCOMPARE(stepping.position(), 1u);
        QVERIFY(stepping.next()); // over the one that repeats it
        QVERIFY(stepping.isAwaiting());
        QCOMPARE(stepping.position(), 1u);
        more->release(2);
        QTRY_COMPARE(stepping.position(), 3u);
        QVERIFY(!stepping.isAwaiting());
        QVERIFY(!stepping.next());
    }

    void theHistoryOfANodeWaitsForThoseThatAreBeingRead()
    {
        Session session(sample::model(compiled));
        session.start();
        Stepping &stepping = session.stepping();
        const auto more = permits(0);
        stepping.show(unreadStepsOf(session.document().models().file, Text::Repeated, more));
        session.navigation().select(sample::node(session, "dead"));
        HistorySection section(session, nullptr);
        PropertySheet sheet;
        QSignalSpy changed(&section, &HistorySection::changed);
        section.fill(sheet);
        QTRY_COMPARE(changed.size(), 1); // the steps that are read so far
        more->release();
        QTRY_COMPARE(stepping.count(), 1u);
        section.fill(sheet);
        QCOMPARE(changed.size(), 1);
        more->release(2); // the second may be shown with the third
        QTRY_VERIFY(!stepping.isRunning());
        QVERIFY(changed.size() > 1);
        const auto tellsOfTheLast = [&] {
            sheet.clear();
            section.fill(sheet);
            return std::ranges::any_of(sheet.findChildren<QWidget *>(), [](const QWidget *widget) {
                const auto *label = dynamic_cast<const ElidedLabel *>(widget);
                return label && label->text().contains("PASS 3");
            });
        };
        QTRY_VERIFY(tellsOfTheLast());
    }

    void readingThatWasStoppedGoesOnWhenAStepIsWanted()
    {
        Session session(sample::model(compiled));
        session.start();
        Stepping &stepping = session.stepping();
        const auto more = permits(1);
        stepping.show(unreadStepsOf(session.document().models().file, Text::Repeated, more));
        QTRY_COMPARE(stepping.count(), 1u);
        stepping.stop();
        QVERIFY(QTest::qWaitFor([&] { return !stepping.isRunning(); }));
        QCOMPARE(stepping.count(), 1u);
        more->release(2);
        stepping.goTo(2);
        QTRY_COMPARE(stepping.position(), 2u);
        QTRY_COMPARE(stepping.count(), 3u);
    }

    void aCheckThatWasChosenBeforeIsMade()
    {
        const std::string fixed = QString(compiled).replace("float32[s0, 4]", "float32[2, 4]").toStdString();
        Session session(sample::model(fixed.c_str()));
        session.start();
        Stepping &stepping = session.stepping();
        stepping.setNumberCheck(Stepping::NumberCheck::Evaluator);
        stepping.show(unreadStepsOf(session.document().models().file, Text::Repeated, permits(3)));
        QTRY_VERIFY(!stepping.isRunning() && stepping.history()->checksNumbers());
        QVERIFY(stepping.history()->steps()[2].largestError);
    }

    void theListHasAllOfThemAndSaysWhatIsOnlyText()
    {
        Session session(sample::model(compiled));
        session.start();
        StepModel list(session.stepping());
        const QAbstractItemModelTester tester(&list);
        const auto changes = [&] {
            QStringList texts;
            for (int row = 1; row < list.rowCount(); ++row)
                texts << list.index(row, StepModel::ChangeColumn).data().toString();
            return texts;
        };
        const auto more = permits(0);
        session.stepping().show(unreadStepsOf(session.document().models().file, Text::Other, more));
        QCOMPARE(changes(), (QStringList{"not read yet", "not read yet", "not read yet"}));
        more->release(3);
        QTRY_COMPARE(changes(), (QStringList{"−1 ~1", "only its text", "−1"}));
    }

    void aStepThatCannotBeReadIsNoStop()
    {
        Session session(sample::model(compiled));
        session.start();
        StepModel list(session.stepping());
        const auto more = permits(0);
        session.stepping().show(unreadStepsOf(session.document().models().file, Text::Unreadable, more));
        QCOMPARE(list.rowCount(), 3); // without it, as when all are read
        more->release(3);
        QTRY_COMPARE(session.stepping().count(), 3u);
        QCOMPARE(list.rowCount(), 3);
    }

    void aChangeOfAnotherModuleIsNotOneOfTheText()
    {
        const std::string inModule = QString(compiled)
                                         .replace("graph @forward", "scope act class \"Act\"\ngraph @forward")
                                         .replace("aten::exp(self=%x)", "aten::exp(self=%x) in act")
                                         .toStdString();
        Session session(sample::model(inModule.c_str()));
        session.start();
        StepModel list(session.stepping());
        session.stepping().show(unreadStepsOf(session.document().models().file, Text::Repeated, permits(3)));
        QTRY_COMPARE(session.stepping().count(), 3u);
        session.stepping().display().setScope(sample::scope(session, "act"));
        QCOMPARE(list.rowCount(), 2); // the first graph, and the step that removes a node of the module
        QCOMPARE(list.index(1, StepModel::NumberColumn).data().toString(), QStringLiteral("3"));
    }

    void theBarNamesThemAndCannotBeClosed()
    {
        Session session(sample::model(compiled));
        const std::unique_ptr<QWidget> bar(makeStepBar(session, nullptr));
        bar->show();
        Stepping &stepping = shown(session);
        const ElidedLabel *what = nullptr;
        for (const QWidget *each : bar->findChildren<QWidget *>())
            if (const auto *label = dynamic_cast<const ElidedLabel *>(each))
                what = label;
        QVERIFY(what);
        QCOMPARE(what->text(), "BEFORE");
        stepping.goTo(1);
        QVERIFY(what->text().contains("PASS 1"));
        for (const QToolButton *button : bar->findChildren<QToolButton *>())
            QVERIFY(button->toolTip() != "Back to the input file" || button->isHidden());
    }

    void theChoicesOfTheBarStayWhereTheyAreFromStepToStep()
    {
        Session session(sample::model(compiled));
        const std::unique_ptr<QWidget> bar(makeStepBar(session, nullptr));
        bar->show();
        Stepping &stepping = shown(session);
        const auto buttons = bar->findChildren<QToolButton *>();
        const auto after = std::ranges::find(buttons, QStringLiteral("After"), &QToolButton::text);
        QVERIFY(after != buttons.end());
        for (const int width : {500, 640, 700, 760, 820, 900}) {
            bar->resize(width, bar->sizeHint().height());
            std::vector<QPoint> places;
            for (std::size_t step = 0; step <= stepping.count(); ++step) {
                stepping.goTo(step);
                bar->layout()->activate();
                places.push_back((*after)->mapTo(bar.get(), QPoint()));
            }
            QVERIFY2(std::ranges::all_of(places, [&](const QPoint &place) { return place == places.front(); }),
                     qPrintable(QString::number(width)));
        }
    }

    void thePipelineIsNotTheirs()
    {
        Session session(sample::model(compiled));
        const std::unique_ptr<QWidget> view(makePassesView(session, nullptr));
        view->show();
        auto *run = view->findChild<QPushButton *>();
        QVERIFY(run->isVisible());
        shown(session);
        QVERIFY(!run->isVisible());
        const auto lists = view->findChildren<QTreeView *>();
        QCOMPARE(std::ranges::count_if(lists, &QTreeView::isVisible), 1);
        const auto step = std::ranges::find_if(lists, &QTreeView::isVisible);
        QCOMPARE((*step)->model()->index(0, 1).data().toString(), "BEFORE");
        QCOMPARE((*step)->model()->rowCount(), 3); // without the one that changes nothing
    }

private:
    static Stepping &shown(Session &session)
    {
        session.start();
        Stepping &stepping = session.stepping();
        stepping.show(recordedStepsOf(session.document().models().file));
        if (!QTest::qWaitFor([&] { return stepping.history() && !stepping.isRunning(); }))
            qFatal("the steps are not prepared");
        return stepping;
    }
};

VIEW_TEST(tst_recorded_steps, TestRecordedSteps)
#include "tst_recorded_steps.moc"
