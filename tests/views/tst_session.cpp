// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a session together.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"

using namespace cutaway;
using namespace cutaway::views;

class TestSession : public QObject {
    Q_OBJECT

private slots:
    void startShowsADiagram()
    {
        Session session(sample::model());
        QVERIFY(!session.drawing().diagram());
        session.start();
        QVERIFY(session.drawing().isBusy());
        QVERIFY(sample::waitForLayout(session));
        QVERIFY(!session.drawing().diagram()->boxes.empty());
    }

    void partsAgreeWhenViewsAreToldOfAnotherFunction()
    {
        Session session(sample::model(sample::twoFunctions));
        session.start();
        QVERIFY(sample::waitForFigures(session) && sample::waitForLayout(session));
        session.navigation().select(ir::NodeId{0});
        int count = 0;
        const auto check = [&] {
            ++count;
            QCOMPARE(session.drawing().function().inputs.front().name,
                     session.document().function().inputs.front().name);
            QVERIFY(!session.analysing().figures());
            QVERIFY(session.navigation().selection() == Selection{});
        };
        connect(&session.document(), &Document::functionChanged, this, check);
        connect(&session.document(), &Document::givenChanged, this, check);
        connect(&session.navigation(), &Navigation::selectionChanged, this, check);
        connect(&session.analysing(), &Analysing::figuresChanged, this, check);
        session.document().setFunction(ir::FunctionId{1});
        QCOMPARE(count, 4);
    }

    void endsWhileALayoutIsUnderWay()
    {
        auto session = std::make_unique<Session>(sample::model());
        session->start();
        session.reset();
    }
};

VIEW_TEST(tst_session, TestSession)
#include "tst_session.moc"
