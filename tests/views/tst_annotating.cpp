// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Annotations of nodes by a user's table and the statistics of a run: colours, columns, queries, tips, and signs.

#include "core/run/backend.h"
#include "tests/views/item_model_test.h"
#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/graph/canvas.h"
#include "views/graph/hover_text.h"
#include "views/graph/overlays/heat_legend.h"
#include "views/inspector/inspector.h"
#include "views/node_table/node_model.h"
#include "views/parts/elided_label.h"
#include "views/run/run.h"
#include "views/session/annotations/annotating.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/searching.h"

#include <QFile>
#include <QLabel>
#include <QTemporaryDir>
#include <algorithm>

using namespace cutaway;
using namespace cutaway::views;

namespace {

/// The fake backend returns -1, 0 or 1 for x, else random numbers: their logarithm is partly undefined.
constexpr const char *oddNet = R"(model "odd"
graph @forward(%x: float32[64]) {
  %down = aten::mul.Scalar(self=%x, other=-1000.0)
  %log = aten::log(self=%down)
  %half = aten::to.dtype(self=%down, dtype=float16)
  %exp = aten::exp(self=%half)
  %out = aten::relu(self=%log)
  return %out, %exp
}
)";

/// A session whose canvas is shown.
struct Annotated {
    Session session;
    Canvas canvas;

    explicit Annotated(const char *text) : session(sample::model(text)), canvas(session)
    {
        canvas.resize(500, 700);
        canvas.show();
        session.start();
        if (!sample::waitForFigures(session) || !sample::waitForLayout(session))
            qFatal("nothing is drawn");
    }

    QString value(const char *node) const
    {
        return valueOf(*canvas.highlighting().tinting(), *canvas.picture()->find(sample::node(session, node)));
    }
    std::optional<BoxColour> colour(const char *node, bool isDark = false) const
    {
        const std::uint32_t box = *canvas.picture()->find(sample::node(session, node));
        return colourOf(*canvas.highlighting().tinting(), canvas.picture()->box(box), box, isDark);
    }
};

bool runWithStatistics(Session &session)
{
    session.running().setup().setChoices(
        {{{run::evaluatorName, "for tests", true, {}}},
         {"local"},
         {},
         [](const RunSettings &) -> Result<std::unique_ptr<run::Backend>> { return run::evaluatorBackend(); },
         {}});
    session.running().start(Running::Kind::Statistics);
    return QTest::qWaitFor([&] { return !session.running().isBusy(); }, 10000)
        && std::holds_alternative<Running::Done>(session.running().state());
}

QStringList foundBy(Session &session, const QString &query)
{
    session.searching().setText(query);
    QStringList names;
    for (const Selection &hit : session.searching().hits())
        names << session.searching().nameOf(std::get<ir::NodeId>(hit));
    return names;
}

QStringList labelTexts(const QWidget &view)
{
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QStringList all;
    for (const QWidget *widget : view.findChildren<QWidget *>()) {
        if (const auto *elided = dynamic_cast<const ElidedLabel *>(widget))
            all << elided->text();
        else if (const auto *plain = qobject_cast<const QLabel *>(widget))
            all << plain->text();
    }
    return all;
}

} // namespace

class TestAnnotating : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString table(const QByteArray &text)
    {
        QFile file(m_folder.filePath("table.csv"));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write");
        return file.fileName();
    }

private slots:
    void whatColoursHasOneName_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shownTitle");
        QTest::newRow("category") << "category" << "Category";
        QTest::newRow("measure") << "flops" << "FLOPs";
        QTest::newRow("column") << "data.p99 latency" << "p99 latency";
        QTest::newRow("statistics of a run") << "data.run.magnitude" << "Largest magnitude";
    }

    void whatColoursHasOneName()
    {
        QFETCH(const QString, text);
        const auto colouring = parseColouring(text.toStdString());
        QVERIFY(colouring);
        QCOMPARE(QString::fromStdString(print(*colouring)), text);
        QTEST(title(*colouring), "shownTitle");
        QVERIFY(!parseColouring("data."));
        QVERIFY(!parseColouring("latency"));
    }

    void aTableColoursByNumbers()
    {
        Annotated shown(sample::open);
        const auto opened = shown.session.annotating().open(table("node,ms,stage\nwide,1,a\ndeep,3,b\nnobody,2,b\n"));
        QVERIFY(opened);
        QCOMPARE(*opened, "1 row names no node: nobody");
        QVERIFY(!shown.canvas.highlighting().tinting());
        shown.session.analysing().setColouring(ByColumn{"ms"});
        QCOMPARE(shown.value("deep"), "3");
        QVERIFY(shown.colour("wide")->fill != shown.colour("deep")->fill);
        QVERIFY(shown.colour("deep", true)->fill != shown.colour("deep")->fill);
        QVERIFY(!shown.colour("last")); // the table says nothing of it
        shown.session.annotating().close();
        QVERIFY(!shown.canvas.highlighting().tinting());
    }

    void aTableColoursByTextsWithALegend()
    {
        Annotated shown(sample::open);
        QWidget around;
        around.resize(900, 40);
        QWidget *legend = makeHeatLegend(shown.canvas, &around);
        QVERIFY(shown.session.annotating().open(table("node,stage\nwide,a\nact,a\ndeep,b\n")));
        shown.session.analysing().setColouring(ByColumn{"stage"});
        QCOMPARE(shown.colour("wide")->fill, shown.colour("act")->fill);
        QVERIFY(shown.colour("wide")->fill != shown.colour("deep")->fill);
        QCOMPARE(legend->accessibleName(), "Legend: stage");
        QCOMPARE(legend->accessibleDescription(), "stage: a column of the node data\na\nb");
    }

    void aTableThatCannotBeReadLeavesTheOneThatIsThere()
    {
        Annotated shown(sample::open);
        QVERIFY(shown.session.annotating().open(table("node,ms\nwide,1\n")));
        QVERIFY(!shown.session.annotating().open(m_folder.filePath("none.csv")));
        QVERIFY(shown.session.annotating().column("ms"));
    }

    void columnsAreInTheTableAndAskedFor()
    {
        Annotated shown(sample::open);
        NodeModel model;
        const QAbstractItemModelTester tester(&model, fatal);
        model.setFigures(shown.session.analysing().figures());
        QVERIFY(shown.session.annotating().open(table("node,ms,stage\nwide,10,a\ndeep,-2,b\nlast,nan,\n")));
        model.setNodeData(shown.session.annotating().data());
        const int ms = NodeModel::ColumnCount, stage = ms + 1;
        QCOMPARE(model.columnCount(), ms + 2);
        QCOMPARE(model.headerData(ms, Qt::Horizontal).toString(), "ms");
        model.sort(ms, Qt::AscendingOrder);
        QStringList sorted;
        for (int row = 0; row < model.rowCount(); ++row)
            sorted << model.index(row, ms).data().toString() + model.index(row, stage).data().toString();
        QCOMPARE(sorted, QStringList({"-2b", "10a", "", "nan"}));
        QCOMPARE(foundBy(shown.session, "data.ms>0"), QStringList({"wide"}));
        QCOMPARE(foundBy(shown.session, "data.stage:b"), QStringList({"deep"}));
        model.setNodeData(nullptr);
        QCOMPARE(model.columnCount(), ms);
    }

    void statisticsOfARunAreColumns()
    {
        Annotated shown(oddNet);
        QSignalSpy told(&shown.session.annotating(), &Annotating::changed);
        QVERIFY(runWithStatistics(shown.session));
        QCOMPARE(told.count(), 1);
        QVERIFY(shown.session.annotating().column("run.magnitude"));
        QCOMPARE(foundBy(shown.session, "data.run.nan>0"), QStringList({"log", "out"}));
        QCOMPARE(foundBy(shown.session, "data.run.inf>0"), QStringList({"exp"}));
        shown.session.analysing().setColouring(ByColumn{"run.magnitude"});
        QVERIFY(!shown.colour("log")->fill); // a box without a fill is hatched
        QVERIFY(shown.colour("down")->fill);
        shown.session.running().forget();
        QVERIFY(!shown.canvas.highlighting().tinting());
    }

    void theFirstOfEachKindIsMarkedAndListed()
    {
        Annotated shown(oddNet);
        QVERIFY(runWithStatistics(shown.session));
        const auto &marked = shown.canvas.highlighting().emphasis().notFinite;
        QCOMPARE(marked.size(), 2u);
        const auto box = [&](const char *name) {
            return *shown.canvas.picture()->find(sample::node(shown.session, name));
        };
        QVERIFY(std::ranges::contains(marked, std::pair(box("log"), run::NotFinite::Kind::NaN)));
        QVERIFY(std::ranges::contains(marked, std::pair(box("exp"), run::NotFinite::Kind::Infinity)));
        const std::unique_ptr<QWidget> view(makeRunView(shown.session, nullptr));
        QVERIFY(labelTexts(*view).contains("first NaN"));
        QVERIFY(labelTexts(*view).contains("first infinity"));
    }

    void edgesAndTheInspectorTellWhatTheirTensorsWere()
    {
        Annotated shown(oddNet);
        const auto &edges = shown.canvas.picture()->diagram().edges;
        const auto log = std::ranges::find_if(edges, [&](const layout::Edge &edge) {
            return std::ranges::contains(
                edge.values,
                shown.session.document().function().graph.at(sample::node(shown.session, "log")).outputs.front());
        });
        QVERIFY(log != edges.end());
        QVERIFY(!hoverText(shown.session, *log).contains("mean"));
        QVERIFY(runWithStatistics(shown.session));
        QVERIFY(hoverText(shown.session, *log).contains("mean"));
        QVERIFY(hoverText(shown.session, *log).contains("NaN"));
        const std::unique_ptr<QWidget> inspector(makeInspector(shown.session, nullptr));
        shown.session.navigation().select(sample::node(shown.session, "log"));
        QVERIFY(labelTexts(*inspector).contains("in the run"));
    }

    void anotherFunctionHasNoStatistics()
    {
        Session session(sample::model(sample::twoFunctions));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        QVERIFY(runWithStatistics(session));
        QVERIFY(session.annotating().activations());
        session.document().setFunction(ir::FunctionId{1});
        QVERIFY(!session.annotating().activations());
        QVERIFY(!session.annotating().data());
        session.document().setFunction(ir::FunctionId{0});
        QVERIFY(session.annotating().activations());
    }
};

VIEW_TEST(tst_annotating, TestAnnotating)
#include "tst_annotating.moc"
