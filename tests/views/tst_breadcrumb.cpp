// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The path to what is selected: every part of it is there while there is room, and leads to its module.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/graph/breadcrumb.h"
#include "views/session/requests.h"

#include <QComboBox>
#include <QLabel>
#include <QToolButton>

using namespace cutaway;
using namespace cutaway::views;

namespace {

struct ShownPath {
    Session session;
    std::unique_ptr<QWidget> path;

    explicit ShownPath(const char *text = sample::net) : session(sample::model(text))
    {
        session.start();
        if (!sample::waitForLayout(session))
            qFatal("no layout");
        path.reset(makeBreadcrumb(session, nullptr));
        path->resize(600, 30);
        path->show();
    }

    QList<QToolButton *> crumbs() const
    {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // deletes the buttons of the previous path
        return path->findChildren<QToolButton *>();
    }

    QStringList names() const
    {
        QStringList names;
        for (const QToolButton *crumb : crumbs())
            names << crumb->text();
        return names;
    }
};

} // namespace

class TestBreadcrumb : public QObject {
    Q_OBJECT

private slots:
    void hasTheModulesAroundTheSelection()
    {
        ShownPath shown;
        QCOMPARE(shown.names(), QStringList{"net"});
        shown.session.navigation().select(sample::node(shown.session, "conv"));
        QCOMPARE(shown.names(), (QStringList{"net", "stem", "conv"}));
        shown.session.navigation().select(sample::node(shown.session, "mean")); // in no module
        QCOMPARE(shown.names(), QStringList{"net"});
    }

    void aPartLeadsToItsModule()
    {
        ShownPath shown;
        shown.session.navigation().select(sample::node(shown.session, "conv"));
        shown.crumbs().at(1)->click();
        QVERIFY(shown.session.navigation().selection() == Selection(sample::module(shown.session, "stem")));
        QCOMPARE(shown.names(), (QStringList{"net", "stem"}));
    }

    void theFirstPartFitsTheGraphAndSelectsNothing()
    {
        ShownPath shown;
        shown.session.navigation().select(sample::node(shown.session, "conv"));
        QSignalSpy zoomed(&shown.session.requests(), &Requests::zoomRequested);
        shown.crumbs().front()->click();
        QCOMPARE(zoomed.size(), 1);
        QVERIFY(shown.session.navigation().selection() == Selection());
    }

    void theInnermostPartsStayWhereThereIsLittleRoom()
    {
        ShownPath shown;
        shown.session.navigation().select(sample::node(shown.session, "conv"));
        shown.path->resize(100, 30);
        QCOMPARE(shown.names().last(), "conv");
        QVERIFY(shown.names().size() < 3);
        shown.path->resize(600, 30);
        QCOMPARE(shown.names().size(), 3);
    }

    void functionsAreAChoiceIfThereAreSeveral()
    {
        QVERIFY(!ShownPath().path->findChild<QComboBox *>());
        ShownPath shown(sample::twoFunctions);
        auto *choice = shown.path->findChild<QComboBox *>();
        QVERIFY(choice);
        QCOMPARE(choice->count(), 2);
        emit choice->activated(1);
        QVERIFY(shown.session.document().functionId() == ir::FunctionId{1});
        shown.session.document().setFunction(ir::FunctionId{0});
        QCOMPARE(choice->currentIndex(), 0);
    }
};

VIEW_TEST(tst_breadcrumb, TestBreadcrumb)
#include "tst_breadcrumb.moc"
