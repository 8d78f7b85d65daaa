// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Two models beside each other: what differs, and what is selected in both.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/differences/difference_model.h"
#include "views/inspector/inspector.h"
#include "views/parts/elided_label.h"
#include "views/session/annotations/annotating.h"
#include "views/session/comparing.h"
#include "views/session/running.h"
#include "views/session/stepping.h"

#include <QAbstractItemModelTester>
#include <QLabel>

using namespace cutaway;
using namespace cutaway::views;

namespace {

constexpr const char *first = R"(model "first"
graph @forward(%x: float32[1, 4]) {
  %a: float32[1, 4] = aten::relu(self=%x)
  %b: float32[1, 4] = aten::softmax.int(self=%a, dim=1)
  %c: float32[1, 4] = aten::exp(self=%b)
  return %c
}
)";
/// Another dim, and a node more.
constexpr const char *second = R"(model "second"
graph @forward(%x: float32[1, 4]) {
  %p: float32[1, 4] = aten::relu(self=%x)
  %q: float32[1, 4] = aten::softmax.int(self=%p, dim=0)
  %n: float32[1, 4] = aten::neg(self=%q)
  %r: float32[1, 4] = aten::exp(self=%n)
  return %r
}
)";

/// The first model with the second beside it, compared.
struct ComparedModels {
    ComparedModels() : session(sample::model(first))
    {
        session.start();
        session.comparing().start(sample::model(second));
        if (!QTest::qWaitFor([this] { return session.comparing().difference() && settled(); }, 10000))
            qFatal("not compared");
    }
    bool settled() const
    {
        return session.drawing().diagram() && other().drawing().diagram() && !session.drawing().isBusy()
            && !other().drawing().isBusy();
    }
    const Session &other() const { return *const_cast<Session &>(session).comparing().other(); }
    Session &other() { return *session.comparing().other(); }

    Session session;
};

QStringList sheetTexts(const QWidget &sheet)
{
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QStringList all;
    for (const QWidget *widget : sheet.findChildren<QWidget *>()) {
        if (const auto *label = dynamic_cast<const ElidedLabel *>(widget))
            all << label->text();
        else if (const auto *plain = qobject_cast<const QLabel *>(widget))
            all << plain->text();
    }
    return all;
}

} // namespace

class TestComparing : public QObject {
    Q_OBJECT

private slots:
    void aRunWithStatisticsComparesValuesEdgeByEdge()
    {
        ComparedModels models;
        Running &running = models.session.running();
        running.setup().setChoices(
            {{{run::evaluatorName, "for tests", true, {}}},
             {"local"},
             {},
             [](const RunSettings &) -> Result<std::unique_ptr<run::Backend>> { return run::evaluatorBackend(); },
             {}});
        running.start(Running::Kind::Statistics);
        QTRY_VERIFY(!running.isBusy());
        QVERIFY(std::holds_alternative<Running::Done>(running.state()));
        const node_data::Column *error = models.session.annotating().column("run.error");
        QVERIFY(error);
        QCOMPARE(*error->number(sample::node(models.session, "a")), 0.0);
        QVERIFY(*error->number(sample::node(models.session, "b")) > 0); // softmax over another dim
        QVERIFY(*models.session.annotating().column("run.cosine")->number(sample::node(models.session, "b")) < 1);
        QVERIFY(error->number(sample::node(models.session, "c"))); // the result of the model, too
        models.session.comparing().end();
        running.start(Running::Kind::Statistics);
        QTRY_VERIFY(!running.isBusy());
        QVERIFY(!models.session.annotating().column("run.error"));
        QVERIFY(models.session.annotating().column("run.magnitude"));
    }

    void anInputOfAnotherTypeIsARow()
    {
        Session session(
            sample::model("model \"a\"\ngraph @forward(%x: float32[2]) { %a = aten::relu(self=%x) return %a }\n"));
        session.start();
        session.comparing().start(
            sample::model("model \"b\"\ngraph @forward(%y: float16[2]) { %b = aten::relu(self=%y) return %b }\n"));
        QVERIFY(QTest::qWaitFor([&] { return session.comparing().difference() != nullptr; }, 10000));
        DifferenceModel model(session);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.index(0, DifferenceModel::FirstColumn).data().toString(), QStringLiteral("input 0"));
        QVERIFY(model.index(0, DifferenceModel::WhatColumn).data().toString().contains("float16"));
        QVERIFY(sample::waitForLayout(session) && sample::waitForLayout(*session.comparing().other()));
        session.comparing().reveal(model.row(0));
        QVERIFY(std::holds_alternative<layout::InputSubject>(session.navigation().selection()));
        QVERIFY(std::holds_alternative<layout::InputSubject>(session.comparing().other()->navigation().selection()));
    }

    void aModuleSelectsItsPartner()
    {
        Session session(sample::model());
        session.start();
        session.comparing().start(sample::model());
        QVERIFY(QTest::qWaitFor([&] { return session.comparing().difference() != nullptr; }, 10000));
        QVERIFY(sample::waitForLayout(session) && sample::waitForLayout(*session.comparing().other()));
        for (const char *path : {"stem", "stem.conv", "head"}) {
            session.navigation().reveal(sample::module(session, path));
            const Selection partner = session.comparing().other()->navigation().selection();
            QVERIFY2(partner != Selection{}, path);
            QCOMPARE(scopeOf(session.document().function(), partner), sample::scope(session, path));
        }
    }

    void rowsAreInTheOrderOfTheFirst()
    {
        ComparedModels compared;
        DifferenceModel model(compared.session);
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(text(model, 0, DifferenceModel::SignColumn), QStringLiteral("~"));
        QCOMPARE(text(model, 0, DifferenceModel::FirstColumn), QStringLiteral("b"));
        QCOMPARE(text(model, 0, DifferenceModel::SecondColumn), QStringLiteral("q"));
        QVERIFY(text(model, 0, DifferenceModel::WhatColumn).contains("dim"));
        QCOMPARE(text(model, 1, DifferenceModel::SignColumn), QStringLiteral("+"));
        QCOMPARE(text(model, 1, DifferenceModel::SecondColumn), QStringLiteral("n"));
        model.setFilter("neg", false);
        QCOMPARE(model.rowCount(), 1);
    }

    void nodesAreMarkedInBothGraphs()
    {
        ComparedModels compared;
        using layout::Mark;
        QCOMPARE(compared.session.drawing().nodeMarks()->of(sample::node(compared.session, "b")), Mark::Changed);
        QCOMPARE(compared.session.drawing().nodeMarks()->of(sample::node(compared.session, "a")), Mark::None);
        QCOMPARE(compared.other().drawing().nodeMarks()->of(sample::node(compared.other(), "n")), Mark::Added);
        QVERIFY(!compared.session.drawing().marks().isEmpty());
        QVERIFY(!compared.other().drawing().marks().isEmpty());
    }

    void selectionIsCarriedOver()
    {
        ComparedModels compared;
        compared.session.navigation().select(sample::node(compared.session, "c"));
        QVERIFY(compared.other().navigation().selection() == Selection(sample::node(compared.other(), "r")));
        compared.other().navigation().select(sample::node(compared.other(), "p"));
        QVERIFY(compared.session.navigation().selection() == Selection(sample::node(compared.session, "a")));
        compared.other().navigation().select(sample::node(compared.other(), "n"));
        QVERIFY(compared.session.navigation().selection() == Selection());
    }

    void revealShowsARowOnBothSides()
    {
        ComparedModels compared;
        compared.session.comparing().reveal(compared.session.comparing().rows().front());
        QVERIFY(compared.session.navigation().selection() == Selection(sample::node(compared.session, "b")));
        QVERIFY(compared.other().navigation().selection() == Selection(sample::node(compared.other(), "q")));
    }

    void aReplacedRegionIsOneRowThatMarksAllOfIt()
    {
        Session session(sample::model(R"(model "a"
graph @forward(%x: float32[1, 4]) {
  %a: float32[1, 4] = aten::relu(self=%x)
  %b: float32[1, 4] = aten::sin(self=%a)
  %c: float32[1, 4] = aten::cos(self=%b)
  %d: float32[1, 4] = aten::exp(self=%c)
  return %d
}
)"));
        session.start();
        session.comparing().start(sample::model(R"(model "b"
graph @forward(%x: float32[1, 4]) {
  %p: float32[1, 4] = aten::relu(self=%x)
  %q: float32[1, 4] = aten::neg(self=%p)
  %r: float32[1, 4] = aten::abs(self=%q)
  %s: float32[1, 4] = aten::tanh(self=%r)
  %t: float32[1, 4] = aten::exp(self=%s)
  return %t
}
)"));
        Session &other = *session.comparing().other();
        QVERIFY(QTest::qWaitFor([&] { return session.comparing().difference() != nullptr; }, 10000));
        QVERIFY(sample::waitForLayout(session) && sample::waitForLayout(other));
        DifferenceModel model(session);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(text(model, 0, DifferenceModel::SignColumn), QStringLiteral("≠"));
        QCOMPARE(text(model, 0, DifferenceModel::FirstColumn), QStringLiteral("b, c"));
        QCOMPARE(text(model, 0, DifferenceModel::SecondColumn), QStringLiteral("q, r, s"));
        QVERIFY(text(model, 0, DifferenceModel::WhatColumn).startsWith("replaced region: 2 nodes by 3 nodes"));
        session.comparing().reveal(model.row(0));
        using layout::Mark;
        QVERIFY(session.drawing().fadesUnmarked() && other.drawing().fadesUnmarked());
        for (const char *name : {"b", "c"})
            QCOMPARE(session.drawing().nodeMarks()->of(sample::node(session, name)), Mark::Removed);
        for (const char *name : {"q", "r", "s"})
            QCOMPARE(other.drawing().nodeMarks()->of(sample::node(other, name)), Mark::Added);
        QCOMPARE(session.drawing().nodeMarks()->of(sample::node(session, "a")), Mark::None);
        const std::unique_ptr<QWidget> sheet(makeInspector(session, nullptr));
        session.navigation().select(sample::node(session, "c"));
        QVERIFY(!session.drawing().fadesUnmarked());
        QVERIFY(QTest::qWaitFor([&] { return sheetTexts(*sheet).join('|').contains("replaced region"); }, 5000));
        QVERIFY(!sheetTexts(*sheet).join('|').contains("No matching node"));
    }

    void anotherStateIsComparedAnew()
    {
        ComparedModels compared;
        DifferenceModel model(compared.session);
        Stepping &stepping = compared.session.stepping();
        stepping.chosen().setPipeline(*passes::parsePipeline("replace-operator{from=relu to=gelu}"));
        stepping.run();
        QVERIFY(QTest::qWaitFor([&] { return stepping.step() && compared.session.comparing().difference(); }, 10000));
        QCOMPARE(model.rowCount(), 1); // nothing of these fits any more: one group
        stepping.clear();
        QCOMPARE(model.rowCount(), 0); // its rows are of nodes that may be no more
        QVERIFY(QTest::qWaitFor([&] { return model.rowCount() == 2; }, 10000));
    }

    void inspectorTellsOfBothModels()
    {
        ComparedModels compared;
        const std::unique_ptr<QWidget> sheet(makeInspector(compared.session, nullptr));
        compared.session.navigation().select(sample::node(compared.session, "b"));
        QVERIFY(sheetTexts(*sheet).contains("1 → 0")); // the dim, there
        QVERIFY(sheetTexts(*sheet).contains("q"));
        compared.other().navigation().select(sample::node(compared.other(), "n")); // only there
        QVERIFY(sheetTexts(*sheet).contains("aten::neg"));
    }

    void endTakesEverythingAway()
    {
        ComparedModels compared;
        DifferenceModel model(compared.session);
        compared.session.comparing().end();
        QVERIFY(!compared.session.comparing().other());
        QVERIFY(compared.session.drawing().marks().isEmpty());
        QCOMPARE(model.rowCount(), 0);
    }

private:
    static QString text(const QAbstractItemModel &model, int row, int column)
    {
        return model.index(row, column).data().toString();
    }
};

VIEW_TEST(tst_comparing, TestComparing)
#include "tst_comparing.moc"
