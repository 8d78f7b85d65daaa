// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The table of nodes: numbers sorted as numbers, sums of groups, and the same selection as everywhere.

#include "tests/core/layout/net.h"
#include "tests/views/item_model_test.h"
#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/node_table/node_model.h"
#include "views/node_table/node_table.h"
#include "views/node_table/table_text.h"
#include "views/parts/query_line.h"

#include <QImage>
#include <QLineEdit>
#include <QPainter>
#include <QStandardItemModel>
#include <QTreeView>

using namespace cutaway;
using namespace cutaway::views;

namespace {

/// The sample at s0 = 8, analysed.
struct AnalysedTable {
    Session session{sample::model(sample::open)};

    AnalysedTable()
    {
        if (!session.document().give({{"s0=8"}, {}}) || !sample::waitForFigures(session))
            qFatal("no figures");
    }
};

QStringList column(const QAbstractItemModel &model, int column, const QModelIndex &parent = {})
{
    QStringList texts;
    for (int row = 0; row < model.rowCount(parent); ++row)
        texts << model.index(row, column, parent).data().toString();
    return texts;
}

} // namespace

class TestNodeTable : public QObject {
    Q_OBJECT

private slots:
    void nodesWithoutANameHaveThatOfTheirResult()
    {
        Net net;
        net.output(net.call("relu", "", {net.input("x")}));
        net.append(ir::Graph::body, "manual_seed", {}, {});
        Session session(std::make_shared<const ir::Model>(net.model));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        NodeModel model;
        model.setFigures(session.analysing().figures());
        QCOMPARE(column(model, NodeModel::NameColumn), QStringList({"relu0", "%1"}));
    }

    void hasARowPerNodeInOrderOfExecution()
    {
        const AnalysedTable analysed;
        NodeModel model;
        const QAbstractItemModelTester tester(&model, fatal);
        QCOMPARE(model.rowCount(), 0);
        model.setFigures(analysed.session.analysing().figures());
        QCOMPARE(column(model, NodeModel::NameColumn), QStringList({"wide", "act", "deep", "last"}));
        QCOMPARE(column(model, NodeModel::ShapeColumn).at(2), "float32 [8, 100]");
        QCOMPARE(column(model, NodeModel::FlopsColumn), QStringList({"192 FLOP", "0 FLOP", "4.80 kFLOP", "320 kFLOP"}));
    }

    void sortsNumbersAsNumbers_data()
    {
        QTest::addColumn<int>("column");
        QTest::addColumn<QStringList>("ascending");
        QTest::newRow("FLOPs") << int(NodeModel::FlopsColumn) << QStringList({"act", "wide", "deep", "last"});
        QTest::newRow("bytes") << int(NodeModel::BytesColumn) << QStringList({"act", "wide", "deep", "last"});
        QTest::newRow("names") << int(NodeModel::NameColumn) << QStringList({"act", "deep", "last", "wide"});
    }

    void sortsNumbersAsNumbers()
    {
        QFETCH(int, column);
        QFETCH(QStringList, ascending);
        const AnalysedTable analysed;
        NodeModel model;
        const QAbstractItemModelTester tester(&model, fatal);
        model.setFigures(analysed.session.analysing().figures());
        const QPersistentModelIndex deep = model.indexOf(sample::node(analysed.session, "deep"));
        model.sort(column, Qt::AscendingOrder);
        QCOMPARE(::column(model, NodeModel::NameColumn), ascending);
        QCOMPARE(deep.data().toString(), "deep");
        model.sort(column, Qt::DescendingOrder);
        std::ranges::reverse(ascending);
        QCOMPARE(::column(model, NodeModel::NameColumn), ascending);
    }

    void whatIsNotKnownComesLast()
    {
        Session session(sample::model(R"(model "odd"
graph @forward(%x: float32[2]) {
  %odd = mine::op(%x)
  %act = aten::relu(self=%x)
  return %odd, %act
}
)"));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        NodeModel model;
        model.setFigures(session.analysing().figures());
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(NodeModel::FlopsColumn, order);
            QCOMPARE(column(model, NodeModel::NameColumn), QStringList({"act", "odd"}));
        }
    }

    void showsChosenNodes()
    {
        const AnalysedTable analysed;
        NodeModel model;
        const QAbstractItemModelTester tester(&model, fatal);
        model.setFigures(analysed.session.analysing().figures());
        model.setShown(std::vector{true, false, false, true});
        QCOMPARE(column(model, NodeModel::NameColumn), QStringList({"wide", "last"}));
        QVERIFY(!model.indexOf(sample::node(analysed.session, "act")).isValid());
        QCOMPARE(model.nodeCount(), 2u);
        model.setShown({});
        QCOMPARE(model.rowCount(), 4);
    }

    void filtersByAQuery_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("every word") << "LINEAR net" << QStringList({"wide"});
        QTest::newRow("category") << "category:matrix*" << QStringList({"wide", "deep", "last"});
        QTest::newRow("figure") << "flops>1K" << QStringList({"deep", "last"});
        QTest::newRow("path") << "upstream:deep" << QStringList({"wide", "act"});
        QTest::newRow("nothing") << "\"nothing like it\"" << QStringList();
        QTest::newRow("blank") << "  " << QStringList({"wide", "act", "deep", "last"});
    }

    void filtersByAQuery()
    {
        QFETCH(QString, query);
        QFETCH(QStringList, names);
        AnalysedTable analysed;
        const std::unique_ptr<QWidget> table(makeNodeTable(analysed.session, nullptr));
        table->show();
        const auto *model = table->findChild<QTreeView *>()->model();
        table->findChild<QLineEdit *>()->setText("deep");
        QTRY_COMPARE(model->rowCount(), 1);
        table->findChild<QLineEdit *>()->setText(query);
        QTRY_COMPARE(column(*model, NodeModel::NameColumn), names);
    }

    /// The rows stay, the place is underlined, and a line says why.
    void aWrongFilterIsMarked()
    {
        AnalysedTable analysed;
        const std::unique_ptr<QWidget> table(makeNodeTable(analysed.session, nullptr));
        table->show();
        const auto *model = table->findChild<QTreeView *>()->model();
        auto *line = table->findChild<QueryLine *>();
        line->setText("deep");
        QTRY_COMPARE(model->rowCount(), 1);
        line->setText("deep flops>1ms");
        QTRY_COMPARE(line->marked(), "ms");
        QCOMPARE(model->rowCount(), 1);
        line->setText("flops>1K");
        QTRY_COMPARE(model->rowCount(), 2);
        QCOMPARE(line->marked(), "");
    }

    /// Lint runs on another thread; the rows come when it is done.
    void diagnosticsAreWaitedFor()
    {
        Session session(sample::model(R"(model "odd"
graph @forward(%x: float32[2]) {
  %noise = aten::randn_like(self=%x)
  %act = aten::relu(self=%noise)
  return %act
}
)"));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const std::unique_ptr<QWidget> table(makeNodeTable(session, nullptr));
        table->show();
        table->findChild<QLineEdit *>()->setText("diag:random");
        const auto *model = table->findChild<QTreeView *>()->model();
        QTRY_COMPARE(column(*model, NodeModel::NameColumn), QStringList({"noise"}));
    }

    void groupsHaveSums()
    {
        const AnalysedTable analysed;
        NodeModel model;
        const QAbstractItemModelTester tester(&model, fatal);
        model.setFigures(analysed.session.analysing().figures());
        model.setGrouping(NodeModel::Grouping::Operator);
        model.sort(NodeModel::FlopsColumn, Qt::DescendingOrder);
        QCOMPARE(column(model, NodeModel::NameColumn), QStringList({"aten::linear", "aten::relu"}));
        const QModelIndex linear = model.index(0, 0);
        QCOMPARE(linear.siblingAtColumn(NodeModel::FlopsColumn).data(exactRole).toLongLong(), 8 * (24 + 600 + 40000));
        QCOMPARE(column(model, NodeModel::NameColumn, linear), QStringList({"last", "deep", "wide"}));
        const QModelIndex deep = model.indexOf(sample::node(analysed.session, "deep"));
        QCOMPARE(deep.parent(), linear);
        QVERIFY(model.node(deep) == sample::node(analysed.session, "deep"));
        QVERIFY(!model.node(linear));
        model.setGrouping(NodeModel::Grouping::Module);
        QCOMPARE(model.rowCount(), 3);
    }

    void rowsAreCopiedWithExactNumbers()
    {
        const AnalysedTable analysed;
        NodeModel model;
        model.setFigures(analysed.session.analysing().figures());
        const QModelIndexList deep{model.indexOf(sample::node(analysed.session, "deep"))};
        const QStringList csv = csvText(deep).split('\n');
        QVERIFY2(csv.at(0).startsWith("Name,Operator,FLOPs,"), qPrintable(csv.at(0)));
        QVERIFY2(csv.at(1).startsWith("deep,aten::linear,4800,"), qPrintable(csv.at(1)));
        QVERIFY2(csv.at(1).contains("\"float32 [8, 100]\""), qPrintable(csv.at(1)));
        const QStringList markdown = markdownText(deep).split('\n');
        QVERIFY2(markdown.at(1).startsWith("|---|---|---:|"), qPrintable(markdown.at(1)));
        QVERIFY2(markdown.at(2).startsWith("| deep | aten::linear | 4800 | "), qPrintable(markdown.at(2)));
        QCOMPARE(csvText({}), "");
    }

    void selectsWhatIsSelectedElsewhereAndTheOtherWayRound()
    {
        AnalysedTable analysed;
        const std::unique_ptr<QWidget> table(makeNodeTable(analysed.session, nullptr));
        table->resize(900, 300);
        table->show();
        auto *list = table->findChild<QTreeView *>();
        analysed.session.navigation().select(sample::node(analysed.session, "deep"));
        QCOMPARE(list->currentIndex().siblingAtColumn(0).data().toString(), "deep");
        const ir::Graph &graph = analysed.session.document().function().graph;
        analysed.session.navigation().select(
            graph.at(sample::node(analysed.session, "last")).outputs.front()); // a value
        QCOMPARE(list->currentIndex().siblingAtColumn(0).data().toString(), "last");
        list->setCurrentIndex(list->model()->index(1, 0));
        QVERIFY(analysed.session.navigation().selection() == Selection(sample::node(analysed.session, "act")));
        analysed.session.navigation().select({});
        QVERIFY(list->selectionModel()->selectedRows().isEmpty());
    }

    void aHiddenTableIsFilledOnceItIsSeen()
    {
        AnalysedTable analysed;
        const std::unique_ptr<QWidget> table(makeNodeTable(analysed.session, nullptr));
        auto *list = table->findChild<QTreeView *>();
        QCOMPARE(list->model()->rowCount(), 0);
        table->show();
        QCOMPARE(list->model()->rowCount(), 4);
    }

    void aShapeWithoutRoomLosesItsEnd()
    {
        AnalysedTable analysed;
        const std::unique_ptr<QWidget> table(makeNodeTable(analysed.session, nullptr));
        table->show();
        auto *list = table->findChild<QTreeView *>();
        QTRY_VERIFY(list->model()->rowCount() > 0);
        // The end of a text that is cut is an ellipsis, so that other shapes with this beginning look the same.
        const auto cell = [&](const QString &shape) {
            QStyleOptionViewItem option;
            option.initFrom(list);
            option.rect = QRect(0, 0, 90, 24);
            QImage image(option.rect.size(), QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            QStandardItemModel model(1, 1);
            model.setData(model.index(0, 0), shape);
            list->itemDelegateForColumn(NodeModel::ShapeColumn)->paint(&painter, option, model.index(0, 0));
            return image;
        };
        QVERIFY(cell("float32 [1, 64, 112, 112]") == cell("float32 [1, 64, 112, 7, 7]"));
        QVERIFY(cell("float32 [1, 64, 112, 112]") != cell("float32 [2, 64, 112, 112]"));
    }
};

VIEW_TEST(tst_node_table, TestNodeTable)
#include "tst_node_table.moc"
