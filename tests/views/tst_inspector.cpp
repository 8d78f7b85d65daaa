// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector's and the summary's texts about a selection, and the targets of their links.

#include "core/passes/pipeline.h"
#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/inspector/inspector.h"
#include "views/parts/elided_label.h"
#include "views/session/stepping.h"
#include "views/summary/summary.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

using namespace cutaway;
using namespace cutaway::views;

namespace {

/// The texts of a sheet that is shown; pages that wait for their deletion are not.
QStringList texts(QWidget *sheet)
{
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QStringList all;
    for (const QWidget *widget : sheet->findChildren<QWidget *>()) {
        if (const auto *label = dynamic_cast<const ElidedLabel *>(widget))
            all << label->text();
        else if (const auto *plain = qobject_cast<const QLabel *>(widget))
            all << plain->text();
    }
    return all;
}

ElidedLabel *link(QWidget *sheet, const QString &text)
{
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    for (QWidget *widget : sheet->findChildren<QWidget *>())
        if (auto *label = dynamic_cast<ElidedLabel *>(widget); label && label->text() == text)
            return label;
    return nullptr;
}

} // namespace

class TestInspector : public QObject {
    Q_OBJECT

private slots:
    void tellsOperatorArgumentsAndTypes()
    {
        Session session(sample::model());
        const std::unique_ptr<QWidget> sheet(makeInspector(session, nullptr));
        session.navigation().select(sample::node(session, "conv"));
        const QStringList all = texts(sheet.get());
        for (const char *expected : {"conv2d", "aten::conv2d.default", "stem.conv", "x", "stem.conv.weight", "stride",
                                     "[1, 1]", "float32 [1, 4, 6, 6]", "act",
                                     "Slides filters over the input; each output is the sum of products of a filter "
                                     "and a window, plus a bias.",
                                     "Operator", "to ONNX", "decomposed"})
            QVERIFY2(all.contains(expected), expected);
    }

    void inputsOfOnnxAreCalledAsByTheOperator()
    {
        const auto model = sample::model("model \"m\"\nopset \"ai.onnx\" 17\n"
                                         "graph @forward(%a: float32[1, 3, 8, 8], %b: float32[4, 3, 3, 3]) {\n"
                                         "  %y: float32[1, 4, 6, 6] = onnx::Conv(%a, %b)\n"
                                         "  %z: float32[1, 4, 6, 6] = com.microsoft::Other(%y)\n"
                                         "  return %z\n}\n");
        Session session(model);
        const std::unique_ptr<QWidget> sheet(makeInspector(session, nullptr));
        sheet->show();
        session.navigation().select(ir::NodeId{0});
        QVERIFY2(texts(sheet.get()).contains("X") && texts(sheet.get()).contains("W"),
                 qPrintable(texts(sheet.get()).join('\n')));
        QVERIFY(!texts(sheet.get()).contains("#0"));
        session.navigation().select(ir::NodeId{1});
        QVERIFY(texts(sheet.get()).contains("#0")); // ONNX does not know it
    }

    void aValuesLinkSelectsIt()
    {
        Session session(sample::model());
        const std::unique_ptr<QWidget> sheet(makeInspector(session, nullptr));
        session.navigation().select(sample::node(session, "act"));
        ElidedLabel *value = link(sheet.get(), "conv");
        QVERIFY(value);
        QTest::mouseClick(value, Qt::LeftButton);
        QVERIFY(std::holds_alternative<ir::ValueId>(session.navigation().selection()));
        QVERIFY(subjectOf(session.document().function(), session.navigation().selection())
                == layout::Subject(sample::node(session, "conv")));
    }

    void tellsWhyAWeightHasNoValues()
    {
        Session session(sample::model());
        const std::unique_ptr<QWidget> sheet(makeInspector(session, nullptr));
        const ir::Node &conv = session.document().function().graph.at(sample::node(session, "conv"));
        session.navigation().select(*conv.arguments.at(1).value.as<ir::ValueId>());
        QVERIFY(texts(sheet.get()).contains("[4, 3, 3, 3]"));
        auto *button = sheet->findChild<QPushButton *>();
        QVERIFY(button);
        const qsizetype before = texts(sheet.get()).size();
        button->click();
        QTRY_VERIFY(texts(sheet.get()).size() > before);
        QVERIFY(texts(sheet.get()).last().contains("not given"));
    }

    void tellsWhatIsDerived()
    {
        Session session(sample::model(sample::open));
        const std::unique_ptr<QWidget> sheet(makeInspector(session, nullptr));
        const std::unique_ptr<QWidget> summary(makeSummary(session, nullptr));
        session.navigation().select(sample::node(session, "deep"));
        QVERIFY(session.document().give({{"s0=8"}, {}}));
        QVERIFY(sample::waitForFigures(session));
        for (const char *expected : {"float32 [8, 100]", "4.80 kFLOP", "bytes read", "predicted time"})
            QVERIFY2(texts(sheet.get()).contains(expected), expected);
        for (const char *expected : {"float32 [8, 200]", "325 kFLOP", "9.38 KiB"})
            QVERIFY2(texts(summary.get()).contains(expected), expected);
    }

    void tellsWhyAFigureIsNotKnown()
    {
        Session session(sample::model(R"(model "odd"
graph @forward(%x: float32[2]) {
  %y = mine::op(%x)
  return %y
}
)"));
        const std::unique_ptr<QWidget> sheet(makeInspector(session, nullptr));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        session.navigation().select(sample::node(session, "y"));
        QVERIFY(texts(sheet.get()).contains("Unknown: no rule for mine::op"));
    }

    void tellsThatASizeIsAsTheFileRecordsIt()
    {
        Session session(sample::model(R"(model "odd"
graph @forward(%x: float32[2, 2]) {
  %y: float32[2, 2] = mine::op(%x)
  %z: float32[2, 2] = aten::mm(self=%y, mat2=%y)
  return %z
}
)"));
        const std::unique_ptr<QWidget> sheet(makeInspector(session, nullptr));
        const std::unique_ptr<QWidget> summary(makeSummary(session, nullptr));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        session.navigation().select(sample::node(session, "y"));
        QVERIFY(texts(sheet.get()).contains("As the file records it: no rule for mine::op"));
        for (const char *expected : {"≥ 16 FLOP + 1 unknown", "Taken from the file's recorded shapes: 1 value."})
            QVERIFY2(texts(summary.get()).contains(expected), expected);
    }

    void everySelectionHasAPage()
    {
        Session session(sample::model());
        const std::unique_ptr<QWidget> sheet(makeInspector(session, nullptr));
        const ir::Graph &graph = session.document().function().graph;
        const ir::NodeId branch = sample::node(session, "both");
        const ir::ValueId input = graph.at(ir::Graph::body).inputs.front();
        for (const Selection &s :
             {Selection(sample::module(session, "stem")), Selection(graph.at(branch).regions.front()),
              Selection(layout::InputSubject{input}), Selection(layout::OutputSubject{}),
              Selection(layout::GroupSubject{}), Selection(branch)}) {
            session.navigation().select(s);
            QVERIFY(texts(sheet.get()).size() >= 3);
        }
    }

    void aNarrowSheetCutsNothingOff()
    {
        Session session(sample::model(sample::open));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const std::unique_ptr<QWidget> summary(makeSummary(session, nullptr));
        summary->resize(220, 600);
        summary->show();
        const auto *area = qobject_cast<QScrollArea *>(summary.get());
        QVERIFY(area);
        QTRY_COMPARE(area->widget()->width(), area->viewport()->width());
        for (const QWidget *widget : area->widget()->findChildren<QWidget *>())
            QVERIFY2(!widget->isVisible() || widget->geometry().right() < widget->parentWidget()->width(),
                     widget->metaObject()->className());
    }

    void theSummaryTellsCountsAndSignature()
    {
        Session session(sample::model());
        const std::unique_ptr<QWidget> sheet(makeSummary(session, nullptr));
        const QStringList all = texts(sheet.get());
        for (const char *expected : {"net", "6", "float32 [1, 3, 8, 8]", "float32 [1, 10]", "conv2d"})
            QVERIFY2(all.contains(expected), expected);
    }

    void tellsWhatStepsDid()
    {
        Session session(sample::model(R"(model "net"
scope act class "torch.nn.ReLU"
graph @forward(%x: float32[1, 4]) {
  %drop: float32[1, 4] = aten::dropout(input=%x, p=0.5, train=false)
  %abs: float32[1, 4] = aten::absolute(self=%drop)
  %relu: float32[1, 4] = aten::relu(self=%abs) in act
  return %relu
}
)"));
        session.start();
        QVERIFY(sample::waitForLayout(session));
        const std::unique_ptr<QWidget> sheet(makeInspector(session, nullptr));
        session.navigation().select(sample::node(session, "abs"));
        QVERIFY(!texts(sheet.get()).contains("History")); // there are no steps
        session.stepping().chosen().setPipeline(*passes::parsePipeline("remove-identities,normalize-operators"));
        session.stepping().run();
        QTRY_VERIFY(session.stepping().history() && texts(sheet.get()).contains("History"));
        const QStringList all = texts(sheet.get());
        for (const char *expected : {"from", "input file", "changed", "1  remove-identities", "2  normalize-operators"})
            QVERIFY2(all.contains(expected), expected);
    }

    void aStepThatRemovedANodeShowsIt()
    {
        Session session(sample::model(R"(model "net"
graph @forward(%x: float32[1, 4]) {
  %drop: float32[1, 4] = aten::dropout(input=%x, p=0.5, train=false)
  %abs: float32[1, 4] = aten::abs(self=%drop)
  return %abs
}
)"));
        session.start();
        QVERIFY(sample::waitForLayout(session));
        const ir::NodeId drop = sample::node(session, "drop");
        const std::unique_ptr<QWidget> sheet(makeInspector(session, nullptr));
        session.stepping().chosen().setPipeline(*passes::parsePipeline("remove-identities"));
        session.stepping().run();
        QTRY_VERIFY(session.stepping().history() && !session.stepping().isRunning());
        session.stepping().goTo(0);
        QVERIFY(sample::waitForLayout(session));
        session.navigation().select(drop);
        QTRY_VERIFY(link(sheet.get(), "1  remove-identities"));
        QVERIFY(texts(sheet.get()).contains("x is read instead"));
        QTest::mouseClick(link(sheet.get(), "1  remove-identities"), Qt::LeftButton);
        QCOMPARE(session.stepping().position(), 1u);
        QCOMPARE(session.navigation().selection(), Selection(drop));
    }
};

VIEW_TEST(tst_inspector, TestInspector)
#include "tst_inspector.moc"
