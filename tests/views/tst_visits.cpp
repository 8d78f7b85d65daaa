// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Earlier selections in order, and the way back through them.

#include "tests/views/view_test.h"
#include "views/session/visits.h"

using namespace cutaway;
using namespace cutaway::views;

namespace {

Visits::Visit to(std::uint32_t node) { return {ir::FunctionId{0}, ir::NodeId{node}}; }
bool everywhere(const Visits::Visit &) { return true; }

/// Visits of the nodes 0, 1, 2.
Visits three()
{
    Visits visits;
    for (std::uint32_t node = 0; node < 3; ++node)
        visits.add(to(node));
    return visits;
}

} // namespace

class TestVisits : public QObject {
    Q_OBJECT

private slots:
    void goBackAndForth()
    {
        Visits visits = three();
        const auto back = visits.find(-1, -1, everywhere);
        QVERIFY(back);
        QVERIFY(visits.take(*back) == to(1));
        QVERIFY(visits.take(*visits.find(1, 1, everywhere)) == to(2));
        QVERIFY(!visits.find(1, 1, everywhere));
    }

    void aVisitAfterGoingBackForgetsTheLaterOnes()
    {
        Visits visits = three();
        visits.take(*visits.find(-2, -1, everywhere));
        visits.add(to(7));
        QVERIFY(!visits.find(1, 1, everywhere));
        QVERIFY(visits.take(*visits.find(-1, -1, everywhere)) == to(0));
    }

    void theSameAgainIsNoVisit()
    {
        Visits visits = three();
        visits.add(to(2));
        QVERIFY(visits.take(*visits.find(-1, -1, everywhere)) == to(1));
    }

    void whatIsNoLongerThereIsPassed()
    {
        Visits visits = three();
        const auto found = visits.find(-1, -1, [](const Visits::Visit &visit) { return visit != to(1); });
        QVERIFY(found);
        QVERIFY(visits.take(*found) == to(0));
    }

    void theOldestAreForgotten()
    {
        Visits visits;
        for (std::uint32_t node = 0; node < 1000; ++node)
            visits.add(to(node));
        int steps = 0;
        while (const auto back = visits.find(-1, -1, everywhere)) {
            visits.take(*back);
            ++steps;
        }
        QCOMPARE(steps, 199);
    }
};

VIEW_TEST(tst_visits, TestVisits)
#include "tst_visits.moc"
