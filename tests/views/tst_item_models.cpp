// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Every item model keeps Qt's rules (QAbstractItemModelTester) and says what it should.

#include "tests/views/item_model_test.h"
#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/command_palette/command_model.h"
#include "views/diagnostics/diagnostic_model.h"
#include "views/find/hit_model.h"
#include "views/modules/module_model.h"
#include "views/parts/text.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/figures.h"

#include <QAction>

using namespace cutaway;
using namespace cutaway::views;

namespace {

QString text(const QAbstractItemModel &model, int row, int column, const QModelIndex &parent = {})
{
    return model.index(row, column, parent).data().toString();
}
} // namespace

class TestItemModels : public QObject {
    Q_OBJECT

private slots:
    void modulesAreATreeInOrderOfExecution()
    {
        Session session(sample::model());
        ModuleModel model(session.document());
        const QAbstractItemModelTester tester(&model, fatal);
        const QModelIndex root = model.index(0, 0);
        QCOMPARE(root.data().toString(), "forward");
        QCOMPARE(text(model, 0, ModuleModel::NodesColumn), "6");
        QCOMPARE(model.rowCount(root), 2);
        QCOMPARE(text(model, 0, ModuleModel::ModuleColumn, root), "stem");
        QCOMPARE(text(model, 1, ModuleModel::ModuleColumn, root), "head");
        QCOMPARE(model.index(0, 0, root).data(ModuleModel::classRole).toString(), "Stem");
        const QModelIndex act = model.indexOf(sample::scope(session, "stem.act"));
        QCOMPARE(act.data().toString(), "act");
        QCOMPARE(act.parent().data().toString(), "stem");
    }

    void modulesTellWhatTheyCost()
    {
        Session session(sample::model(sample::open));
        QVERIFY(session.document().give({{"s0=8"}, {}}));
        QVERIFY(sample::waitForFigures(session));
        ModuleModel model(session.document());
        const QAbstractItemModelTester tester(&model, fatal);
        QCOMPARE(text(model, 0, ModuleModel::FlopsColumn), "");
        model.setFigures(session.analysing().figures());
        QCOMPARE(text(model, 0, ModuleModel::FlopsColumn), "325 k");
        QCOMPARE(text(model, 0, ModuleModel::FlopsColumn, model.index(0, 0)), "192");
    }

    void partsThatAreFoundAreRowsToo()
    {
        std::string net = "model \"flat\"\ntensor @w: float32[4, 4, 1, 1] parameter\n"
                          "graph @forward(%x0: float32[1, 4, 8, 8]) {\n  weight %w = @w\n";
        constexpr int count = 40;
        for (int i = 0; i < count; ++i) {
            const std::string n = std::to_string(i);
            net += "  %c" + n + " = onnx::Conv(%x" + n + ", %w)\n  %x" + std::to_string(i + 1) + " = onnx::Relu(%c" + n
                + ")\n";
        }
        Session session(sample::model((net + "  return %x" + std::to_string(count) + "\n}\n").c_str()));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        QVERIFY(sample::waitForLayout(session));
        ModuleModel model(session.document(), session.drawing().drawnOutline().get());
        model.setFigures(session.analysing().figures());
        const QAbstractItemModelTester tester(&model, fatal);
        const QModelIndex root = model.index(0, 0), found = model.index(0, 0, root);
        QCOMPARE(model.rowCount(root), 1);
        QCOMPARE(found.data().toString(), "40 × Conv Relu");
        QCOMPARE(found.data(ModuleModel::classRole).toString(), "found");
        QCOMPARE(text(model, 0, ModuleModel::NodesColumn, root), "80");
        QCOMPARE(text(model, 0, ModuleModel::ParametersColumn, root), "16");
        QCOMPARE(text(model, 0, ModuleModel::FlopsColumn, root),
                 model.index(0, ModuleModel::FlopsColumn).data().toString());
        QCOMPARE(model.indexOf(model.subject(found)), found);
        QCOMPARE(model.rowCount(found), count);
    }

    void aLowerBoundLeavesWhatIsMissingToTheToolTip()
    {
        Session session(sample::model(R"(model "partly"
tensor @weight: float32[8, 4] parameter
scope net class "net.Net"
graph @forward(%x: float32[2, 4]) {
  weight %w = @weight
  %a = aten::linear(input=%x, weight=%w) in net
  %b = mine::op(%a) in net
  return %b
}
)"));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        ModuleModel model(session.document());
        model.setFigures(session.analysing().figures());
        QCOMPARE(text(model, 0, ModuleModel::FlopsColumn), "≥ 128");
        const QString details = model.index(0, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(details.contains("128 FLOP + 1 unknown"), qPrintable(details));
    }

    void aFormulaIsShownAsWhatItComesToAtTheExamplesSizes()
    {
        Session session(sample::model(sample::open));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        ModuleModel model(session.document());
        model.setFigures(session.analysing().figures());
        QCOMPARE(text(model, 0, ModuleModel::FlopsColumn), "~203 k"); // 5 * 40624
        const QString details = model.index(0, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(details.contains("s0 = 5"), qPrintable(details));
    }

    void whatPropagationDidNotKnowIsADiagnosticToo()
    {
        DiagnosticModel model(sample::model());
        const QAbstractItemModelTester tester(&model, fatal);
        model.show(sample::model(), {{ir::Severity::Warning, "shapes.contradiction", "2 is not 3", {}, {}}});
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(text(model, 2, DiagnosticModel::CodeColumn), "shapes.contradiction");
        model.show(sample::model(), {});
        QCOMPARE(model.rowCount(), 3);
    }

    void diagnosticsOfAnotherStepNameItsNodes()
    {
        DiagnosticModel model(sample::model());
        auto step = std::make_shared<ir::Model>(*sample::model());
        step->diagnostics.clear();
        ir::NodeDraft relu;
        relu.op = step->context->op("aten", "relu");
        const ir::NodeId added = step->functions[0].graph.append(ir::Graph::body, std::move(relu));
        model.show(step, {{ir::Severity::Warning, "x.late", "it is dead", ir::FunctionId{0}, added}});
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(text(model, 0, DiagnosticModel::PlaceColumn), "relu");
    }

    void diagnosticsAreSortedByGravity()
    {
        DiagnosticModel model(sample::model());
        const QAbstractItemModelTester tester(&model, fatal);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(text(model, 0, DiagnosticModel::CodeColumn), "x.bad");
        QCOMPARE(text(model, 1, DiagnosticModel::CodeColumn), "x.odd");
        QCOMPARE(text(model, 2, DiagnosticModel::CodeColumn), "x.note");
        QCOMPARE(text(model, 0, DiagnosticModel::PlaceColumn), "mean");
    }

    void hitsAreDescribed()
    {
        const auto net = sample::model();
        HitModel model;
        const QAbstractItemModelTester tester(&model, fatal);
        model.setHits(net, {}, sample::search(net->at(ir::FunctionId{}), "conv2d"));
        QVERIFY(model.rowCount() >= 1);
        const int row = model.rowCount() - 1; // modules come first
        QCOMPARE(text(model, row, HitModel::KindColumn), "aten::conv2d.default");
        QCOMPARE(text(model, row, HitModel::NameColumn), "conv");
        QCOMPARE(text(model, row, HitModel::ModuleColumn), "stem.conv");
        QCOMPARE(text(model, row, HitModel::TypeColumn), "float32 [1, 4, 6, 6]");
        QVERIFY(model.index(row, 0).data(Qt::ToolTipRole).toString().contains("aten::conv2d.default"));
        model.setHits(net, {}, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void markupOfAFileStaysText()
    {
        QCOMPARE(toolTipText("<img src='x'>"), "<p style='white-space:pre-wrap'>&lt;img src='x'&gt;</p>");
        QVERIFY(toolTipText("").isEmpty());
        QVERIFY(toolTipText(QString(100000, 'x')).size() < 3000);
    }

    void theLastRowOfThePaletteSearches()
    {
        QAction zoom("Zoom in");
        CommandModel model({&zoom}, true);
        const QAbstractItemModelTester tester(&model, fatal);
        QCOMPARE(model.rowCount(), 1); // nothing is typed yet
        model.setFilter("zoom");
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(!model.isFind(model.index(0)));
        QVERIFY(model.isFind(model.index(1)));
        QVERIFY(!model.action(model.index(1)));
        model.setFilter(" flops>1G ");
        QCOMPARE(text(model, 0, 0), "Find in the graph: flops>1G");
        QCOMPARE(model.text(), "flops>1G");
    }

    void commandsAreFilteredByWords()
    {
        QAction open("&Open…"), zoom("Zoom in"), fit("Fit entire graph"), off("Zoom out");
        off.setEnabled(false);
        CommandModel model({&zoom, &open, &fit, &off});
        const QAbstractItemModelTester tester(&model, fatal);
        QCOMPARE(model.rowCount(), 3);
        model.setFilter("o");
        QCOMPARE(text(model, 0, 0), "Open…");
        model.setFilter("graph fit");
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.action(model.index(0)), &fit);
        model.setFilter("nothing like it");
        QCOMPARE(model.rowCount(), 0);
        QVERIFY(!model.action({}));
    }
};

VIEW_TEST(tst_item_models, TestItemModels)
#include "tst_item_models.moc"
