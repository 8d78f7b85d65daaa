// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The compilations of a log: what the rows and the summary say, and what is opened.

#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "tests/core/sequence/small_log.h"
#include "tests/views/view_test.h"
#include "views/compilations/compilation_model.h"
#include "views/compilations/compilations.h"
#include "views/compilations/recorded_step_model.h"
#include "views/compilations/side_by_side.h"
#include "views/compilations/training_curve.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QTreeWidget>

using namespace cutaway;
using namespace cutaway::views;

class TestCompilations : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder.emplace(*TemporaryFolder::make());
        m_document = documentOf(test::smallLog());
    }

    void rowsAreTheCompilations()
    {
        CompilationModel model(m_document);
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(rows(model, CompilationModel::IdColumn), (QStringList{"0/0", "0/0_1", "0/0_1", "0/1", "1/0"}));
        QCOMPARE(rows(model, CompilationModel::PartColumn), (QStringList{"–", "forward", "backward", "–", "–"}));
        QCOMPARE(rows(model, CompilationModel::StatusColumn),
                 (QStringList{"restarted", "compiled", "compiled", "failed", "no graph"}));
        QCOMPARE(rows(model, CompilationModel::StepsColumn), (QStringList{"0", "6", "2", "0", "0"}));
        QCOMPARE(rows(model, CompilationModel::NodesColumn)[1], "2");
        QCOMPARE(rows(model, CompilationModel::BreaksColumn)[0], "1");
        QCOMPARE(rows(model, CompilationModel::PlaceColumn)[1], "model.py:112");
        QVERIFY(rows(model, CompilationModel::ReasonColumn)[3].contains("size mismatch"));
        QVERIFY(model.isIdle(CompilationModel::RankColumn));
        QVERIFY(!model.isIdle(CompilationModel::ReasonColumn));
    }

    void filesInARowAreNoCompilation()
    {
        auto document = std::make_shared<sequence::Document>();
        document->sequences.emplace_back();
        QVERIFY(CompilationModel(document).isIdle(CompilationModel::StatusColumn));
        const std::unique_ptr<QWidget> page(makeCompilationsPage("models", document, {}, nullptr));
        const auto labels = page->findChildren<QLabel *>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel *each) { return each->text().contains("1 sequence"); }));
        QVERIFY(page->findChild<QPlainTextEdit *>()->toPlainText().contains("Graphs without a log"));
    }

    void idsAreSortedByTheirNumbers()
    {
        auto document = std::make_shared<sequence::Document>();
        for (const char *id : {"10/0", "9/10", "9/9"})
            document->sequences.emplace_back().compileId = id;
        CompilationModel model(document);
        QSortFilterProxyModel sorted;
        sorted.setSourceModel(&model);
        sorted.setSortRole(CompilationModel::sortRole);
        sorted.sort(CompilationModel::IdColumn);
        QStringList ids;
        for (int row = 0; row < 3; ++row)
            ids << sorted.index(row, CompilationModel::IdColumn).data().toString();
        QCOMPARE(ids, (QStringList{"9/9", "9/10", "10/0"}));
    }

    void stepsThatChangeNothingAreHiddenUntilTheyAreAskedFor()
    {
        RecordedStepModel model;
        const QAbstractItemModelTester tester(&model);
        model.setSequence(&m_document->sequences[1]);
        QCOMPARE(rows(model, RecordedStepModel::NameColumn),
                 (QStringList{"dynamo_output_graph", "aot_joint_graph", "aot_forward_graph", "after_remove_noops"}));
        QCOMPARE(rows(model, RecordedStepModel::NumberColumn), (QStringList{"0", "1", "2", "4"}));
        QCOMPARE(model.unchangedCount(), 2u);
        model.setShowsUnchanged(true);
        QCOMPARE(model.rowCount(), 6);
        model.setSequence(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void enterStepsThroughAndAStepOpensAsAModel()
    {
        std::vector<std::size_t> stepped;
        QStringList opened;
        const auto page =
            shown({[&](std::size_t at) { stepped.push_back(at); }, [&](const QString &address) { opened << address; }});
        auto *list = page->findChild<QTreeView *>("compilations");
        QCOMPARE(list->currentIndex().row(), 1); // the first one with graphs
        QTest::keyClick(list, Qt::Key_Return);
        list->setCurrentIndex(list->model()->index(2, 0));
        page->findChild<QPushButton *>("step-through")->click();
        QCOMPARE(stepped, (std::vector<std::size_t>{1, 2}));
        auto *steps = page->findChild<QTreeView *>("steps");
        steps->setCurrentIndex(steps->model()->index(0, 0));
        QTest::keyClick(steps, Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QVERIFY(opened[0].endsWith("#0/0_1/backward/aot_backward_graph"));
        list->setCurrentIndex(list->model()->index(4, 0));
        QVERIFY(!page->findChild<QPushButton *>("step-through")->isEnabled());
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(stepped.size(), 2u);
    }

    void theSummaryTellsBreaksAndReasons()
    {
        const auto page = shown({});
        auto *list = page->findChild<QTreeView *>("compilations");
        auto *text = page->findChild<QPlainTextEdit *>();
        list->setCurrentIndex(list->model()->index(0, 0));
        QVERIFY(text->toPlainText().contains("model.py:119"));
        QVERIFY(text->toPlainText().contains("builtin: print"));
        list->setCurrentIndex(list->model()->index(3, 0));
        QVERIFY(text->toPlainText().contains("expected 4, actual 8"));
    }

    void sizesCachesTimesAndGuardsCanBeRead()
    {
        constexpr std::string_view id = R"("frame_id": 0, "frame_compile_id": 0, "attempt": 0)";
        m_document = documentOf(
            test::record(R"("create_symbol": {"symbol": "s77", "val": "8", "source": "L['x'].size()[0]"})", id)
            + test::record(R"("artifact": {"name": "fx_graph_cache_hit"})", id, "{}")
            + test::record(R"("dynamo_cpp_guards_str": {})", id,
                           "+- RootGuardManager\n| +- TENSOR_MATCH: size=[4]  # x.relu()  # model.py:3 in forward")
            + test::record(R"("compilation_metrics": {"co_name": "f", "entire_frame_compile_time_s": 9.5})", id));
        const auto page = shown({});
        auto *text = page->findChild<QPlainTextEdit *>();
        for (const char *wanted : {"s77 is L['x'].size()[0], 8 at first", "fx_graph hit", "9.50 s  frame"})
            QVERIFY2(text->toPlainText().contains(wanted), qPrintable(text->toPlainText()));
        auto *records = page->findChild<QListWidget *>("records");
        records->setCurrentItem(records->findItems("dynamo_cpp_guards_str", Qt::MatchExactly).at(0));
        QTRY_COMPARE(text->toPlainText(), "TENSOR_MATCH  size=[4]\n    model.py:3 in forward  x.relu()");
    }

    void anotherLogIsShownSideBySideAndAPairOpens()
    {
        std::string other = test::smallLog();
        other.replace(other.find("aten.neg"), 8, "aten.cos"); // the MD5 of that record is wrong then, and it is read
        other.replace(other.find("fail_type"), 4, "note");
        const std::filesystem::path file = m_folder->path() / "other.log";
        QVERIFY(writeWholeFile(file, other));
        QStringList opened;
        SideBySideWindow window(
            sideOf("run.log", m_document), sideAt(QString::fromStdString(file.string())),
            [&](const QString &a, const QString &b) { opened = {a, b}; }, nullptr);
        window.setAttribute(Qt::WA_DeleteOnClose, false);
        auto *stages = window.findChild<QTreeWidget *>("stages");
        QTRY_COMPARE(stages->topLevelItemCount(), 6); // the last is the message about the record
        QVERIFY(window.findChild<QLabel *>("verdict")->text().contains("first: 0/0_1 backward, aot_backward_graph"));
        QCOMPARE(stages->topLevelItem(1)->text(1), "same");
        QCOMPARE(stages->topLevelItem(1)->text(3), "");
        QCOMPARE(stages->findItems("status: failed → empty", Qt::MatchExactly, 3).size(), 1);
        QCOMPARE(stages->currentItem()->text(0), "aot_backward_graph");
        QVERIFY(stages->currentItem()->text(3).contains("aten::cos.default 0 → 1"));
        emit stages->itemActivated(stages->currentItem(), 0);
        QCOMPARE(opened.size(), 2);
        QVERIFY(opened[1].endsWith("other.log#0/0_1/backward/aot_backward_graph"));
    }

    void aLogThatCannotBeReadIsToldSideBySide()
    {
        SideBySideWindow window(sideOf("run.log", m_document), sideAt("/missing.log"), {}, nullptr);
        QTRY_VERIFY(window.findChild<QLabel *>("verdict")->text().contains("missing.log"));
        QCOMPARE(window.findChild<QTreeWidget *>("stages")->topLevelItemCount(), 0);
    }

    void messagesAboutTheLogsStandSideBySide()
    {
        auto other = std::make_shared<sequence::Document>(*m_document);
        other->diagnostics.push_back({ir::Severity::Warning, "the log ends in this record", "other.log", 7});
        SideBySideWindow window(sideOf("run.log", m_document), sideOf("other.log", other), {}, nullptr);
        auto *stages = window.findChild<QTreeWidget *>("stages");
        QTRY_VERIFY(stages->topLevelItemCount() > 0);
        const auto messages = stages->findItems("ends in this record", Qt::MatchContains | Qt::MatchRecursive, 3);
        QCOMPARE(messages.size(), 1);
        QCOMPARE(messages[0]->text(1), "B");
    }

    void twoRowsThatAreSelectedAreCompared()
    {
        CompilationActions actions;
        bool isAsked = false;
        actions.chooseOther = [&isAsked] {
            isAsked = true;
            return QString();
        };
        const auto page = shown(actions);
        auto *list = page->findChild<QTreeView *>("compilations");
        auto *compare = page->findChild<QPushButton *>("compare-with");
        QCOMPARE(compare->text(), "Compare with…");
        compare->click();
        QVERIFY(isAsked);
        list->selectionModel()->select(list->model()->index(3, 0),
                                       QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QCOMPARE(compare->text(), "Compare the two");
        compare->click();
        auto *window = page->findChild<SideBySideWindow *>();
        QVERIFY(window);
        auto *stages = window->findChild<QTreeWidget *>("stages");
        QTRY_COMPARE(stages->topLevelItemCount(), 1);
        QVERIFY(stages->topLevelItem(0)->text(3).contains("status: ok → failed"));
        list->setCurrentIndex(list->model()->index(0, 0));
        QCOMPARE(compare->text(), "Compare with…");
    }

    void recordsAreReadWhenTheyAreChosen()
    {
        const auto page = shown({});
        auto *records = page->findChild<QListWidget *>("records");
        const auto found = records->findItems("inductor_output_code", Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        records->setCurrentItem(found[0]);
        QTRY_VERIFY(page->findChild<QPlainTextEdit *>()->toPlainText().contains("buf0 = empty()"));
    }

    void theMemoryOfForwardAndBackwardIsTold()
    {
        const auto page = shown({});
        auto *records = page->findChild<QListWidget *>("records");
        auto *text = page->findChild<QPlainTextEdit *>();
        records->setCurrentRow(1);
        QTRY_VERIFY(text->toPlainText().contains("memory of forward and backward: at most"));
        const auto *curve = page->findChild<TrainingCurve *>();
        QVERIFY(!curve->isHidden());
        records->setCurrentRow(0);
        QVERIFY(curve->isHidden());
        auto *list = page->findChild<QTreeView *>("compilations");
        list->setCurrentIndex(list->model()->index(4, 0));
        records->setCurrentRow(1);
        QTRY_VERIFY(text->toPlainText().contains("no backward for this compilation"));
    }

    void theFilterFindsIdsStatesAndReasons()
    {
        const auto page = shown({});
        auto *list = page->findChild<QTreeView *>("compilations");
        for (const auto &[text, count] : std::vector<std::pair<QString, int>>{
                 {"0/0_1", 2}, {"FAILED", 1}, {"mismatch", 1}, {"nothing", 0}, {"", 5}}) {
            page->findChild<QLineEdit *>()->setText(text);
            QCOMPARE(list->model()->rowCount(), count);
        }
        QVERIFY(list->currentIndex().isValid());
    }

    void whatIsWrongWithTheFileIsSeen()
    {
        QVERIFY(shown({})->findChild<QLabel *>("messages")->isHidden());
        m_document = documentOf(test::smallLog() + "Traceback of a launcher\n");
        const auto page = shown({});
        QVERIFY(!page->findChild<QLabel *>("messages")->isHidden());
        QVERIFY(page->findChild<QLabel *>("messages")->text().contains("run.log"));
        QVERIFY(page->findChild<QPlainTextEdit *>()->toPlainText().contains("Messages about the file"));
    }

private:
    std::shared_ptr<const sequence::Document> documentOf(const std::string &log) const
    {
        const std::string path = m_folder->path() / "run.log";
        auto document = writeWholeFile(path, log).and_then([&] { return sequence::read(std::span(&path, 1)); });
        return document ? std::make_shared<const sequence::Document>(std::move(*document)) : nullptr;
    }

    std::unique_ptr<QWidget> shown(const CompilationActions &actions) const
    {
        std::unique_ptr<QWidget> page(makeCompilationsPage("run.log", m_document, actions, nullptr));
        page->resize(1200, 800);
        page->show();
        return page;
    }

    static QStringList rows(const QAbstractItemModel &model, int column)
    {
        QStringList texts;
        for (int row = 0; row < model.rowCount(); ++row)
            texts << model.index(row, column).data().toString();
        return texts;
    }

    std::optional<TemporaryFolder> m_folder;
    std::shared_ptr<const sequence::Document> m_document;
};

VIEW_TEST(tst_compilations, TestCompilations)
#include "tst_compilations.moc"
