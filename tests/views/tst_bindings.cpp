// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Typing a size or a shape changes what is derived; what is wrong is told beside it.

#include "tests/core/formats/temporary_file.h"
#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/bindings/bindings.h"
#include "views/bindings/given_row.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>

using namespace cutaway;
using namespace cutaway::views;

namespace {

/// TorchScript's: nothing is known of the input.
constexpr const char *unknownInput = R"(model "scripted"
graph @forward(%x: tensor[*], %n: int) {
  %y = aten::relu(self=%x)
  return %y
}
)";

constexpr const char *listInput = R"(model "listed"
graph @forward(%xs: list<tensor[*]>, %pair: tuple<tensor[*], int>) {
  %y = aten::cat(tensors=%xs)
  %a, %n = prim::TupleUnpack(%pair)
  return %y, %a
}
)";

constexpr const char *fixedInput = R"(model "fixed"
graph @forward(%x: float32[1, 8]) {
  %y: float32[1, 8] = aten::view(self=%x, size=[1, -1])
  return %y
}
)";

struct Shown {
    Session session;
    std::unique_ptr<QWidget> panel;

    explicit Shown(const char *text) : session(sample::model(text)), panel(makeBindingsView(session, nullptr))
    {
        panel->resize(380, 400);
        panel->show();
        session.start();
        if (!sample::waitForFigures(session))
            qFatal("no figures");
    }

    QLineEdit *edit(int row) const { return panel->findChildren<QLineEdit *>().at(row); }
    QPushButton *button(const QString &text) const
    {
        for (auto *button : panel->findChildren<QPushButton *>())
            if (button->text() == text)
                return button;
        return nullptr;
    }
    /// Returns the error that the panel shows.
    QString problem() const
    {
        for (const auto *row : panel->findChildren<GivenRow *>())
            for (const auto *label : row->findChildren<QLabel *>())
                if (label->isVisible())
                    return label->text();
        return {};
    }
    /// Returns the panel's text about nodes that keep sizes of the file.
    QString held() const
    {
        for (const auto *label : panel->findChildren<QLabel *>())
            if (label->isVisible() && label->text().contains("keeps a size"))
                return label->text();
        return {};
    }
    double flops() const { return session.analysing().figures()->total(Measure::Flops).number().value_or(-1); }
};

} // namespace

class TestBindings : public QObject {
    Q_OBJECT

private slots:
    void aTypedSizeChangesTheTotals()
    {
        const Shown shown(sample::open);
        QTest::keyClicks(shown.edit(0), "8");
        QTRY_COMPARE(shown.flops(), 8.0 * (24 + 600 + 40000));
        QTest::keyClick(shown.edit(0), Qt::Key_Up);
        QCOMPARE(shown.edit(0)->text(), "9");
        QTRY_COMPARE(shown.flops(), 9.0 * (24 + 600 + 40000));
    }

    /// The narrowest that the dock is at 1200 pixels.
    void nothingIsCutOffAtTheRight()
    {
        for (const char *text : {sample::open, unknownInput}) {
            const Shown shown(text);
            shown.panel->resize(220, 400);
            const auto *area = qobject_cast<QScrollArea *>(shown.panel.get());
            QTRY_COMPARE(area->widget()->width(), area->viewport()->width());
            for (const QWidget *each : area->widget()->findChildren<QWidget *>())
                if (each->isVisible())
                    QVERIFY2(each->mapTo(area->widget(), each->rect().topRight()).x() < area->viewport()->width(),
                             each->metaObject()->className());
        }
    }

    void arrowKeysKeepToTheRange()
    {
        const Shown shown(sample::open);
        QTest::keyClick(shown.edit(0), Qt::Key_Down);
        QCOMPARE(shown.edit(0)->text(), "5"); // the example comes first
        for (int i = 0; i < 9; ++i)
            QTest::keyClick(shown.edit(0), Qt::Key_Down);
        QCOMPARE(shown.edit(0)->text(), "2");
        QCOMPARE(shown.problem(), "");
    }

    void whatIsWrongIsToldAndNothingChanges_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("below the range") << "1";
        QTest::newRow("above the range") << "65";
        QTest::newRow("no number") << "many";
        QTest::newRow("too large for a number") << "99999999999999999999";
    }

    void whatIsWrongIsToldAndNothingChanges()
    {
        QFETCH(QString, text);
        const Shown shown(sample::open);
        QTest::keyClicks(shown.edit(0), "8");
        QTRY_COMPARE(shown.flops(), 8.0 * (24 + 600 + 40000));
        shown.edit(0)->setText(text);
        QVERIFY(!shown.problem().isEmpty());
        QTRY_VERIFY(shown.session.document().given() == GivenTexts{}); // as if it were empty
        shown.edit(0)->setText("3");
        QCOMPARE(shown.problem(), "");
        QTRY_COMPARE(shown.flops(), 3.0 * (24 + 600 + 40000));
    }

    void examplesAndReset()
    {
        const Shown shown(sample::open);
        QTest::mouseClick(shown.button("Use examples"), Qt::LeftButton);
        QTRY_COMPARE(shown.flops(), 5.0 * (24 + 600 + 40000));
        QTest::mouseClick(shown.button("Reset"), Qt::LeftButton);
        QTRY_COMPARE(shown.flops(), -1.0);
        QCOMPARE(shown.edit(0)->text(), "");
    }

    void anInputOfUnknownShapeCanBeGiven()
    {
        const Shown shown(unknownInput);
        QCOMPARE(shown.panel->findChildren<QLineEdit *>().size(), 2);
        const ir::ValueId y =
            shown.session.document().function().graph.at(sample::node(shown.session, "y")).outputs.front();
        shown.edit(0)->setText("2x3:float16");
        QTRY_COMPARE(shown.session.analysing().typeText(y), "float16 [2, 3]");
        shown.edit(0)->setText("2x:float16");
        QVERIFY(!shown.problem().isEmpty());
    }

    void itemsOfAListAndPartsOfATupleCanBeGiven()
    {
        const Shown shown(listInput);
        QCOMPARE(shown.panel->findChildren<QLineEdit *>().size(), 3);
        const ir::Graph &graph = shown.session.document().function().graph;
        const ir::ValueId y = graph.at(sample::node(shown.session, "y")).outputs.front();
        const ir::ValueId a = graph.at(sample::node(shown.session, "a")).outputs.front();
        shown.edit(0)->setText("2x3:float32, 5x3:float32");
        shown.edit(1)->setText("7:int64");
        QTRY_COMPARE(shown.session.analysing().typeText(y), "float32 [7, 3]");
        QTRY_COMPARE(shown.session.analysing().typeText(a), "int64 [7]");
        QCOMPARE(shown.session.document().given().inputs.front(), std::string("xs.0=2x3:float32"));
        shown.edit(0)->setText("2x3:float32,");
        QVERIFY(!shown.problem().isEmpty());
        shown.edit(0)->setText("[]");
        QCOMPARE(shown.problem(), "");
    }

    void aListThatIsGivenElsewhereIsShown()
    {
        Shown shown(listInput);
        QVERIFY(shown.session.document().give({{}, {"xs.0=2x3:float32", "xs.1=4x3:float32", "pair.1=6"}}));
        QVERIFY(sample::waitForFigures(shown.session));
        QTRY_COMPARE(shown.edit(0)->text(), "2x3:float32, 4x3:float32");
        QCOMPARE(shown.edit(2)->text(), "6");
    }

    void whatIsGivenElsewhereIsShown()
    {
        Shown shown(sample::open);
        QVERIFY(shown.session.document().give({{"s0=7"}, {}}));
        QVERIFY(sample::waitForFigures(shown.session));
        QTRY_COMPARE(shown.edit(0)->text(), "7");
    }

    void aFixedSizeIsShownAndCanBeReplaced()
    {
        const Shown shown(fixedInput);
        const ir::ValueId y =
            shown.session.document().function().graph.at(sample::node(shown.session, "y")).outputs.front();
        QCOMPARE(shown.edit(0)->text(), "1x8:float32");
        QVERIFY(shown.session.document().given() == GivenTexts{});
        shown.edit(0)->setText("4x8:float32");
        QTRY_COMPARE(shown.session.analysing().typeText(y), "float32 [1, 32]");
        QCOMPARE(shown.problem(), "");
        QTRY_COMPARE(shown.held(),
                     "y keeps a size from the file: its target [1, -1] is a constant: dimension 0 stays 1, "
                     "where the given sizes make 4.");
        QTest::mouseClick(shown.button("Reset"), Qt::LeftButton);
        QCOMPARE(shown.edit(0)->text(), "1x8:float32");
        QTRY_COMPARE(shown.session.analysing().typeText(y), "float32 [1, 8]");
        QTRY_COMPARE(shown.held(), "");
        shown.edit(0)->setText("");
        QCOMPARE(shown.problem(), "");
        QTRY_VERIFY(shown.session.document().given() == GivenTexts{});
    }

    void elementsCanBeGiven_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("problem");
        const QString file = QString::fromStdString(m_file.path().string());
        QTest::newRow("list") << "[2, 6]" << "float32 [2, 6]" << "";
        QTest::newRow("file") << "@" + file << "float32 [4, 3]" << "";
        QTest::newRow("ragged") << "[[2], [3, 4]]" << ""
                                << "Input 'shape': the lists have unequal lengths, 1 and 2.";
        QTest::newRow("another rank") << "[[2, 6]]" << "" << "Input 'shape' has 1 dimensions, not 2.";
        QTest::newRow("another dtype") << "[2, 6]:int32" << "" << "Input 'shape' is int64, not int32.";
        QTest::newRow("no file") << "@x.bin" << ""
                                 << "Input 'shape': 'x.bin' is not the name of a tensor's file; expected .npy, .pt or "
                                    ".json.";
    }

    void elementsCanBeGiven()
    {
        QFETCH(QString, text);
        QFETCH(QString, type);
        QFETCH(QString, problem);
        const Shown shown(R"(model "shaped"
graph @forward(%x: float32[3, 4], %shape: int64[2]) {
  %y = onnx::Reshape(%x, %shape)
  return %y
}
)");
        const ir::ValueId y =
            shown.session.document().function().graph.at(sample::node(shown.session, "y")).outputs.front();
        shown.edit(1)->setText(text);
        QCOMPARE(shown.problem(), problem);
        if (problem.isEmpty())
            QTRY_COMPARE(shown.session.analysing().typeText(y), type);
        else
            QTRY_VERIFY(shown.session.document().given() == GivenTexts{});
    }

    void aFunctionWithoutInputsSaysSo()
    {
        const Shown shown(R"(model "closed"
graph @forward() {
  %x = aten::zeros(size=[2])
  return %x
}
)");
        QVERIFY(shown.panel->findChildren<QLineEdit *>().isEmpty());
        QVERIFY(!shown.panel->findChildren<QLabel *>().isEmpty());
    }

private:
    const tests::TemporaryFile m_file{"[4, 3]", ".json"};
};

VIEW_TEST(tst_bindings, TestBindings)
#include "tst_bindings.moc"
