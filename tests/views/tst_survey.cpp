// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The models of a survey: what the rows say, how they are sorted, grouped and filtered, and what Enter does.

#include "tests/views/item_model_test.h"
#include "tests/views/view_test.h"
#include "views/parts/query_line.h"
#include "views/survey/survey.h"
#include "views/survey/survey_model.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTreeView>

using namespace cutaway;
using namespace cutaway::views;

namespace {

survey::Entry surveyed(const std::string &path, const std::string &producer, std::int64_t parameters)
{
    survey::Entry entry;
    entry.path = path;
    entry.state = survey::State::Read;
    entry.format = "onnx";
    entry.producer = producer;
    entry.bytes = 4096;
    entry.nodes = parameters / 10;
    entry.parameters = parameters;
    entry.weightBytes = 4 * parameters;
    entry.opsets = {{"ai.onnx", 17}};
    entry.functions = {{"main", entry.nodes}};
    entry.operators = {{"onnx", parameters > 100 ? "Conv" : "Loop", "", 2, {}}};
    entry.costs.flops = {2 * parameters, "", 2 * parameters};
    return entry;
}

std::vector<survey::Entry> zoo()
{
    std::vector<survey::Entry> entries{surveyed("/zoo/bert/base.onnx", "pytorch", 110),
                                       surveyed("/zoo/resnet101.onnx", "keras", 44),
                                       surveyed("/zoo/resnet50.onnx", "pytorch", 25)};
    entries[1].costs.flops = {{}, "4*N", 400};
    survey::Entry broken;
    broken.path = "/zoo/unfinished.onnx";
    broken.state = survey::State::Crashed;
    broken.message = "the worker ended with signal Segmentation fault";
    entries.push_back(broken);
    return entries;
}

QStringList namesOf(const QAbstractItemModel &model, const QModelIndex &parent = {})
{
    QStringList names;
    for (int row = 0; row < model.rowCount(parent); ++row)
        names << model.index(row, SurveyModel::NameColumn, parent).data().toString();
    return names;
}

} // namespace

class TestSurvey : public QObject {
    Q_OBJECT

private slots:
    void aRowSaysWhatAModelIs()
    {
        SurveyModel model;
        const QAbstractItemModelTester tester(&model, fatal);
        model.setEntries(std::make_shared<const std::vector<survey::Entry>>(zoo()));
        const auto cell = [&](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(cell(0, SurveyModel::NameColumn), "bert/base.onnx");
        QCOMPARE(cell(0, SurveyModel::OpsetColumn), "17");
        QCOMPARE(cell(0, SurveyModel::FlopsColumn), "220 FLOP");
        QCOMPARE(cell(1, SurveyModel::FlopsColumn), "4 FLOP × N");
        QVERIFY(model.index(1, SurveyModel::FlopsColumn).data(Qt::ToolTipRole).toString().contains("4*N"));
        QCOMPARE(cell(1, SurveyModel::MemoryColumn), "?");
        QCOMPARE(cell(3, SurveyModel::StateColumn), "crashed");
        QCOMPARE(cell(3, SurveyModel::NodesColumn), "");
        QVERIFY(model.index(3, 0).data(Qt::ToolTipRole).toString().contains("Segmentation fault"));
    }

    void eachBackendThatTimedHasAColumn()
    {
        auto entries = zoo();
        entries[0].measurements = {
            {.machine = "a", .backend = "torch", .state = survey::Measurement::State::Measured, .seconds = 0.25}};
        entries[1].measurements = {
            {.machine = "a", .backend = "torch", .state = survey::Measurement::State::Refused, .message = "no kernel"},
            {.machine = "b", .backend = "torch", .state = survey::Measurement::State::Measured, .seconds = 2}};
        entries[2].measurements = {{.machine = "a",
                                    .backend = "torch",
                                    .state = survey::Measurement::State::Measured,
                                    .seconds = 1,
                                    .predicted = 0.5}};
        SurveyModel model;
        const QAbstractItemModelTester tester(&model, fatal);
        model.setEntries(std::make_shared<const std::vector<survey::Entry>>(entries));
        QCOMPARE(model.columnCount(), SurveyModel::ColumnCount + 2);
        const int column = SurveyModel::ColumnCount;
        QCOMPARE(model.headerData(column, Qt::Horizontal).toString(), "torch on a");
        const auto cell = [&](int row) { return model.index(row, column).data().toString(); };
        QCOMPARE((QStringList{cell(0), cell(1), cell(2), cell(3)}), (QStringList{"250 ms", "refused", "1 s", ""}));
        QVERIFY(model.index(1, column).data(Qt::ToolTipRole).toString().contains("no kernel"));
        QVERIFY(model.index(2, column).data(Qt::ToolTipRole).toString().contains("500 ms"));
        model.sort(column, Qt::DescendingOrder);
        QCOMPARE(namesOf(model).mid(0, 2), (QStringList{"resnet50.onnx", "bert/base.onnx"}));
        model.sort(column, Qt::AscendingOrder);
        QCOMPARE(namesOf(model).mid(0, 2), (QStringList{"bert/base.onnx", "resnet50.onnx"}));
    }

    void sortsByNumberWithUnknownOnesLast()
    {
        SurveyModel model;
        const QAbstractItemModelTester tester(&model, fatal);
        model.setEntries(std::make_shared<const std::vector<survey::Entry>>(zoo()));
        model.sort(SurveyModel::ParametersColumn, Qt::DescendingOrder);
        QCOMPARE(namesOf(model), (QStringList{"bert/base.onnx", "resnet101.onnx", "resnet50.onnx", "unfinished.onnx"}));
        model.sort(SurveyModel::ParametersColumn, Qt::AscendingOrder);
        QCOMPARE(namesOf(model), (QStringList{"resnet50.onnx", "resnet101.onnx", "bert/base.onnx", "unfinished.onnx"}));
        model.sort(SurveyModel::NameColumn, Qt::DescendingOrder);
        QCOMPARE(namesOf(model).front(), "unfinished.onnx");
    }

    void groupsStandInTheOrderOfTheirSize()
    {
        SurveyModel model;
        const QAbstractItemModelTester tester(&model, fatal);
        model.setEntries(std::make_shared<const std::vector<survey::Entry>>(zoo()));
        model.setGrouping(SurveyModel::Grouping::Producer);
        QCOMPARE(namesOf(model), (QStringList{"pytorch  (2 models)", "(not read)  (1 model)", "keras  (1 model)"}));
        QCOMPARE(namesOf(model, model.index(0, 0)), (QStringList{"bert/base.onnx", "resnet50.onnx"}));
        QVERIFY(!model.entry(model.index(0, 0)));
        QCOMPARE(model.entry(model.index(1, 0, model.index(0, 0)))->path, "/zoo/resnet50.onnx");
        model.setGrouping(SurveyModel::Grouping::Family);
        QCOMPARE(namesOf(model).front(), "resnet  (2 models)");
    }

    void thePageFiltersByAQueryAndOpensOrCompares()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("zoo.db");
        {
            auto database = survey::Database::open(path.toStdString(), "1");
            QVERIFY(database);
            for (const survey::Entry &entry : zoo())
                QVERIFY(database->put(entry.file(), {}, entry));
        }
        QStringList opened;
        const std::unique_ptr<QWidget> page(
            makeSurveyPage(path,
                           {[&](const QString &model) { opened << model; },
                            [&](const QString &a, const QString &b) { opened << a + " and " + b; },
                            {}},
                           nullptr));
        page->resize(1200, 600);
        page->show();
        auto *list = page->findChild<QTreeView *>();
        auto *line = page->findChild<QueryLine *>();
        QTRY_COMPARE(list->model()->rowCount(), 4);
        const auto rows = [&] { return namesOf(*list->model()); };
        line->setText("op:Conv");
        QTRY_COMPARE(rows(), QStringList{"bert/base.onnx"});
        line->setText("flops>300");
        QTRY_COMPARE(rows(), QStringList{"resnet101.onnx"});
        QVERIFY(anyText(*page, "1 model was not read"));
        line->setText("dtype:float64");
        QTRY_COMPARE(rows(), QStringList());
        QVERIFY(anyText(*page, "only the file tells"));
        line->setText("opset>>1");
        QTRY_VERIFY(!line->marked().isEmpty());
        line->setText("");
        QTRY_COMPARE(rows().size(), 4);
        list->setCurrentIndex(list->model()->index(2, 0));
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(opened, QStringList{"/zoo/resnet50.onnx"});
        auto *compare = page->findChild<QPushButton *>("compare");
        QVERIFY(!compare->isEnabled());
        list->selectionModel()->select(list->model()->index(1, 0),
                                       QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QVERIFY(compare->isEnabled());
        compare->click();
        QCOMPARE(opened.back(), "/zoo/resnet101.onnx and /zoo/resnet50.onnx");
        page->findChild<QComboBox *>()->setCurrentIndex(2);
        QCOMPARE(rows(), (QStringList{"onnx  (3 models)", "(not read)  (1 model)"}));
    }

    void whatIsNoSurveyIsAnsweredOnThePage()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("zoo.db");
        const std::unique_ptr<QWidget> page(makeSurveyPage(path, {}, nullptr));
        QTRY_VERIFY(anyText(*page, "cannot be opened"));
    }

private:
    static bool anyText(const QWidget &page, const QString &text)
    {
        const auto labels = page.findChildren<QLabel *>();
        return std::ranges::any_of(labels, [&](const QLabel *label) { return label->text().contains(text); });
    }
};

VIEW_TEST(tst_survey, TestSurvey)
#include "tst_survey.moc"
