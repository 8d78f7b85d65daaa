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

/// A model with its view of sweeps.
struct Shown {
    explicit Shown(const char *text) : session(sample::model(text))
    {
        session.start();
        view.reset(makeSweepView(session, nullptr));
        view->show();
        if (!sample::waitForFigures(session))
            qFatal("no figures");
    }
    QLineEdit *values() const { return named<QLineEdit>(*view, "Values of the size"); }
    const QAbstractItemModel &table() const { return *named<QTreeView>(*view, "Costs by size")->model(); }
    void enter(const QString &text) const
    {
        values()->setText(text);
        values()->setModified(true);
        emit values() -> editingFinished();
    }

    Session session;
    std::unique_ptr<QWidget> view;
};

class TestSweep : public QObject {
    Q_OBJECT

private slots:
    void showsTheCostsAtEachValue()
    {
        const Shown shown(sample::open);
        QTRY_COMPARE(shown.values()->text(), "2:64:*2");
        QTRY_COMPARE(inColumn(shown.table(), 0), (QStringList{"2", "4", "8", "16", "32", "64"}));
        QCOMPARE(inColumn(shown.table(), 1).first(), "81.2 kFLOP"); // 40624 × 2
        shown.enter("3:4");
        QTRY_COMPARE(inColumn(shown.table(), 0), (QStringList{"3", "4"}));
    }

    void otherOpenSizesAreThoseOfTheirExample()
    {
        const Shown shown(
            "model \"m\"\nsymbol s0 [1, 64]\nsymbol s1 [1, 64] hint 7\ntensor @w: float32[3, 4] parameter\n"
            "graph @forward(%x: float32[s0, s1, 4]) {\n  weight %w = @w\n"
            "  %y = aten::linear(input=%x, weight=%w)\n  return %y\n}\n");
        QTRY_COMPARE(inColumn(shown.table(), 0).size(), 7);
        QCOMPARE(inColumn(shown.table(), 1).first(), "168 FLOP"); // 2 × 7 × 4 × 3
        QStringList texts;
        for (const QLabel *label : shown.view->findChildren<QLabel *>())
            texts << label->text();
        QVERIFY2(texts.contains("with s1 = 7"), qPrintable(texts.join('\n')));
    }

    void aSizeThatIsBoundIsSweptToo()
    {
        Shown shown(sample::open);
        QTRY_COMPARE(inColumn(shown.table(), 0).size(), 6);
        QVERIFY(shown.session.document().give({{"s0=8"}, {}}));
        QVERIFY(sample::waitForFigures(shown.session));
        QTRY_COMPARE(inColumn(shown.table(), 0), (QStringList{"2", "4", "8", "16", "32", "64"}));
        QVERIFY(named<QComboBox>(*shown.view, "Size")->isEnabled());
    }

    void aRangeThatCannotBeIsSaidAndShowsNoOtherFigures()
    {
        const Shown shown(sample::open);
        QTRY_VERIFY(shown.table().rowCount() > 0);
        shown.enter("1:100");
        QStringList texts;
        for (const QLabel *label : shown.view->findChildren<QLabel *>())
            texts << label->text();
        QVERIFY2(!texts.filter("s0").isEmpty(), qPrintable(texts.join('\n')));
        QCOMPARE(shown.table().rowCount(), 0);
    }

    void withoutAnOpenSizeThereIsNothingToChoose()
    {
        const Shown shown(sample::net);
        QVERIFY(!named<QComboBox>(*shown.view, "Size")->isEnabled());
        QCOMPARE(shown.table().rowCount(), 0);
    }

    void withoutFlopsTheSummaryTellsWhatMovesMost()
    {
        Session session(sample::model("model \"m\"\ngraph @forward(%x: float32[256]) {\n"
                                      "  %y = aten::relu(self=%x)\n  return %y\n}\n"));
        session.start();
        const std::unique_ptr<QWidget> summary(makeSummary(session, nullptr));
        summary->show();
        QVERIFY(sample::waitForFigures(session));
        QTRY_COMPARE(named<QComboBox>(*summary, "by")->currentIndex(), 1); // bytes
    }

    void theSummaryTellsWhatDominates()
    {
        Session session(sample::model(sample::open));
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

    void theSummaryTellsWhichModulesDominate()
    {
        Session session(sample::model());
        session.start();
        const std::unique_ptr<QWidget> summary(makeSummary(session, nullptr));
        summary->show();
        QVERIFY(sample::waitForFigures(session));
        emit named<QComboBox>(*summary, "among")->activated(1);
        const auto link = [&](const QString &text) -> ElidedLabel * {
            for (QWidget *child : summary->findChildren<QWidget *>())
                if (auto *label = dynamic_cast<ElidedLabel *>(child); label && label->text() == text)
                    return label;
            return nullptr;
        };
        QTRY_VERIFY(link("stem"));
        QVERIFY(link("99.0 %"));
        emit named<QComboBox>(*summary, "by")->activated(named<QComboBox>(*summary, "by")->count() - 1);
        QTRY_VERIFY(link("73.0 %")); // parameters: 4·3·3·3 of them and 10·4
        QTest::mouseClick(link("stem"), Qt::LeftButton);
        QCOMPARE(session.navigation().selection(), toSelection(sample::module(session, "stem")));
    }
};

} // namespace

VIEW_TEST(tst_sweep, TestSweep)
#include "tst_sweep.moc"
