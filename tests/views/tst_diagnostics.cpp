// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the list of diagnostics has beside those of the file.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/diagnostics/diagnostic_model.h"
#include "views/diagnostics/diagnostics.h"

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
)"),
                        sample::quickLayout());
        const std::unique_ptr<QWidget> view(makeDiagnosticsView(session, nullptr));
        const QAbstractItemModel &model = *view->findChild<QTreeView *>()->model();
        QCOMPARE(codesOf(model), QStringList{"x.bad"});
        session.start();
        QVERIFY(sample::waitForFigures(session));
        QTRY_COMPARE(codesOf(model), (QStringList{"x.bad", "random"}));
        QCOMPARE(model.index(1, DiagnosticModel::PlaceColumn).data().toString(), "y");
    }
};

VIEW_TEST(tst_diagnostics, TestDiagnostics)
#include "tst_diagnostics.moc"
