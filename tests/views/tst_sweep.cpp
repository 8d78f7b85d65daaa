// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Costs against a size, and what dominates them.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/parts/elided_label.h"
#include "views/summary/summary.h"
#include "views/sweep/sweep.h"
#include "views/sweep/sweep_model.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>

using namespace cutaway;
using namespace cutaway::views;

namespace {

template <class Widget>
Widget *named(const QWidget &view, const QString &name)
{
    for (Widget *child : view.findChildren<Widget *>())
        if (child->accessibleName() == name)
            return child;
    return nullptr;
}

QStringList inColumn(const QAbstractItemModel &table, int column)
{
    QStringList texts;
    for (int row = 0; row < table.rowCount(); ++row)
        texts << table.index(row, column).data().toString();
    return texts;
}

class TestSweep : public QObject {
    Q_OBJECT

private slots:
    void showsTheCostsAtEachValue()
    {
        Session session(sample::model(sample::open), sample::quickLayout());
        session.start();
        const std::unique_ptr<QWidget> view(makeSweepView(session, nullptr));
        view->show();
        QVERIFY(sample::waitForFigures(session));
        auto *values = named<QLineEdit>(*view, "Values of the size");
        QTRY_COMPARE(values->text(), "2:64:*2");
        const QAbstractItemModel &table = *named<QTreeView>(*view, "Costs by size")->model();
        QTRY_COMPARE(inColumn(table, 0), (QStringList{"2", "4", "8", "16", "32", "64"}));
        QCOMPARE(inColumn(table, 1).first(), "81.2 kFLOP"); // 40624 × 2
        values->setText("3:4");
        values->setModified(true);
        emit values->editingFinished();
        QTRY_COMPARE(inColumn(table, 0), (QStringList{"3", "4"}));
    }

    void aRangeThatCannotBeIsSaid()
    {
        Session session(sample::model(sample::open), sample::quickLayout());
        session.start();
        const std::unique_ptr<QWidget> view(makeSweepView(session, nullptr));
        view->show();
        QVERIFY(sample::waitForFigures(session));
        auto *values = named<QLineEdit>(*view, "Values of the size");
        QTRY_VERIFY(!values->text().isEmpty());
        values->setText("1:100");
        values->setModified(true);
        emit values->editingFinished();
        QStringList texts;
        for (const QLabel *label : view->findChildren<QLabel *>())
            texts << label->text();
        QVERIFY2(!texts.filter("s0").isEmpty(), qPrintable(texts.join('\n')));
    }

    void withoutAnOpenSizeThereIsNothingToChoose()
    {
        Session session(sample::model(sample::net), sample::quickLayout());
        session.start();
        const std::unique_ptr<QWidget> view(makeSweepView(session, nullptr));
        view->show();
        QVERIFY(sample::waitForFigures(session));
        QVERIFY(!named<QComboBox>(*view, "Size")->isEnabled());
        QCOMPARE(named<QTreeView>(*view, "Costs by size")->model()->rowCount(), 0);
    }

    void theSummaryTellsWhatDominates()
    {
        Session session(sample::model(sample::open), sample::quickLayout());
        session.start();
        const std::unique_ptr<QWidget> summary(makeSummary(session, nullptr));
        summary->show();
        QVERIFY(session.document().give({{"s0=8"}, {}}));
        QVERIFY(sample::waitForFigures(session));
        const auto costs = [&] {
            QStringList texts;
            for (const QWidget *child : summary->findChildren<QWidget *>())
                if (const auto *label = dynamic_cast<const ElidedLabel *>(child))
                    texts << label->text();
            return texts.join('\n');
        };
        QTRY_VERIFY2(costs().contains("last\n320 kFLOP\ndeep\n4.80 kFLOP"), qPrintable(costs()));
        auto *measures = named<QComboBox>(*summary, "by");
        QCOMPARE(measures->count(), 4); // nothing was measured
        emit measures->activated(1);
        QTRY_VERIFY2(costs().contains("KiB\ndeep"), qPrintable(costs()));
    }
};

} // namespace

VIEW_TEST(tst_sweep, TestSweep)
#include "tst_sweep.moc"
