// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The analysis of the shown function: when it is computed anew, and what it keeps.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"

using namespace cutaway;
using namespace cutaway::views;

class TestAnalysing : public QObject {
    Q_OBJECT

private slots:
    void givenSizesLeadToOtherFigures()
    {
        Session session(sample::model(sample::open));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        QVERIFY(session.analysing().figures()->total(Measure::Flops).isFormula());
        QSignalSpy analysed(&session.analysing(), &Analysing::analysed);
        QVERIFY(session.document().give({{"s0=8"}, {}}));
        QVERIFY(session.analysing().figures()); // the earlier ones stay until then
        QTRY_COMPARE(analysed.count(), 1);
        QCOMPARE(session.analysing().figures()->total(Measure::Flops).number(), std::optional(8.0 * 40624));
    }

    void figuresOfAnotherStateAreNotKept()
    {
        Session session(sample::model(sample::open));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const auto state = std::make_shared<const ir::Model>(*session.document().models().given);
        session.document().show({state});
        QVERIFY(!session.analysing().figures());
        QVERIFY(sample::waitForFigures(session));
        QVERIFY(session.analysing().figures()->model() == state);
    }

    void typesAreThoseOfTheFileUntilTheyAreDerived()
    {
        Session session(sample::model(sample::open));
        const ir::ValueId wide = session.document().function().graph.at(sample::node(session, "wide")).outputs.front();
        QCOMPARE(session.analysing().typeText(wide), QString());
        session.start();
        QVERIFY(sample::waitForFigures(session));
        QCOMPARE(session.analysing().typeText(wide), "float32 [s0, 3]");
    }

    void cancelKeepsTheFigures()
    {
        Session session(sample::model(sample::open));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        const auto before = session.analysing().figures();
        QVERIFY(session.document().give({{"s0=8"}, {}}));
        session.analysing().cancel();
        QTRY_VERIFY(!session.analysing().isBusy());
        QCOMPARE(session.analysing().figures(), before);
    }

    void colouringIsToldOnce()
    {
        Session session(sample::model());
        QSignalSpy spy(&session.analysing(), &Analysing::colouringChanged);
        session.analysing().setColouring(Measure::Bytes);
        session.analysing().setColouring(Measure::Bytes);
        QCOMPARE(spy.count(), 1);
    }
};

VIEW_TEST(tst_analysing, TestAnalysing)
#include "tst_analysing.moc"
