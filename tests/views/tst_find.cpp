// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Find in a shown window: what a query finds, how a wrong one is marked, and the hits in the graph.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/appearance/theme.h"
#include "views/find/find.h"
#include "views/graph/canvas.h"
#include "views/parts/query_line.h"
#include "views/parts/text.h"
#include "views/session/annotations/annotating.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"
#include "views/session/searching.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QLabel>
#include <QTemporaryFile>
#include <QTreeView>

using namespace cutaway;
using namespace cutaway::views;

namespace {

/// The list of hits and the graph, shown, all modules open.
struct ShownFind {
    Session session;
    std::unique_ptr<QWidget> view{makeFindView(session, nullptr)};
    Canvas canvas{session};

    explicit ShownFind(const char *text = sample::net) : session(sample::model(text))
    {
        view->resize(900, 300);
        view->show();
        canvas.resize(900, 1200);
        canvas.show();
        session.start();
        if (!sample::waitForFigures(session) || !sample::waitForLayout(session))
            qFatal("nothing is shown");
        setDepth(10);
    }

    void setDepth(int depth)
    {
        session.navigation().setDepth(depth);
        if (!sample::waitForLayout(session))
            qFatal("no diagram");
    }

    QueryLine *line() const { return view->findChild<QueryLine *>(); }
    QTreeView *list() const { return view->findChild<QTreeView *>(); }
    void type(const QString &text) const
    {
        line()->clear();
        QTest::keyClicks(line(), text);
    }
    /// Types where words can be offered.
    void offer(const QString &text) const
    {
        view->activateWindow();
        if (!QTest::qWaitForWindowActive(view->window()))
            qFatal("no active window");
        line()->setFocus();
        type(text);
    }
    QAbstractItemView *offered() const { return line()->findChild<QCompleter *>()->popup(); }
    QStringList names() const
    {
        QStringList texts;
        for (int row = 0; row < list()->model()->rowCount(); ++row)
            texts << list()->model()->index(row, 1).data().toString();
        return texts;
    }
    /// The visible texts beside and below the line.
    QString labels() const
    {
        QStringList texts;
        for (const QLabel *label : view->findChildren<QLabel *>())
            if (label->isVisible() && !label->text().isEmpty())
                texts << label->text();
        return texts.join('|');
    }
    std::uint32_t hitsIn(const layout::Subject &subject) const
    {
        const auto box = canvas.picture()->find(subject);
        return box ? canvas.highlighting().emphasis().hitsIn(*box) : ~0u;
    }
};

} // namespace

class TestFind : public QObject {
    Q_OBJECT

private slots:
    void findsByAQuery_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("operator") << "op:conv*" << QStringList({"conv"});
        QTest::newRow("module") << "scope:stem" << QStringList({"conv", "act"});
        QTest::newRow("figure") << "flops>1K" << QStringList({"conv"});
        QTest::newRow("in a branch") << "in:out" << QStringList({"twice"});
        QTest::newRow("path") << "between:conv..mean" << QStringList({"conv", "act", "mean"});
        QTest::newRow("not") << "not (op:aten::* or op:prim::*)" << QStringList();
        QTest::newRow("shape") << "shape:[1,10]" << QStringList({"out", "both", "twice"});
        QTest::newRow("diagnostic") << "diag:x.bad" << QStringList({"mean"});
        QTest::newRow("words find modules too") << "stem.act" << QStringList({"act"});
    }

    void findsByAQuery()
    {
        QFETCH(QString, query);
        QFETCH(QStringList, names);
        const ShownFind shown;
        shown.type("relu");
        QTRY_COMPARE(shown.names(), QStringList({"act"}));
        shown.type(query);
        QTRY_COMPARE(shown.names(), names);
        QTRY_VERIFY2(shown.labels().startsWith(counted(names.size(), "match", "matches")), qPrintable(shown.labels()));
    }

    void wordsAreOfferedWhileATermIsTyped_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("chosen");
        QTest::newRow("a property") << "categ" << "category:";
        QTest::newRow("an operator") << "op:con" << "op:conv2d";
        QTest::newRow("a module, behind another term") << "flops>1 and scope:ste" << "flops>1 and scope:stem";
        QTest::newRow("an operator without its property") << "conv2" << "op:conv2d";
        QTest::newRow("a column of numbers") << "lat" << "data.\"latency (ms)\">";
        QTest::newRow("a column of texts") << "data.st" << "data.stage:";
        QTest::newRow("a text of it") << "data.stage:mid" << "data.stage:\"the middle\"";
        QTest::newRow("a node, in quotes that it does not need") << "upstream:\"mea" << "upstream:mean";
    }

    void wordsAreOfferedWhileATermIsTyped()
    {
        QFETCH(QString, typed);
        QFETCH(QString, chosen);
        ShownFind shown;
        QTemporaryFile table;
        QVERIFY(table.open());
        table.write("node,latency (ms),stage\nconv,1,stem\nmean,2,the middle\n");
        table.close();
        QVERIFY(shown.session.annotating().open(table.fileName()));
        shown.offer(typed);
        auto *list = shown.offered();
        QTRY_VERIFY(list->isVisible());
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(shown.line()->text(), chosen);
        QCOMPARE(list->isVisible(), chosen.endsWith(':')); // a property asks for one of its words
    }

    void partsThatAreFoundAreOfferedByTheirNames()
    {
        std::string net = "model \"flat\"\ntensor @w: float32[4, 4, 1, 1] parameter\n"
                          "graph @forward(%x0: float32[1, 4, 8, 8]) {\n  weight %w = @w\n";
        constexpr int count = 40;
        for (int i = 0; i < count; ++i) {
            const std::string n = std::to_string(i);
            net += "  %c" + n + " = onnx::Conv(%x" + n + ", %w)\n  %x" + std::to_string(i + 1) + " = onnx::Relu(%c" + n
                + ")\n";
        }
        const ShownFind shown((net + "  return %x" + std::to_string(count) + "\n}\n").c_str());
        const layout::Outline &outline = *shown.session.drawing().drawnOutline();
        const QString name = views::shown(query::quotedName(outline.found.back().name));
        QVERIFY2(name.startsWith('"'), qPrintable(name));
        shown.offer("downstream:" + name.chopped(3));
        QTRY_VERIFY(shown.offered()->isVisible());
        QTest::keyClick(shown.offered(), Qt::Key_Down);
        QTest::keyClick(shown.offered(), Qt::Key_Return);
        QVERIFY2(shown.line()->text().startsWith("downstream:\""), qPrintable(shown.line()->text()));
        shown.offer("in:" + name.chopped(1));
        QTRY_VERIFY(shown.offered()->isVisible());
        QTest::keyClick(shown.offered(), Qt::Key_Down);
        QTest::keyClick(shown.offered(), Qt::Key_Return);
        QCOMPARE(shown.line()->text(), "in:" + name);
        QTRY_VERIFY(shown.list()->model()->rowCount() > 0);
    }

    void aWrongQueryMarksItsPlace()
    {
        const ShownFind shown;
        shown.type("op:conv* and flops>many");
        QTRY_COMPARE(shown.line()->marked(), "m");
        QCOMPARE(shown.labels(), "Expected a number, found 'm'.");
        QCOMPARE(shown.list()->model()->rowCount(), 0);
        shown.line()->end(false);
        const QImage marked = shown.line()->grab().toImage();
        shown.line()->unmark();
        QVERIFY(shown.line()->grab().toImage() != marked); // it is seen
        QTest::keyClick(shown.line(), Qt::Key_Backspace);
        QCOMPARE(shown.line()->marked(), "");
        shown.type("op:conv*");
        QTRY_COMPARE(shown.labels(), "1 match");
    }

    void lettersOfOtherAlphabetsAreCountedAsLetters()
    {
        ShownFind shown;
        shown.session.searching().setText(QString::fromUtf8("\u00E9\u00E9\u20AC (a"));
        QCOMPARE(shown.line()->marked(), "(");
        QCOMPARE(shown.line()->text().at(4), QChar('('));
    }

    void tellsWhatIsNotKnown()
    {
        const ShownFind shown(sample::open);
        shown.type("flops=600");
        QTRY_COMPARE(shown.labels(), "0 matches|figures with s0 = 5 (the exporter's example)");
        shown.type("upstream:nope");
        QTRY_COMPARE(shown.labels(), "0 matches|nothing is named nope");
    }

    void figuresDecideOnceTheyAreThere()
    {
        ShownFind shown(sample::open);
        shown.type("flops>4K");
        QTRY_COMPARE(shown.names(), QStringList({"last"}));
        QVERIFY(shown.session.document().give({{"s0=8"}, {}}));
        QTRY_COMPARE(shown.names(), QStringList({"deep", "last"}));
    }

    void stepsThroughTheHitsRoundAndRound()
    {
        ShownFind shown;
        shown.type("scope:stem");
        QTest::keyClick(shown.line(), Qt::Key_Return);
        QVERIFY(shown.session.navigation().selection() == Selection(sample::node(shown.session, "conv")));
        QCOMPARE(shown.list()->currentIndex().row(), 0);
        shown.session.searching().step(1); // F3, from anywhere
        QVERIFY(shown.session.navigation().selection() == Selection(sample::node(shown.session, "act")));
        QCOMPARE(shown.list()->currentIndex().row(), 1);
        shown.session.searching().step(1);
        QCOMPARE(shown.list()->currentIndex().row(), 0);
        QTest::keyClick(shown.line(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(shown.list()->currentIndex().row(), 1);
        shown.list()->setCurrentIndex(shown.list()->model()->index(0, 0));
        QVERIFY(shown.session.navigation().selection() == Selection(sample::node(shown.session, "conv")));
        QCOMPARE(*shown.session.searching().current(), 0u);
    }

    void hitsAreMarkedInTheGraph()
    {
        ShownFind shown;
        const QImage plain = shown.canvas.grab().toImage();
        shown.session.searching().setText("op:linear or op:mean");
        const auto node = [&](const char *name) { return sample::node(shown.session, name); };
        QCOMPARE(shown.hitsIn(node("out")), 1u);
        QCOMPARE(shown.hitsIn(node("mean")), 1u);
        QCOMPARE(shown.hitsIn(node("conv")), 0u);
        const QImage marked = shown.canvas.grab().toImage();
        QVERIFY(marked != plain);
        shown.session.searching().setFadesOthers(true);
        QVERIFY(shown.canvas.grab().toImage() != marked);
        shown.session.searching().setFadesOthers(false);
        shown.session.searching().setText({});
        QVERIFY(shown.canvas.grab().toImage() == plain);
    }

    void aClosedModuleTellsHowManyAreInIt()
    {
        ShownFind shown;
        shown.session.searching().setText("scope:stem");
        shown.setDepth(0);
        QCOMPARE(shown.hitsIn(sample::module(shown.session, "stem")), 2u);
        const QImage two = shown.canvas.grab().toImage();
        shown.session.searching().setText("op:conv*");
        QCOMPARE(shown.hitsIn(sample::module(shown.session, "stem")), 1u);
        QVERIFY(shown.canvas.grab().toImage() != two);
    }

    void modulesAndInputsAreMarkedToo()
    {
        ShownFind shown;
        shown.session.searching().setText("flag");
        const layout::InputSubject flag{shown.session.document().function().graph.at(ir::Graph::body).inputs.at(1)};
        QCOMPARE(shown.hitsIn(flag), 1u);
    }

    void pathsFromAndToANode()
    {
        ShownFind shown;
        Searching &searching = shown.session.searching();
        QSignalSpy asked(&searching, &Searching::listRequested);
        searching.findUpstream(sample::node(shown.session, "mean"));
        QCOMPARE(shown.line()->text(), "upstream:mean");
        QCOMPARE(shown.names(), QStringList({"conv", "act"}));
        searching.findDownstream(sample::node(shown.session, "out"));
        QCOMPARE(shown.names(), QStringList({"both", "twice"}));
        QVERIFY(!searching.pathStart());
        searching.setPathStart(sample::node(shown.session, "act"));
        searching.findPathsTo(sample::node(shown.session, "out"));
        QCOMPARE(shown.line()->text(), "between:act..out");
        QCOMPARE(shown.names(), QStringList({"act", "mean", "out"}));
        QCOMPARE(asked.count(), 3);
    }

    /// A name that two nodes have, or that a query would read otherwise, is not written as it is.
    void oddNamesAreFoundToo()
    {
        ShownFind shown(R"~(model "twins"
graph @forward(%x: float32[2]) {
  %a = aten::relu(self=%x) name "same"
  %b = aten::relu(self=%a) name "same"
  %c = aten::neg(self=%b) name "with (blank)"
  %d = aten::abs(self=%c)
  return %d
}
)~");
        shown.session.searching().findUpstream(ir::NodeId{1});
        QCOMPARE(shown.line()->text(), "upstream:#1");
        QCOMPARE(shown.list()->model()->rowCount(), 1);
        shown.session.searching().findDownstream(ir::NodeId{2});
        QCOMPARE(shown.line()->text(), "downstream:\"with (blank)\"");
        QCOMPARE(shown.names(), QStringList({"d"}));
    }

    void anotherFunctionIsSearchedAnew()
    {
        ShownFind shown(sample::twoFunctions);
        shown.type("op:relu");
        QTRY_COMPARE(shown.names(), QStringList({"a", "b"}));
        shown.session.searching().setCurrent(1);
        shown.session.document().setFunction(ir::FunctionId{1});
        QTRY_COMPARE(shown.names(), QStringList({"y"}));
        QVERIFY(sample::waitForLayout(shown.session));
        QCOMPARE(shown.hitsIn(sample::node(shown.session, "y")), 1u);
    }

    void focusesOnTheSelection()
    {
        ShownFind shown;
        shown.session.navigation().select(sample::node(shown.session, "mean"));
        shown.session.requests().zoom(Requests::Zoom::Selection);
        const auto box = shown.canvas.picture()->find(sample::node(shown.session, "mean"));
        const QPointF middle = toQt(shown.canvas.picture()->box(*box).rect).center();
        QTRY_VERIFY((shown.canvas.viewport().toScreen(middle) - QRectF(shown.canvas.rect()).center()).manhattanLength()
                    < 2);
        QCOMPARE(shown.canvas.viewport().zoom, 1.0);
    }
};

VIEW_TEST(tst_find, TestFind)
#include "tst_find.moc"
