// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Entries in the list of diagnostics besides those of the file.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/diagnostics/diagnostic_model.h"
#include "views/diagnostics/diagnostics.h"

#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTreeView>

using namespace cutaway;
using namespace cutaway::views;

namespace {

QStringList codesOf(const QAbstractItemModel &model)
{
    QStringList codes;
    for (int row = 0; row < model.rowCount(); ++row)
        codes << model.index(row, DiagnosticModel::CodeColumn).data().toString();
    return codes;
}

/// TorchScript's: nothing is known of the input, and so of what is computed.
std::string scripted(int layers)
{
    std::string text = "model \"scripted\"\ntensor @w: float32[224, 224] parameter\nscope body\n"
                       "graph @forward(%x: tensor[*]) {\n  weight %w = @w\n  %r = aten::relu(self=%x) in body\n";
    std::string last = "%r";
    for (int i = 0; i < layers; ++i, last = "%y" + std::to_string(i - 1))
        text += "  %y" + std::to_string(i) + " = aten::linear(input=" + last + ", weight=%w) in body\n";
    return text + "  return " + last + "\n}\n";
}

template <class T>
T *shownWith(const QWidget &view, const QString &text)
{
    for (T *each : view.findChildren<T *>())
        if (each->isVisible() && each->text().contains(text))
            return each;
    return nullptr;
}

} // namespace

class TestDiagnostics : public QObject {
    Q_OBJECT

private slots:
    void whatRulesFindIsInTheList()
    {
        Session session(sample::model(R"(model "odd"
diagnostic error "x.bad" "something is wrong"
graph @forward(%x: float32[2]) {
  %y = aten::randn_like(self=%x)
  return %y
}
)"));
        const std::unique_ptr<QWidget> view(makeDiagnosticsView(session, nullptr));
        const QAbstractItemModel &model = *view->findChild<QTreeView *>()->model();
        QCOMPARE(codesOf(model), QStringList{"x.bad"});
        session.start();
        QVERIFY(sample::waitForFigures(session));
        QTRY_COMPARE(codesOf(model), (QStringList{"x.bad", "random"}));
        QCOMPARE(model.index(1, DiagnosticModel::PlaceColumn).data().toString(), "y");
    }

    void whatPassesLeaveUnreadIsNoFaultOfTheFile()
    {
        const char *text = R"(model "net"
storage 0: 8 bytes missing "a test"
tensor @w: float32[2] parameter in storage 0
graph @forward(%x: float32[2]) {
  %y = aten::randn_like(self=%x)
  return %y
}
)";
        Session session(sample::model(text));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const std::unique_ptr<QWidget> ofFile(makeDiagnosticsView(session, nullptr));
        QTRY_COMPARE(codesOf(*ofFile->findChild<QTreeView *>()->model()), (QStringList{"random", "unused-weight"}));
        session.document().show({sample::model(text)});
        QVERIFY(sample::waitForFigures(session));
        const std::unique_ptr<QWidget> ofState(makeDiagnosticsView(session, nullptr));
        QTRY_COMPARE(codesOf(*ofState->findChild<QTreeView *>()->model()), QStringList{"random"});
    }

    void nothingIsSaidToBeThereOnlyAfterALook()
    {
        Session session(sample::model("model \"m\"\ngraph @forward(%x: float32[2]) {\n"
                                      "  %y: float32[2] = aten::relu(self=%x)\n  return %y\n}\n"));
        const std::unique_ptr<QWidget> view(makeDiagnosticsView(session, nullptr));
        view->show();
        QVERIFY(shownWith<QLabel>(*view, "Checking every node"));
        session.start();
        QTRY_VERIFY(shownWith<QLabel>(*view, "No diagnostics"));
    }

    void whatIsSaidOfManyNodesIsOneRow()
    {
        Session session(sample::model(scripted(20).c_str()));
        const std::unique_ptr<QWidget> view(makeDiagnosticsView(session, nullptr));
        view->resize(900, 300);
        view->show();
        session.start();
        QVERIFY(sample::waitForFigures(session));
        auto *list = view->findChild<QTreeView *>();
        const QAbstractItemModel &model = *list->model();
        QTRY_VERIFY(codesOf(model).contains("shapes.unknown"));
        QVERIFY(model.rowCount() < 5);
        QModelIndex row;
        for (int i = 0; i < model.rowCount(); ++i)
            if (model.rowCount(model.index(i, 0)) == 20)
                row = model.index(i, 0);
        QVERIFY(row.isValid());
        QCOMPARE(row.siblingAtColumn(DiagnosticModel::PlaceColumn).data().toString(), "20 places");
        QVERIFY(list->rootIsDecorated());
        const QModelIndex third = model.index(2, DiagnosticModel::PlaceColumn, row);
        QCOMPARE(third.data().toString(), "y2");
        list->expand(row);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(third).center());
        QTRY_VERIFY(session.navigation().selection() == Selection(sample::node(session, "y2")));
    }

    void oneLineInBindingsAnswersMany()
    {
        Session session(sample::model(scripted(20).c_str()));
        const std::unique_ptr<QWidget> view(makeDiagnosticsView(session, nullptr));
        view->resize(900, 300);
        view->show();
        session.start();
        QVERIFY(sample::waitForFigures(session));
        QTRY_VERIFY(shownWith<QPushButton>(*view, "Use this"));
        const auto *hint = shownWith<QLabel>(*view, "Setting x = 1x3x224x224:float32 resolves ");
        QVERIFY(hint);
        QVERIFY2(QRegularExpression(R"(resolves (2\d) of \1 unknown nodes\.$)").match(hint->text()).hasMatch(),
                 qPrintable(hint->text()));
        QSignalSpy asked(&session.document(), &Document::sizesRequested);
        shownWith<QPushButton>(*view, "Bindings")->click();
        QCOMPARE(asked.count(), 1);
        shownWith<QPushButton>(*view, "Use this")->click();
        QVERIFY(session.document().given().inputs == std::vector<std::string>{"x=1x3x224x224:float32"});
        QVERIFY(sample::waitForFigures(session));
        QTRY_VERIFY(!codesOf(*view->findChild<QTreeView *>()->model()).contains("shapes.unknown"));
        QVERIFY(!shownWith<QPushButton>(*view, "Use this"));
    }

    void whatIsAboutANodeWithoutANameNamesItsOperator()
    {
        Session session(sample::model(R"(model "odd"
scope backbone
graph @forward(%x: float32[2]) {
  %#0 = mine::op(%x) in backbone
  return %#0
}
)"));
        const std::unique_ptr<QWidget> view(makeDiagnosticsView(session, nullptr));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const QAbstractItemModel &model = *view->findChild<QTreeView *>()->model();
        QTRY_VERIFY(codesOf(model).contains("shapes.unknown"));
        const int row = int(codesOf(model).indexOf("shapes.unknown"));
        QCOMPARE(model.index(row, DiagnosticModel::PlaceColumn).data().toString(), "op in backbone");
    }
};

VIEW_TEST(tst_diagnostics, TestDiagnostics)
#include "tst_diagnostics.moc"
