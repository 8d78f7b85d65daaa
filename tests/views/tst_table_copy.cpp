// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of shown lists on their way to a spreadsheet.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/modules/modules.h"
#include "views/node_table/node_table.h"
#include "views/parts/table_copy.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QStandardItemModel>
#include <QTreeView>

using namespace cutaway;
using namespace cutaway::views;

class TestTableCopy : public QObject {
    Q_OBJECT

private slots:
    void cellsAreAsTheColumnsAreSeen()
    {
        Shown shown;
        QCOMPARE(tabSeparated(shown.list, Rows::All),
                 "name\tsize\n"
                 "a b\t1500\n"
                 "  inner\t7\n"
                 "c\t\n");
        shown.list.header()->moveSection(1, 0);
        QCOMPARE(tabSeparated(shown.list, Rows::All).section('\n', 0, 1), "size\tname\n1500\ta b");
        shown.list.hideColumn(1);
        QCOMPARE(tabSeparated(shown.list, Rows::All), "name\na b\n  inner\nc\n");
    }

    void theKeyCopiesTheSelectedRows()
    {
        Shown shown;
        shown.list.setFocus();
        QTest::keySequence(&shown.list, QKeySequence::Copy);
        QCOMPARE(QGuiApplication::clipboard()->text().count('\n'), 4); // none is selected: all
        shown.list.setCurrentIndex(shown.model.index(1, 0));
        QTest::keySequence(&shown.list, QKeySequence::Copy);
        QCOMPARE(QGuiApplication::clipboard()->text(), "name\tsize\nc\t\n");
        copyTable(shown.list); // one row is what was looked at last, not a choice
        QCOMPARE(QGuiApplication::clipboard()->text().count('\n'), 4);
    }

    void numbersOfTheNodeTableAreExact()
    {
        Session session(sample::model());
        const std::unique_ptr<QWidget> table(makeNodeTable(session, nullptr));
        table->resize(1200, 400);
        table->show();
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const auto *list = table->findChild<QTreeView *>();
        QTRY_VERIFY(list->model()->rowCount() > 3);
        const QStringList lines = tabSeparated(*list, Rows::All).split('\n');
        QVERIFY(lines.at(1).startsWith("conv\taten::conv2d.default\t7776\t")); // 2 * 3*3*3 * 4*6*6
    }

    void modulesAreIndented()
    {
        Session session(sample::model());
        const std::unique_ptr<QWidget> view(makeModulesView(session, nullptr));
        view->show();
        const QString text = tabSeparated(*qobject_cast<QTreeView *>(view.get()), Rows::All);
        QVERIFY2(text.contains("\n  stem") && text.contains("\n    conv"), qPrintable(text));
    }

    void columnsOfModulesLeaveTheNamesRoom()
    {
        Session session(sample::model());
        session.start();
        const std::unique_ptr<QWidget> view(makeModulesView(session, nullptr));
        const auto &list = *qobject_cast<QTreeView *>(view.get());
        view->resize(700, 300);
        view->show();
        QVERIFY(sample::waitForFigures(session));
        const auto shownColumns = [&] { return list.header()->count() - list.header()->hiddenSectionCount(); };
        const int all = shownColumns();
        QVERIFY(all > 2);
        view->resize(230, 300);
        QTRY_VERIFY(shownColumns() < all);
        QTRY_VERIFY2(list.columnWidth(0) >= 120, qPrintable(QString::number(list.columnWidth(0))));
        view->resize(700, 300);
        QTRY_COMPARE(shownColumns(), all);
    }

    void columnsMakeRoomForNamesThatAreExpanded()
    {
        Session session(sample::model(R"(model "m"
tensor @w: float32[64, 64] parameter
scope block class "net.Block"
scope block.a_layer_of_quite_a_long_name_indeed class "torch.nn.Linear"
scope other class "torch.nn.ReLU"
graph @forward(%x: float32[64, 64]) {
  weight %w = @w
  %a = aten::linear(input=%x, weight=%w) in block.a_layer_of_quite_a_long_name_indeed
  %b = aten::relu(self=%a) in block.a_layer_of_quite_a_long_name_indeed
  %c = aten::relu(self=%b) in other
  %d = aten::neg(self=%c) in other
  return %d
})"));
        session.start();
        const std::unique_ptr<QWidget> view(makeModulesView(session, nullptr));
        auto &list = *qobject_cast<QTreeView *>(view.get());
        view->resize(360, 300);
        view->show();
        QVERIFY(sample::waitForFigures(session));
        const auto shownColumns = [&] { return list.header()->count() - list.header()->hiddenSectionCount(); };
        QTRY_COMPARE(shownColumns(), 4);
        const int before = list.columnWidth(0);
        for (int row = 0; row < 2; ++row)
            list.expand(list.model()->index(row, 0, list.model()->index(0, 0)));
        QTRY_VERIFY2(list.columnWidth(0) > before, qPrintable(QString::number(list.columnWidth(0))));
        QVERIFY(shownColumns() < 4);
    }

private:
    struct Shown {
        Shown()
        {
            model.setHorizontalHeaderLabels({"name", "size"});
            auto *first = new QStandardItem("a\tb");
            auto *size = new QStandardItem("1.5 k");
            size->setData(1500, exactRole);
            first->appendRow({new QStandardItem("inner"), new QStandardItem("7")});
            model.appendRow({first, size});
            model.appendRow({new QStandardItem("c"), new QStandardItem});
            list.setModel(&model);
            makeCopyable(list);
            list.show();
            if (!QTest::qWaitForWindowActive(&list))
                qWarning("the list has no focus");
        }
        QStandardItemModel model;
        QTreeView list;
    };
};

VIEW_TEST(tst_table_copy, TestTableCopy)
#include "tst_table_copy.moc"
