// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Running and profiling from the window: what a backend gets, what becomes of its answers, and how it ends.

#include "core/lint/lint.h"
#include "core/passes/pipeline.h"
#include "core/tensor/numbers.h"
#include "tests/views/fake_backend.h"
#include "tests/views/view_test.h"
#include "views/appearance/theme.h"
#include "views/parts/elided_label.h"
#include "views/run/run.h"
#include "views/session/stepping.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QStandardItemModel>
#include <QTemporaryDir>

using namespace cutaway;
using namespace cutaway::views;
using sample::FakeAnswers;

namespace {

using Kind = Running::Kind;

template <class State>
bool isIn(const Session &session)
{
    return std::holds_alternative<State>(session.running().state());
}

/// The sample at s0 = 8: wide takes 1 s, act and deep 2 s together, and something that is no node half a second.
FakeAnswers someTimes()
{
    FakeAnswers answers;
    answers.nodes = {sample::timed("wide", 0, 1), sample::timed("act", 1, 2), sample::timed("reorder", 3, 0.5)};
    return answers;
}

bool give(Session &session, const std::string &binding)
{
    return session.document().give({{binding}, {}}) && sample::waitForFigures(session);
}

QPushButton *button(const QWidget &view, const QString &text)
{
    for (auto *each : view.findChildren<QPushButton *>())
        if (each->text() == text)
            return each;
    return nullptr;
}

QString write(const QTemporaryDir &folder, const QString &name, const QByteArray &content)
{
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write");
    return file.fileName();
}

QString labelText(const QWidget &view, const QString &name)
{
    for (const auto *label : view.findChildren<QLabel *>())
        if (label->accessibleName() == name)
            return label->text();
    return {};
}

bool hasRow(const QWidget &view, const QString &name)
{
    for (const QWidget *each : view.findChildren<QWidget *>())
        if (const auto *label = dynamic_cast<const ElidedLabel *>(each); label && label->text() == name)
            return true;
    return false;
}

QString stateText(const QWidget &view) { return labelText(view, "State"); }

} // namespace

class TestRunning : public QObject {
    Q_OBJECT

private slots:
    void aRunGivesEveryResultWithItsNumbers()
    {
        Session session(sample::model(sample::open));
        FakeAnswers answers;
        sample::useFake(session, answers);
        QVERIFY(give(session, "s0=8"));
        session.running().start(Kind::Run);
        QVERIFY(sample::waitForRunning(session));
        QVERIFY(isIn<Running::Done>(session));
        const RunOutputs &outputs = session.running().result()->outputs;
        QCOMPARE(outputs.backend, "Fake 1");
        QCOMPARE(outputs.all.size(), 2u);
        QCOMPARE(outputs.all[0].type, "int32 [2]");
        QCOMPARE(outputs.all[0].statistics->mean, 2.0);
        QCOMPARE(outputs.all[0].first, QStringList({"1", "3"}));
        QCOMPARE(outputs.all[1].type, "empty list");
    }

    void inputsHaveTheSizesThatAreGiven()
    {
        Session session(sample::model(sample::open));
        FakeAnswers answers;
        sample::useFake(session, answers);
        QVERIFY(give(session, "s0=8"));
        session.running().start(Kind::Run);
        QVERIFY(sample::waitForRunning(session));
        QCOMPARE(answers.inputs.size(), 1u);
        QCOMPARE(std::get<protocol::DrawnTensor>(answers.inputs[0].content).shape, std::vector<std::int64_t>({8, 4}));
        QVERIFY(session.running().result()->origin.note.isEmpty());
    }

    void anInputTakesATensorOfAFileWithItsSizes()
    {
        const QTemporaryDir folder;
        Session session(sample::model(sample::open));
        FakeAnswers answers;
        sample::useFake(session, answers);
        session.start();
        const ir::ValueId x = session.document().function().graph.at(ir::Graph::body).inputs.front();
        Running &running = session.running();
        running.setInputFile(x, write(folder, "x.json", "[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]"));
        QVERIFY(sample::waitForFigures(session));
        QCOMPARE(session.analysing().typeText(x), "float32 [3, 4]");
        running.start(Kind::Run);
        QVERIFY(sample::waitForRunning(session));
        const auto &tensor = std::get<protocol::Tensor>(answers.inputs.front().content);
        QCOMPARE(tensor::firstElements(tensor, 2), std::vector<std::string>({"1", "2"}));
        running.setInputFile(x, write(folder, "bad.json", "[[1, 2, 3]]")); // it has four columns
        QVERIFY(isIn<Running::Failed>(session));
        QVERIFY(running.setup().inputFiles().at(x).path.endsWith("x.json"));
        running.setup().setRandom(x);
        running.start(Kind::Run);
        QVERIFY(sample::waitForRunning(session));
        QVERIFY(std::holds_alternative<protocol::DrawnTensor>(answers.inputs.front().content));
    }

    void sizesThatNobodyGivesAreChosenAndTold()
    {
        Session session(sample::model(sample::open));
        FakeAnswers answers;
        sample::useFake(session, answers);
        session.start();
        session.running().start(Kind::Run);
        QVERIFY(sample::waitForRunning(session));
        QCOMPARE(std::get<protocol::DrawnTensor>(answers.inputs[0].content).shape, std::vector<std::int64_t>({5, 4}));
        QVERIFY(session.running().result()->origin.note.contains("s0 = 5"));
        answers.failure = Error{ErrorKind::Backend, "out of memory", {}};
        session.running().start(Kind::Run);
        QVERIFY(sample::waitForRunning(session));
        const auto *failed = std::get_if<Running::Failed>(&session.running().state());
        QVERIFY(failed && failed->error.where.contains("s0 = 5"));
    }

    void timesAreThoseOfTheNodes()
    {
        Session session(sample::model(sample::open));
        FakeAnswers answers = someTimes();
        QVERIFY(give(session, "s0=8"));
        QVERIFY(sample::profile(session, answers));
        const Figures &figures = *session.analysing().figures();
        QCOMPARE(figures.of(sample::node(session, "wide"), Measure::Measured).number(), 1.0);
        QCOMPARE(figures.of(sample::node(session, "act"), Measure::Measured).number(), 2.0);
        QVERIFY(!figures.of(sample::node(session, "last"), Measure::Measured).number());
        QCOMPARE(figures.of(sample::scope(session, "net"), Measure::Measured).number(), 3.0);
        QCOMPARE(figures.of(sample::scope(session, "net.wide"), Measure::Measured).number(), 1.0);
        QCOMPARE(figures.total(Measure::Measured).number(), 0.5);
        QCOMPARE(figures.shareOfTime(1.0), 1 / 3.5);
    }

    void whatRanAsOneCountsForItsFirstNode()
    {
        Session session(sample::model(sample::open));
        QVERIFY(give(session, "s0=8"));
        const ir::NodeId wide = sample::node(session, "wide"), act = sample::node(session, "act");
        const run::NodeTimes times(
            std::make_shared<const run::Timing>(
                run::Timing{{}, {}, 0, {{{wide, act}, sample::timed("wide", 0, 1)}, {{}, sample::timed("?", 1, 3)}}}),
            session.document().function().graph);
        QCOMPARE(times.of(wide), 1.0);
        QCOMPARE(times.of(act), 0.0);
        QVERIFY(!times.of(sample::node(session, "deep")));
        QCOMPARE(times.togetherWith(wide), std::vector({wide, act}));
        QVERIFY(!times.leadOf(1));
    }

    void theErrorOfAPredictionIsOfAllThatRanAsOne()
    {
        Session session(sample::model(sample::open));
        QVERIFY(give(session, "s0=8"));
        const ir::NodeId wide = sample::node(session, "wide"), act = sample::node(session, "act");
        const Figures &before = *session.analysing().figures();
        const auto timing =
            std::make_shared<const run::Timing>(run::Timing{{}, {}, 0, {{{wide, act}, sample::timed("wide", 0, 1)}}});
        const Figures figures(before.model(), lint::Origin::File, before.sharedAnalysis(), before.device(), timing);
        const double predicted = *before.of(wide, Measure::Time).number() + *before.of(act, Measure::Time).number();
        QCOMPARE(figures.measuredByPredicted(std::span(&wide, 1)), 1 / predicted);
        QVERIFY(!figures.measuredByPredicted(std::span(&act, 1)));
        QVERIFY(!before.measuredByPredicted(std::span(&wide, 1)));
    }

    void timesStayWhenPassesChangeTheModel()
    {
        Session session(sample::model(sample::open));
        FakeAnswers answers = someTimes();
        session.start();
        QVERIFY(give(session, "s0=8"));
        QVERIFY(sample::profile(session, answers));
        session.stepping().chosen().setPipeline(*passes::parsePipeline("replace-operator{from=relu to=gelu}"));
        session.stepping().run();
        QVERIFY(QTest::qWaitFor([&] { return !session.stepping().isRunning() && session.stepping().count() == 1; }));
        QVERIFY(sample::waitForFigures(session));
        QVERIFY(session.document().models().shown.model != session.document().models().file);
        QCOMPARE(session.analysing().figures()->of(sample::node(session, "wide"), Measure::Measured).number(), 1.0);
        session.running().start(Kind::Run); // runs the state that passes made, for which there is no file
        QVERIFY(sample::waitForRunning(session));
        QVERIFY(!answers.file);
    }

    void timesAreOfTheSizesTheyWereTakenWith()
    {
        Session session(sample::model(sample::open));
        FakeAnswers answers = someTimes();
        QVERIFY(give(session, "s0=8"));
        QVERIFY(sample::profile(session, answers));
        QVERIFY(give(session, "s0=9"));
        QVERIFY(!session.analysing().figures()->of(sample::node(session, "wide"), Measure::Measured).number());
        QVERIFY(give(session, "s0=8"));
        QCOMPARE(session.analysing().figures()->of(sample::node(session, "wide"), Measure::Measured).number(), 1.0);
    }

    void aFailureLeavesWhatWasThere()
    {
        Session session(sample::model(sample::open));
        FakeAnswers answers = someTimes();
        QVERIFY(give(session, "s0=8"));
        QVERIFY(sample::profile(session, answers));
        answers.failure = Error{ErrorKind::Backend, "the plugin 'fake' was killed by signal 9 (Killed)", {}};
        const std::unique_ptr<QWidget> view(makeRunView(session, nullptr));
        session.running().start(Kind::Profile);
        QVERIFY(sample::waitForRunning(session));
        QVERIFY(isIn<Running::Failed>(session));
        QCOMPARE(stateText(*view), "The plugin 'fake' was killed by signal 9 (Killed).");
        for (const auto *label : view->findChildren<QLabel *>())
            if (label->accessibleName() == "State")
                QCOMPARE(label->palette().color(label->foregroundRole()), errorColor(label->palette()));
        QVERIFY(session.running().timing());
        answers.failure.reset();
        session.running().start(Kind::Run);
        QVERIFY(sample::waitForRunning(session));
        QVERIFY(isIn<Running::Done>(session));
    }

    void aProfileOfThisMachineIsNotHeldAgainstAnAccelerator()
    {
        const QTemporaryDir folder; // nothing is known of this machine
        const QByteArray before = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
        const auto restore = qScopeGuard([&] { qputenv("XDG_CONFIG_HOME", before); });
        Session session(sample::model(sample::open));
        QCOMPARE(session.analysing().device().id, "h100-sxm");
        FakeAnswers answers = someTimes();
        QVERIFY(give(session, "s0=8"));
        const std::unique_ptr<QWidget> view(makeRunView(session, nullptr));
        view->show();
        QVERIFY(sample::profile(session, answers));
        QVERIFY(!hasRow(*view, "measured / predicted"));
        auto *measure = button(*view, "Measure this machine (2 s)");
        QVERIFY(measure);
        measure->click();
        QVERIFY(QTest::qWaitFor([&] { return !session.analysing().isMeasuring(); }, 60000));
        QVERIFY(sample::waitForFigures(session));
        QCOMPARE(session.analysing().figures()->device().id, "this-machine");
        QTRY_VERIFY(hasRow(*view, "measured / predicted"));
        QVERIFY(!button(*view, "Measure this machine (2 s)"));
        const Session next(sample::model(sample::open));
        QCOMPARE(next.analysing().device().id, "this-machine");
    }

    void stopEndsARunThatIsUnderWay()
    {
        Session session(sample::model(sample::open));
        FakeAnswers answers;
        answers.waits = true;
        sample::useFake(session, answers);
        session.start();
        const std::unique_ptr<QWidget> view(makeRunView(session, nullptr));
        button(*view, "Run")->click();
        QVERIFY(isIn<Running::Busy>(session));
        QVERIFY(!button(*view, "Run")->isEnabled());
        QVERIFY(QTest::qWaitFor([&] { return stateText(*view) != "Running…"; }));
        button(*view, "Stop")->click();
        QVERIFY(sample::waitForRunning(session));
        QVERIFY(isIn<Running::Stopped>(session));
        QVERIFY(button(*view, "Run")->isEnabled());
        QVERIFY(!session.running().result());
    }

    void endsWhileItIsRunning()
    {
        FakeAnswers answers;
        answers.waits = true;
        auto session = std::make_unique<Session>(sample::model(sample::open));
        sample::useFake(*session, answers);
        session->running().start(Kind::Run);
        session.reset();
    }

    void aBackendThatDoesNotSuitCannotBeChosenAndSaysWhy()
    {
        Session session(sample::model(sample::open));
        FakeAnswers answers;
        sample::useFake(session, answers);
        const std::unique_ptr<QWidget> view(makeRunView(session, nullptr));
        auto *backends = view->findChild<QComboBox *>();
        QCOMPARE(backends->currentText(), "fake");
        QVERIFY(backends->itemText(1).startsWith("onnxruntime (runs no "));
        QVERIFY(!qobject_cast<QStandardItemModel *>(backends->model())->item(1)->isEnabled());
        RunSettings settings = session.running().setup().settings();
        settings.backend = "onnxruntime";
        session.running().setup().setSettings(settings);
        QVERIFY(!button(*view, "Run")->isEnabled());
        session.running().start(Kind::Run);
        QVERIFY(stateText(*view).startsWith("Onnxruntime runs no "));
    }

    void aBackendThatIsNotHereCannotBeChosenAndSaysWhatToDo()
    {
        Session session(sample::model(sample::open));
        FakeAnswers answers;
        sample::useFake(session, answers);
        const RunChoices here = session.running().setup().choices();
        RunChoices choices = here;
        const std::string absence = "the plugin 'fake' cannot be used: its program run is missing; build or install it";
        choices.backends = {
            {"evaluator", "exact", false, {}},
            {"fake", "for tests", true, {"ir"}, absence},
            {"fake/torchscript", "for tests", true, {"torchscript"}, absence},
            {"onnxruntime", "runs ONNX", true, {"onnx"}, "the plugin 'onnxruntime' is not a matter here"}};
        session.running().setup().setChoices(choices);
        const std::unique_ptr<QWidget> view(makeRunView(session, nullptr));
        const auto *backends = view->findChild<QComboBox *>();
        QCOMPARE(backends->currentText(), "evaluator");
        QCOMPARE(backends->itemText(1), "fake (is not installed)");
        QVERIFY(!qobject_cast<QStandardItemModel *>(backends->model())->item(1)->isEnabled());
        QCOMPARE(labelText(*view, "Missing"),
                 "The plugin 'fake' cannot be used: its program run is missing; build or install it. "
                 "Checked again automatically.");
        session.running().start(Kind::Profile);
        QCOMPARE(stateText(*view), "Evaluator does not measure times.");
        session.running().setup().setChoices(here); // it has come
        QCOMPARE(backends->currentText(), "fake");
        QVERIFY(labelText(*view, "Missing").isEmpty());
        QVERIFY(stateText(*view).isEmpty());
        QVERIFY(button(*view, "Profile")->isEnabled());
    }

    void aChosenBackendStaysWhenItGoesAndComes()
    {
        Session session(sample::model(sample::open));
        Running &running = session.running();
        RunChoices both;
        both.backends = {{"first", "", true, {"ir"}}, {"second", "", true, {"ir"}}, {"evaluator", "", false, {}}};
        running.setup().setChoices(both);
        QCOMPARE(running.setup().settings().backend, "first");
        RunSettings settings = running.setup().settings();
        settings.backend = "second";
        running.setup().setSettings(settings);
        RunChoices one = both;
        one.backends[1].absence = "the plugin 'second' is being linked";
        running.setup().setChoices(one);
        QCOMPARE(running.setup().settings().backend, "first");
        running.setup().setChoices(both);
        QCOMPARE(running.setup().settings().backend, "second");
        settings = running.setup().settings();
        settings.target = "cluster"; // the target may have plugins that are missing here
        running.setup().setSettings(settings);
        running.setup().setChoices(one);
        QCOMPARE(running.setup().settings().backend, "second");
        QVERIFY(!running.setup().obstacle(Kind::Profile));
    }

    void aModelThatNoPluginRunsSaysSo()
    {
        Session session(sample::model(sample::open));
        RunChoices choices;
        choices.backends = {{"evaluator", "", false, {}}, {"onnxruntime", "runs ONNX", true, {"onnx"}}};
        session.running().setup().setChoices(choices);
        const std::unique_ptr<QWidget> view(makeRunView(session, nullptr));
        QVERIFY(labelText(*view, "Missing").startsWith("There is no plugin that profiles "));
        QVERIFY(!button(*view, "Profile")->isEnabled());
    }

    void devicesAreThoseThatTheBackendListsWhenTheListIsOpened()
    {
        Session session(sample::model(sample::open));
        FakeAnswers answers;
        sample::useFake(session, answers);
        const std::unique_ptr<QWidget> view(makeRunView(session, nullptr));
        view->show();
        const auto boxes = view->findChildren<QComboBox *>();
        QComboBox *devices = *std::ranges::find(boxes, QString("Device"), &QWidget::accessibleName);
        QCOMPARE(devices->count(), 1);
        devices->showPopup();
        QTRY_COMPARE(devices->itemText(0), "cpu: Z80");
        QCOMPARE(devices->count(), 2);
        QCOMPARE(devices->itemText(1), "cuda:0: Abacus");
        devices->setCurrentIndex(1);
        devices->hidePopup();
        emit devices->activated(1);
        QCOMPARE(session.running().setup().settings().options.device, "cuda:0");
        RunSettings other = session.running().setup().settings();
        other.target = "cluster";
        session.running().setup().setSettings(other); // where there may be other devices
        QCOMPARE(session.running().setup().settings().options.device, "");
        QCOMPARE(devices->count(), 1);
    }

    void theFormsFieldsAreTheSettings()
    {
        Session session(sample::model(sample::open));
        FakeAnswers answers;
        sample::useFake(session, answers);
        const std::unique_ptr<QWidget> view(makeRunView(session, nullptr));
        const auto boxes = view->findChildren<QComboBox *>();
        const auto targets = std::ranges::find(boxes, QString("Target"), &QWidget::accessibleName);
        (*targets)->setCurrentIndex(1);
        emit(*targets)->activated(1);
        QCOMPARE(session.running().setup().settings().target, "cluster");
        QCOMPARE(session.running().setup().settings().options.optimization, "all");
    }

    void librariesOfOperatorsAreKeptWhenAnotherFieldChanges()
    {
        Session session(sample::model(sample::open));
        FakeAnswers answers;
        sample::useFake(session, answers);
        RunSettings plugin = session.running().setup().settings();
        plugin.backend = "onnxruntime"; // only plugins have libraries
        session.running().setup().setSettings(plugin);
        const std::unique_ptr<QWidget> view(makeRunView(session, nullptr));
        view->show();
        const auto lines = view->findChildren<QLineEdit *>();
        QLineEdit *libraries = *std::ranges::find(lines, QString("Libraries"), &QWidget::accessibleName);
        QTest::keyClicks(libraries, "/opt/libmyops.so: libmore.so");
        QTest::keyClick(libraries, Qt::Key_Return);
        const auto boxes = view->findChildren<QComboBox *>();
        emit(*std::ranges::find(boxes, QString("Optimise"), &QWidget::accessibleName))->activated(0);
        const std::vector<std::string> expected{"/opt/libmyops.so", "libmore.so"};
        QCOMPARE(session.running().setup().settings().options.libraries, expected);
        QCOMPARE(libraries->text(), "/opt/libmyops.so:libmore.so");
    }
};

VIEW_TEST(tst_running, TestRunning)
#include "tst_running.moc"
