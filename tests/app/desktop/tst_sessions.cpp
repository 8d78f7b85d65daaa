// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Saved sessions: their text, and what is found in a model that is another one now.

#include "app/desktop/keeping/kept_sessions.h"
#include "app/desktop/keeping/located_session.h"
#include "app/desktop/keeping/session_state.h"
#include "core/ir/text/text.h"
#include "core/passes/pipeline.h"
#include "core/run/backend.h"
#include "views/session/analysing.h"
#include "views/session/annotations/annotating.h"
#include "views/session/bookmarks.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

using namespace cutaway;
using namespace cutaway::desktop;
using Kind = SavedSubject::Kind;

namespace {

constexpr const char *first = R"(model "m"
symbol s0 [2, 64]
scope stem class "Stem"
graph @forward(%x: float32[s0, 4]) {
  %a = aten::relu(self=%x) name "first" in stem
  %b = aten::neg(self=%a) in stem
  %c = aten::relu(self=%b) name "last"
  return %c
}
)";

/// Returns the model with another node at its start, and without "last".
constexpr const char *later = R"(model "m"
symbol s0 [2, 16]
scope new class "New"
scope stem class "Stem"
graph @forward(%x: float32[s0, 4]) {
  %n = aten::abs(self=%x) in new
  %a = aten::relu(self=%n) name "first" in stem
  %b = aten::neg(self=%a) in stem
  return %b
}
)";

std::shared_ptr<const ir::Model> parsed(const char *text)
{
    auto model = ir::parseText(text);
    if (!model)
        qFatal("%s", model.error().text().c_str());
    return std::make_shared<const ir::Model>(*std::move(model));
}

std::unique_ptr<views::Session> started(const char *text)
{
    auto session = std::make_unique<views::Session>(parsed(text));
    session->start();
    if (!QTest::qWaitFor([&] { return !session->drawing().isBusy() && session->drawing().diagram(); }, 10000))
        qFatal("there is no diagram");
    return session;
}

SavedSession full()
{
    SavedSession session;
    session.file = "model.onnx";
    session.function = "forward";
    session.open = {{Kind::Module, "stem", {}, 1, 0}, {Kind::Group, "layers", {}, 0, 2, 3, 7}};
    session.selected = SavedSubject{Kind::Node, "first", "aten::relu", 4};
    session.view = SavedSession::View{1.5, -2, 0.25};
    session.colouring = "flops";
    session.compared = "other.onnx";
    session.data = "times.csv";
    session.trace = "run.json";
    session.against = "after.json";
    session.bindings = {"s0=8"};
    session.inputs = {"x=1x2:float32"};
    session.device = "l4";
    session.pipeline = R"({"schema":"cutaway.pipeline/1"})";
    session.step = 2;
    session.times = SavedSession::Times{R"({"schema":"cutaway.profile/1"})", "by hand", {"s0=8"}};
    session.values =
        SavedSession::Values{R"({"schema":"cutaway.run/1"})", "node,run.error\na,1\n", "by hand", {"s0=8"}};
    session.bookmarks = {{"forward", {Kind::Output, {}, {}, 0, 0}, "what comes out"}};
    return session;
}

SavedSession besideItself()
{
    SavedSession session = full();
    session.beside = {full(), sessionOfFile("other.onnx"), sessionOfFile("a … b", {"a.onnx", "b.onnx"})};
    session.inStep = true;
    return session;
}

} // namespace

class TestSessions : public QObject {
    Q_OBJECT

private slots:
    void theTextOfASession()
    {
        const std::string text = printSession(full());
        QCOMPARE(text,
                 R"({"schema":"cutaway.session/1","file":"model.onnx","function":"forward","open":[)"
                 R"({"kind":"module","path":"stem","call":1,"region":0},)"
                 R"({"kind":"group","path":"layers","call":0,"region":2,"first":3,"last":7}],)"
                 R"("selected":{"kind":"node","name":"first","op":"aten::relu","id":4},)"
                 R"("colour_by":"flops",)"
                 R"("view":{"x":1.5,"y":-2.0,"zoom":0.25},"bindings":["s0=8"],"inputs":["x=1x2:float32"],)"
                 R"("device":"l4","pipeline":{"schema":"cutaway.pipeline/1"},"step":2,"node_data":"times.csv",)"
                 R"("compared_with":"other.onnx","trace":"run.json","against":"after.json",)"
                 R"("bookmarks":[)"
                 R"({"function":"forward","on":{"kind":"output","index":0,"region":0},"note":"what comes out"}],)"
                 R"("times":{"how":"by hand","given":["s0=8"],"profile":{"schema":"cutaway.profile/1"}},)"
                 R"("values":{"how":"by hand","given":["s0=8"],"run":{"schema":"cutaway.run/1"},)"
                 R"("errors":"node,run.error\na,1\n"}})"
                 "\n");
        const auto again = parseSession(text);
        QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
        QVERIFY(*again == full());
    }

    void whatStandsBesideIsReadAsItWasWritten()
    {
        const std::string text = printSession(besideItself());
        const auto again = parseSession(text);
        QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
        QVERIFY(*again == besideItself());
        QVERIFY(text.find(R"("beside":[{"file":"model.onnx")") != std::string::npos);
        QVERIFY(text.ends_with("\"in_step\":true}\n"));
    }

    void everyKindIsReadAsItWasWritten()
    {
        SavedSession session;
        session.hidden = {"elementwise", "of a later version"};
        session.open = {{Kind::Node, "n", "aten::relu", 1},
                        {Kind::Module, "a.b", {}, 2, 3},
                        {Kind::Region, {}, {}, 4},
                        {Kind::Input, "x", {}, 5},
                        {Kind::Output, {}, {}, 6, 7},
                        {Kind::Group, "g", {}, 0, 1, 2, 3},
                        {Kind::Plumbing, "a", {}, 0, 1},
                        {Kind::Value, "v", {}, 9},
                        {Kind::Node, "a \"quoted\"\nname", "x"}};
        const auto again = parseSession(printSession(session));
        QVERIFY(again.has_value());
        QVERIFY(*again == session);
    }

    void whatIsNoSessionIsSaid_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        QTest::newRow("no JSON") << "{" << "the session is not JSON";
        QTest::newRow("a list") << "[]" << "found an array where an object is expected (the document)";
        QTest::newRow("no schema") << "{}" << "the session is of the schema '', not 'cutaway.session/1'";
        QTest::newRow("a later one") << R"({"schema":"cutaway.session/2"})"
                                     << "the session is of the schema 'cutaway.session/2', not 'cutaway.session/1'";
        const QString start = R"({"schema":"cutaway.session/1",)";
        QTest::newRow("a kind") << start + R"("open":[{"kind":"house"}]})"
                                << "'house' is nothing that a session has (open[0])";
        QTest::newRow("a zoom") << start + R"("view":{"x":0,"y":0,"zoom":0}})" << "the zoom is not above 0 (view)";
        QTest::newRow("an id") << start + R"("selected":{"kind":"node","id":-1}})"
                               << "found -1 where a number of 0 or more is expected (selected.id)";
        QTest::newRow("a session beside") << start + R"("beside":[{"open":[{"kind":"house"}]}]})"
                                          << "'house' is nothing that a session has (beside[0].open[0])";
        QTest::newRow("in step") << start + R"("in_step":1})" << "found 1 where true or false is expected (in_step)";
        QTest::newRow("a note") << start + R"("bookmarks":[{"note":7}]})"
                                << "found 7 where a text is expected (bookmarks[0].note)";
    }
    void whatIsNoSessionIsSaid()
    {
        QFETCH(QString, text);
        QFETCH(QString, error);
        const auto session = parseSession(text.toStdString());
        QVERIFY(!session);
        QCOMPARE(QString::fromStdString(session.error().text()), error);
    }

    void aLaterVersionHasTheSameThingsUnderOtherIds()
    {
        const auto before = parsed(first), after = parsed(later);
        const ir::Function &a = before->functions.front(), &b = after->functions.front();
        const auto over = [&](const views::Selection &selection) { return found(b, *savedSubject(a, selection)); };
        QVERIFY(over(ir::NodeId{0}) == views::Selection(ir::NodeId{1}));
        QVERIFY(!over(ir::NodeId{2})); // "last" is gone
        const auto module = over(layout::ScopeSubject{a.graph.at(ir::NodeId{0}).scope, ir::Graph::body});
        QVERIFY(module == views::Selection(layout::ScopeSubject{b.graph.at(ir::NodeId{1}).scope, ir::Graph::body}));
        const ir::ValueId x = a.graph.at(ir::Graph::body).inputs.front();
        QVERIFY(over(layout::InputSubject{x}) == views::Selection(layout::InputSubject{x}));
        QVERIFY(!found(b, {Kind::Output, {}, {}, 7, 0}));
        QVERIFY(!found(b, {Kind::Region, {}, {}, 1000}));
        QVERIFY(!found(b, {Kind::Node, "first", "aten::neg", 1})); // another operator
    }

    void aSessionComesBackAsItWas()
    {
        SavedSession saved;
        {
            const auto session = started(first);
            QVERIFY(session->document().give({{"s0=8"}, {}}));
            session->navigation().select(ir::NodeId{1});
            session->navigation().setDepth(0);
            session->navigation().setHiddenCategories({ops::Category::Elementwise, ops::Category::Custom});
            session->bookmarks().setNote(layout::Subject(ir::NodeId{2}), "the last one");
            session->stepping().chosen().setPipeline(*passes::parsePipeline("dead-code"));
            QTRY_VERIFY(!session->drawing().isBusy());
            saved = stateOf(*session, nullptr);
        }
        const auto session = started(first);
        const Unfit unfit = restore(saved, *session, nullptr);
        QVERIFY2(unfit.problems.isEmpty(), qPrintable(unfit.problems.join(' ')));
        QTRY_VERIFY(!session->drawing().isBusy());
        QCOMPARE(session->document().given().bindings, std::vector<std::string>{"s0=8"});
        QVERIFY(session->navigation().selection() == views::Selection(ir::NodeId{1}));
        QVERIFY(!session->navigation().expansion().isOpen(
            layout::ScopeSubject{session->document().function().graph.at(ir::NodeId{0}).scope, ir::Graph::body}));
        QCOMPARE(session->bookmarks().all().size(), 1u);
        QCOMPARE(session->bookmarks().all().front().note, "the last one");
        QVERIFY(session->stepping().chosen().pipeline() == *passes::parsePipeline("dead-code"));
        QCOMPARE(session->navigation().hiddenCategories().size(), 2u);
        QVERIFY(stateOf(*session, nullptr) == saved);
    }

    void nodeDataComesBackWithItsColour()
    {
        const QTemporaryDir folder;
        const QString table = folder.filePath("times.csv");
        QFile file(table);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("node,ms\nfirst,2\n");
        file.close();
        SavedSession saved;
        {
            const auto session = started(first);
            QVERIFY(session->annotating().open(table));
            session->analysing().setColouring(views::ByColumn{"ms"});
            saved = stateOf(*session, nullptr);
        }
        QVERIFY(saved.colouring == "data.ms");
        const auto session = started(first);
        QVERIFY(restore(saved, *session, nullptr).problems.isEmpty());
        QVERIFY(stateOf(*session, nullptr) == saved);
        QVERIFY(session->annotating().column("ms"));
        QFile::remove(table);
        const auto without = started(first);
        const Unfit unfit = restore(saved, *without, nullptr);
        QVERIFY2(unfit.problems.join(' ').contains("Node data not restored"), qPrintable(unfit.problems.join(' ')));
        QVERIFY(without->analysing().colouring() == views::Colouring(views::ByCategory{}));
        SavedSession again = stateOf(*without, nullptr);
        addRest(again, unfit.rest);
        QCOMPARE(again.data, saved.data);
    }

    void tracesComeBackWithTheirColour()
    {
        const QTemporaryDir folder;
        const QString before = folder.filePath("before.json"), after = folder.filePath("after.json");
        for (const QString &path : {before, after}) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(R"({"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 2, "tid": 2, "ts": 5, "dur": 60}]})");
        }
        SavedSession saved;
        {
            const auto session = started(first);
            session->running().openTrace(before);
            QTRY_VERIFY(session->running().trace());
            session->running().compareTrace(after);
            QTRY_VERIFY(session->running().traceChange());
            session->analysing().setColouring(views::ByColumn{"trace.calls"});
            saved = stateOf(*session, nullptr);
        }
        QCOMPARE(saved.trace, before.toStdString());
        QCOMPARE(saved.against, after.toStdString());
        {
            const auto session = started(first);
            QVERIFY(restore(saved, *session, nullptr).problems.isEmpty());
            QTRY_VERIFY(session->running().traceChange());
            QTRY_VERIFY(session->analysing().colouring() == views::Colouring(views::ByColumn{"trace.calls"}));
            QVERIFY(stateOf(*session, nullptr) == saved);
        }
        {
            const auto session = started(first);
            QVERIFY(restore(saved, *session, nullptr).problems.isEmpty());
            QVERIFY(session->running().isBusy());
            session->analysing().setColouring(views::Measure::Memory); // by the user, while the trace is read
            QTRY_VERIFY(session->running().traceChange() && !session->running().isBusy());
            QTest::qWait(50);
            QVERIFY(session->analysing().colouring() == views::Colouring(views::Measure::Memory));
        }
        QFile::remove(before);
        const auto without = started(first);
        const Unfit unfit = restore(saved, *without, nullptr);
        QVERIFY2(unfit.problems.join(' ').contains("before.json was not found"), qPrintable(unfit.problems.join(' ')));
        QVERIFY(without->running().timing()); // the times that the session has kept
        SavedSession again = stateOf(*without, nullptr);
        addRest(again, unfit.rest);
        QCOMPARE(again.trace, saved.trace);
        QCOMPARE(again.against, saved.against);
    }

    void statisticsOfValuesComeBackWithTheirColour()
    {
        SavedSession saved;
        {
            const auto session = started(first);
            session->running().setup().setChoices(
                {{{run::evaluatorName, "for tests", true, {}}, {"reference", "for tests", true, {}}},
                 {"local"},
                 {},
                 [](const views::RunSettings &) -> Result<std::unique_ptr<run::Backend>> {
                     return run::evaluatorBackend();
                 },
                 {}});
            views::RunSettings settings = session->running().setup().settings();
            settings.reference = "reference";
            session->running().setup().setSettings(settings);
            session->running().start(views::Running::Kind::Statistics);
            QTRY_VERIFY(!session->running().isBusy());
            QVERIFY(session->annotating().column("run.max"));
            session->analysing().setColouring(views::ByColumn{"run.error"});
            saved = stateOf(*session, nullptr);
        }
        QVERIFY(saved.values);
        const auto session = started(first);
        const SavedSession read = *parseSession(printSession(saved));
        const Unfit unfit = restore(read, *session, nullptr);
        QVERIFY2(unfit.problems.isEmpty(), qPrintable(unfit.problems.join(' ')));
        QVERIFY(session->annotating().activations());
        // The compared backend is the same.
        QCOMPARE(*session->annotating().column("run.error")->number(ir::NodeId{1}), 0.0);
        QVERIFY(session->annotating().column("run.max")->number(ir::NodeId{1}));
        QVERIFY(session->analysing().colouring() == views::Colouring(views::ByColumn{"run.error"}));
        QVERIFY(stateOf(*session, nullptr).values == read.values);
        saved.values->run = "{}";
        const auto without = started(first);
        const Unfit lost = restore(saved, *without, nullptr);
        QVERIFY2(lost.problems.join(' ').contains("Statistics of values not restored"),
                 qPrintable(lost.problems.join(' ')));
        QVERIFY(lost.rest.values == saved.values);
    }

    void whatAModelLacksIsSaidAndNotLost()
    {
        SavedSession saved;
        {
            const auto session = started(first);
            QVERIFY(session->document().give({{"s0=32"}, {}}));
            session->bookmarks().toggle(layout::Subject(ir::NodeId{0}));
            session->bookmarks().setNote(layout::Subject(ir::NodeId{2}), "the last one");
            saved = stateOf(*session, nullptr);
        }
        saved.pipeline = R"({"schema":"cutaway.pipeline/1","iterations":1,"passes":[{"pass":"of-a-plugin"}]})";
        saved.device = "sold";
        const auto session = started(later);
        const Unfit unfit = restore(saved, *session, nullptr);
        const QString all = unfit.problems.join('\n');
        QCOMPARE(unfit.problems.size(), 4);
        for (const char *part : {"of-a-plugin", "sold", "s0", "bookmarks"})
            QVERIFY2(all.contains(part), qPrintable(all));
        QCOMPARE(session->bookmarks().all().size(), 1u);
        QVERIFY(session->bookmarks().all().front().subject == layout::Subject(ir::NodeId{1}));
        SavedSession again = stateOf(*session, nullptr);
        addRest(again, unfit.rest);
        QCOMPARE(again.bookmarks.size(), 2u);
        QCOMPARE(again.bookmarks.back().note, "the last one");
        QCOMPARE(again.bindings, std::vector<std::string>{"s0=32"});
        QCOMPARE(again.pipeline, saved.pipeline);
    }

    void aFunctionThatIsNotThereChangesNothing()
    {
        const auto session = started(first);
        SavedSession saved = full();
        saved.function = "backward";
        const Unfit unfit = restore(saved, *session, nullptr);
        QCOMPARE(unfit.problems, QStringList{"The function backward of the session is not in this model."});
        QVERIFY(!session->document().edits().canUndo());
        SavedSession again = stateOf(*session, nullptr);
        addRest(again, unfit.rest);
        QVERIFY(again.bookmarks == saved.bookmarks);
    }

    void whatASessionChangesCanBeUndone()
    {
        SavedSession saved;
        saved.bindings = {"s0=8"};
        saved.bookmarks = {{"forward", {Kind::Node, "last", "aten::relu", 2}, "note"}};
        const auto session = started(first);
        QVERIFY(restore(saved, *session, nullptr).problems.isEmpty());
        QUndoStack &edits = session->document().edits();
        while (edits.canUndo())
            edits.undo();
        QVERIFY(session->bookmarks().all().empty());
        QVERIFY(session->document().given() == views::GivenTexts{});
    }

    void whatASessionNamesIsFoundBesideIt_data()
    {
        QTest::addColumn<QString>("named");
        QTest::addColumn<QString>("file"); // a file that exists
        QTest::addColumn<QString>("found");
        QTest::newRow("the file") << "/nowhere/net.onnx" << "net.onnx" << "net.onnx";
        QTest::newRow("an address in it") << "/nowhere/run.log#0/1/backward" << "run.log" << "run.log#0/1/backward";
        QTest::newRow("a file with a '#'") << "/nowhere/net#2.onnx" << "net#2.onnx" << "net#2.onnx";
        QTest::newRow("the file that the session is named after") << "/nowhere/old.onnx" << "own.onnx" << "own.onnx";
        QTest::newRow("nothing") << "/nowhere/run.log#0/1" << "1" << "";
    }

    void whatASessionNamesIsFoundBesideIt()
    {
        QFETCH(const QString, named);
        QFETCH(const QString, file);
        QFETCH(const QString, found);
        const QTemporaryDir folder;
        for (const auto &[name, content] :
             {std::pair(file, std::string("a model")),
              std::pair(QStringLiteral("own.onnx.cutaway.json"), printSession(sessionOfFile(named.toStdString())))}) {
            QFile written(folder.filePath(name));
            QVERIFY(written.open(QIODevice::WriteOnly) && written.write(content.c_str()) > 0);
        }
        const auto session = readLocatedSession(folder.filePath("own.onnx.cutaway.json"));
        QCOMPARE(session ? QString::fromStdString(session->file) : QString(),
                 found.isEmpty() ? QString() : folder.filePath(found));
    }

    void whatStoodBesideKeepsItsNameIfItIsNowhere()
    {
        const QTemporaryDir folder;
        SavedSession saved = sessionOfFile("/nowhere/own.onnx");
        saved.beside = {sessionOfFile("/nowhere/own.onnx"), sessionOfFile("/nowhere/other.onnx")};
        for (const auto &[name, content] :
             {std::pair("own.onnx", std::string("a model")), std::pair("own.onnx.cutaway.json", printSession(saved))}) {
            QFile written(folder.filePath(name));
            QVERIFY(written.open(QIODevice::WriteOnly) && written.write(content.c_str()) > 0);
        }
        const auto session = readLocatedSession(folder.filePath("own.onnx.cutaway.json"));
        QVERIFY(session && session->beside.size() == 2);
        QCOMPARE(QString::fromStdString(session->beside[0].file), folder.filePath("own.onnx"));
        QCOMPARE(session->beside[1].file, "/nowhere/other.onnx");
    }

    void aRowIsFoundIfAllOfItsFilesAre()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("row.cutaway.json");
        const auto write = [&](const QString &name, const std::string &content) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write(content.c_str()) > 0;
        };
        QVERIFY(write("row.cutaway.json", printSession(sessionOfFile("a … b", {"/nowhere/a.onnx", "b.onnx"}))));
        QVERIFY(write("a.onnx", "a model"));
        const auto missing = readLocatedSession(path);
        QVERIFY(!missing && missing.error().text().find("b.onnx was not found") != std::string::npos);
        QVERIFY(write("b.onnx", "a model"));
        const std::vector<std::string> row{folder.filePath("a.onnx").toStdString(),
                                           folder.filePath("b.onnx").toStdString()};
        QVERIFY(readLocatedSession(path)->row == row);
    }

    void keptSessionsAreFoundByTheirFile()
    {
        const QTemporaryDir folder;
        const KeptSessions kept(folder.filePath("sessions"));
        QVERIFY(!kept.of("/a/model.onnx"));
        QVERIFY(kept.keep("/a/model.onnx", full()).has_value());
        QVERIFY(kept.keep("/b/model.onnx", SavedSession{}).has_value());
        QVERIFY(kept.of("/a/model.onnx")->value() == full());
        QVERIFY(kept.of("/b/model.onnx")->value() == SavedSession{});
    }

    void aDamagedSessionIsPutAside()
    {
        const QTemporaryDir folder;
        const KeptSessions kept(folder.path());
        QVERIFY(kept.keep("/a/model.onnx", full()).has_value());
        const QString path = folder.filePath(QDir(folder.path()).entryList({"*.json"}).front());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("damaged") == 7);
        file.close();
        const auto found = kept.of("/a/model.onnx");
        QVERIFY(found && !*found);
        QVERIFY2(found->error().text().find(path.toStdString() + ".unread") != std::string::npos,
                 found->error().text().c_str());
        QVERIFY(QFile::exists(path + ".unread"));
        QVERIFY(!kept.of("/a/model.onnx"));
    }

    void aDamagedSessionThatCannotBePutAsideIsNamed()
    {
        const QTemporaryDir folder;
        const KeptSessions kept(folder.path());
        QVERIFY(kept.keep("/a/model.onnx", full()).has_value());
        const QString path = folder.filePath(QDir(folder.path()).entryList({"*.json"}).front());
        QVERIFY(QDir().mkpath(path + ".unread/in the way"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("damaged") == 7);
        file.close();
        const auto found = kept.of("/a/model.onnx");
        QVERIFY(found && !*found);
        QVERIFY2(found->error().text().ends_with("it is kept as " + path.toStdString() + ")"),
                 found->error().text().c_str());
    }

    void whatCannotBeKeptIsAnError()
    {
        const QTemporaryDir folder;
        QFile inTheWay(folder.filePath("sessions"));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        QVERIFY(!KeptSessions(inTheWay.fileName()).keep("/a/model.onnx", full()));
    }
};

QTEST_MAIN(TestSessions)
#include "tst_sessions.moc"
