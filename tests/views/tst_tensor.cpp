// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The list of tensors, and of one of them the statistics and a part.

#include "core/ir/text/text.h"
#include "tests/views/fake_backend.h"
#include "tests/views/view_test.h"
#include "views/parts/elided_label.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"
#include "views/session/session.h"
#include "views/tensor/counterpart.h"
#include "views/tensor/histogram.h"
#include "views/tensor/part.h"
#include "views/tensor/tensor.h"
#include "views/tensor/tensor_model.h"
#include "views/tensor/tensor_page.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTreeView>

using namespace cutaway;
using namespace cutaway::views;

namespace {

/// The elements of weightsText's fc.weight but for the fourth, in a file whose weight has another name.
constexpr const char *otherText = R"(model "net"
storage 0: 24 bytes data "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\xa0\x40\x00\x00\xa0\x40\x00\x00\xc0\x40"
tensor @matmul_7: float32[2, 3] parameter in storage 0
graph @forward(%x: float32[2, 3]) {
  weight %w = @matmul_7
  %r = aten::add.Tensor(self=%x, other=%w, alpha=1)
  return %r
}
)";

constexpr const char *weightsText = R"(model "net"
storage 0: 24 bytes data "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\x40\x00\x00\xa0\x40\x00\x00\xc0\x40"
storage 1: 8 bytes missing "a meta tensor"
tensor @fc.weight: float32[2, 3] parameter in storage 0
tensor @fc.bias: float32[2] parameter in storage 1
tensor @list: float32[6] buffer in storage 0
graph @forward(%x: float32[2]) {
  weight %b = @fc.bias
  %r = aten::add.Tensor(self=%x, other=%b, alpha=1)
  return %r
}
)";

std::shared_ptr<const ir::Model> weightsModel()
{
    return std::make_shared<const ir::Model>(ir::parseText(weightsText).value());
}

/// The texts that labels show.
QString labelTexts(const QWidget &widget)
{
    QString all;
    for (const QWidget *child : widget.findChildren<QWidget *>()) {
        if (const auto *elided = dynamic_cast<const ElidedLabel *>(child))
            all += elided->text() + '\n';
        else if (const auto *label = qobject_cast<const QLabel *>(child))
            all += label->text() + '\n';
    }
    return all;
}

QString cells(const QAbstractItemModel &table)
{
    QStringList rows;
    for (int row = 0; row < table.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < table.columnCount(); ++column)
            cells << table.index(row, column).data().toString();
        rows << cells.join(' ');
    }
    return rows.join('\n');
}

/// Returns the texts of the table of this name.
QString cells(const TensorPage &page, const QString &name)
{
    for (const QTableView *table : page.findChildren<QTableView *>())
        if (table->accessibleName() == name)
            return cells(*table->model());
    return "no table";
}

class TestTensor : public QObject {
    Q_OBJECT

private slots:
    void theTypeOfNoTensorIsCutInTheList()
    {
        std::string text = "model \"m\"\n";
        for (int i = 0; i < 300; ++i)
            text += "tensor @w" + std::to_string(i) + ": float32[" + (i == 299 ? "1000, 2000, 3000" : "1")
                + "] parameter\n";
        Session session(sample::model((text + "graph @forward(%x: float32[1]) {\n  return %x\n}\n").c_str()));
        const std::unique_ptr<QWidget> view(makeTensorView(session, nullptr));
        view->resize(1400, 300);
        view->show();
        const auto *list = view->findChild<QTreeView *>();
        QTRY_COMPARE(list->model()->rowCount(), 300);
        for (const int column : {1, 2}) {
            const QString last = list->model()->index(299, column).data().toString();
            QVERIFY2(list->columnWidth(column) > list->fontMetrics().horizontalAdvance(last), qPrintable(last));
        }
    }

    void listsTensorsByName()
    {
        TensorModel list;
        const QAbstractItemModelTester tester(&list, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto net = weightsModel();
        list.setModels(nullptr, net);
        QCOMPARE(cells(list), "fc.weight float32[2, 3] 24 B\nfc.bias float32[2] 8 B\nlist float32[6] 24 B");
        list.setFilter("FC.");
        QCOMPARE(list.rowCount(), 2);
        QCOMPARE(list.rowOf({net, ir::TensorId{1}}), std::optional(1));
        QVERIFY(!list.rowOf({net, ir::TensorId{2}}));
    }

    void readsAPart()
    {
        const auto net = weightsModel();
        const TensorPart matrix = readPart({{net, ir::TensorId{0}}}, "", 0);
        QCOMPARE(matrix.picture.rows, 2u);
        QCOMPARE(matrix.picture.columns, 3u);
        QCOMPARE(matrix.page.texts[1][2], "6");
        QCOMPARE(matrix.page.rowNames[1], "1");
        QCOMPARE(matrix.page.columnNames[2], "2");
        QCOMPARE(indexOfCell(matrix, 1, 2), "1, 2");
        const TensorPart list = readPart({{net, ir::TensorId{2}}}, "1::2", 1);
        QCOMPARE(list.page.first, 1u);
        QCOMPARE(list.page.of, 3u);
        QCOMPARE(list.page.texts.size(), 2u);
        QCOMPARE(list.page.rowNames[0], "3");
        QCOMPARE(list.page.texts[0][0], "4");
        QCOMPARE(readPart({{net, ir::TensorId{0}}}, "5", 0).fault, "index 5 is outside of a dimension of 2");
        QCOMPARE(readPart({{net, ir::TensorId{1}}}, "", 0).fault, "a meta tensor");
    }

    void showsStatisticsAndElements()
    {
        TensorPage page(nullptr);
        page.show({weightsModel(), ir::TensorId{0}});
        QTRY_VERIFY(!page.isBusy());
        QVERIFY2(labelTexts(page).contains("3.5"), qPrintable(labelTexts(page)));
        QCOMPARE(cells(page, "Elements"), "1 2 3\n4 5 6");
        page.showPart("1, ::2");
        QTRY_COMPARE(cells(page, "Elements"), "4\n6");
        page.showPart("7");
        QTRY_VERIFY(labelTexts(page).contains("index 7 is outside of a dimension of 2"));
    }

    void showsChannels()
    {
        TensorPage page(nullptr);
        page.show({weightsModel(), ir::TensorId{0}});
        QTRY_VERIFY(!page.isBusy());
        page.showChannels(0);
        QTRY_VERIFY(!page.isBusy());
        QCOMPARE(cells(page, "Channels"), "1 3 2 0.816497 0 0\n4 6 5 0.816497 0 0");
    }

    void comparesWithACounterpart()
    {
        TensorPage page(nullptr);
        const auto other = std::make_shared<const ir::Model>(ir::parseText(otherText).value());
        page.show({weightsModel(), ir::TensorId{0}}, Counterpart{{other, ir::TensorId{0}}, "in b.onnx"});
        QTRY_VERIFY(!page.isBusy());
        const QString texts = labelTexts(page);
        QVERIFY2(texts.contains("tensor in b.onnx\ncompared with\nmatmul_7\nname\ndiffering elements\n1\n"),
                 qPrintable(texts));
        QVERIFY2(texts.contains("largest relative difference\n0.2\n"), qPrintable(texts));
        QCOMPARE(cells(page, "Elements"), "1 2 3\n4 5 6");
        page.showSide(TensorPage::Side::Counterpart);
        QTRY_COMPARE(cells(page, "Elements"), "1 2 3\n5 5 6");
        page.showSide(TensorPage::Side::Difference);
        QTRY_COMPARE(cells(page, "Elements"), "0 0 0\n-1 0 0");
        QTRY_VERIFY(!page.isBusy());
        QVERIFY2(labelTexts(page).contains("Statistics of the difference\nmin\n-1\n"), qPrintable(labelTexts(page)));
    }

    void tensorsOfOtherShapesAreNotSubtracted()
    {
        TensorPage page(nullptr);
        page.show({weightsModel(), ir::TensorId{0}}, Counterpart{{weightsModel(), ir::TensorId{2}}, "in b.onnx"});
        page.showSide(TensorPage::Side::Difference);
        QTRY_VERIFY(!page.isBusy());
        QVERIFY(labelTexts(page).contains("tensors of shapes [2, 3] and [6] are not compared"));
        QCOMPARE(cells(page, "Elements"), "");
    }

    void theCounterpartIsWhatMatchedNodesRead()
    {
        Session session(std::make_shared<const ir::Model>(ir::parseText(otherText).value()));
        session.start();
        QVERIFY(!counterpartOf(session, ir::TensorId{0}));
        ir::Model other = ir::parseText(otherText).value();
        other.path = "/models/b.onnx";
        other.tensors.edit(0).name = other.context->name("weight");
        session.comparing().start(std::make_shared<const ir::Model>(std::move(other)));
        QTRY_VERIFY(session.comparing().difference());
        const auto found = counterpartOf(session, ir::TensorId{0});
        QVERIFY(found);
        QCOMPARE(found->where, "in b.onnx");
        QCOMPARE(found->place.tensor, ir::TensorId{0});
    }

    void resultsStandBesideThoseOfTheRunBefore()
    {
        sample::FakeAnswers answers;
        Session session(weightsModel());
        sample::useFake(session, answers);
        session.start();
        const std::unique_ptr<QWidget> view(makeTensorView(session, nullptr));
        view->show();
        const auto run = [&] {
            session.running().start(Running::Kind::Run);
            return QTest::qWaitFor([&] { return !session.running().isBusy(); });
        };
        QVERIFY(run());
        const QAbstractItemModel &list = *view->findChild<QTreeView *>()->model();
        QTRY_COMPARE(list.index(0, 0).data().toString(), "result out");
        session.requests().output(ir::TensorId{0});
        const auto &page = *view->findChild<TensorPage *>();
        QTRY_COMPARE(cells(page, "Elements"), "1\n3");
        QVERIFY(!labelTexts(page).contains("run before"));
        answers.first = 2;
        QVERIFY(run());
        QTRY_COMPARE(cells(page, "Elements"), "2\n3");
        QTRY_VERIFY2(labelTexts(page).contains(
                         "of the previous run\ncompared with\ndiffering elements\n1\nlargest absolute difference\n1\n"),
                     qPrintable(labelTexts(page)));
    }

    void saysWhyThereIsNothing()
    {
        TensorPage page(nullptr);
        page.show({weightsModel(), ir::TensorId{1}});
        QTRY_VERIFY(!page.isBusy());
        QVERIFY2(labelTexts(page).contains("a meta tensor"), qPrintable(labelTexts(page)));
    }

    void savesThePart()
    {
        const QTemporaryDir folder;
        TensorPage page(nullptr);
        page.show({weightsModel(), ir::TensorId{0}});
        QTRY_VERIFY(!page.isBusy());
        page.showPart("0");
        QTRY_VERIFY(!page.isBusy());
        page.save(folder.filePath("t.csv"));
        QTRY_VERIFY(!page.isBusy());
        QFile file(folder.filePath("t.csv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), "1,2,3\r\n");
    }

    void followsSelectionAndRequests()
    {
        Session session(weightsModel());
        const std::unique_ptr<QWidget> view(makeTensorView(session, nullptr));
        view->show();
        const auto *list = view->findChild<QTreeView *>();
        QTRY_COMPARE(list->currentIndex().row(), 0);
        session.requests().tensor(ir::TensorId{2});
        QCOMPARE(list->currentIndex().row(), 2);
        const ir::Operand &bias = session.document().function().graph.at(ir::NodeId{0}).arguments[1].value;
        session.navigation().select(*bias.as<ir::ValueId>());
        QCOMPARE(list->currentIndex().row(), 1);
    }

    void ofANodeItsLargestWeightIsShown()
    {
        Session session(weightsModel());
        const std::unique_ptr<QWidget> view(makeTensorView(session, nullptr));
        view->show();
        const auto *list = view->findChild<QTreeView *>();
        QTRY_COMPARE(list->currentIndex().row(), 0);
        session.navigation().select(ir::NodeId{0});
        QCOMPARE(list->currentIndex().row(), 1);
    }

    void theEndsOfAHistogramHaveAsManyDigitsAsThereIsRoomFor_data()
    {
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("last");
        QTest::addColumn<int>("letters");
        QTest::addColumn<QString>("left");
        QTest::addColumn<QString>("right");
        QTest::newRow("room for all") << -0.123456 << 0.654321 << 40 << "-0.123456" << "0.654321";
        QTest::newRow("little room") << -0.123456 << 0.654321 << 12 << "-0.123" << "0.654";
        QTest::newRow("no room") << -0.123456 << 0.654321 << 1 << "-0.12" << "0.65";
        QTest::newRow("one number") << 9.99995e-05 << 9.99995e-05 << 20 << "9.99995e-05" << "";
    }

    void theEndsOfAHistogramHaveAsManyDigitsAsThereIsRoomFor()
    {
        QFETCH(double, first);
        QFETCH(double, last);
        QFETCH(int, letters);
        QFETCH(QString, left);
        QFETCH(QString, right);
        HistogramPlot plot(nullptr);
        plot.show({.first = first, .last = last, .counts = {1, 2}});
        const QFontMetricsF metrics(plot.font());
        const auto ends = plot.endTexts(letters * metrics.horizontalAdvance('0'), metrics);
        QCOMPARE(ends.first, left);
        QCOMPARE(ends.second, right);
    }

    void aNarrowListLeavesSizesOut()
    {
        Session session(weightsModel());
        const std::unique_ptr<QWidget> view(makeTensorView(session, nullptr));
        view->show();
        auto *list = view->findChild<QTreeView *>();
        view->resize(1500, 400);
        QTRY_VERIFY(!list->isColumnHidden(TensorModel::BytesColumn));
        view->resize(900, 400);
        QTRY_VERIFY(list->isColumnHidden(TensorModel::BytesColumn));
    }
};

} // namespace

VIEW_TEST(tst_tensor, TestTensor)
#include "tst_tensor.moc"
