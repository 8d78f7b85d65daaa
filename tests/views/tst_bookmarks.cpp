// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Bookmarks and notes, and that changes by the user are taken back one by one.

#include "tests/views/item_model_test.h"
#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/bookmarks/bookmark_model.h"
#include "views/session/bookmarks.h"

using namespace cutaway;
using namespace cutaway::views;

class TestBookmarks : public QObject {
    Q_OBJECT

private slots:
    void areMadeNotedAndRemoved()
    {
        Session session(sample::model());
        Bookmarks &bookmarks = session.bookmarks();
        QSignalSpy changed(&bookmarks, &Bookmarks::changed);
        const layout::Subject conv = sample::node(session, "conv"), stem = sample::module(session, "stem");
        bookmarks.toggle(conv);
        bookmarks.setNote(stem, "slow");
        bookmarks.setNote(conv, "wide");
        bookmarks.setNote(conv, "wide"); // as it is
        QCOMPARE(changed.count(), 3);
        QCOMPARE(bookmarks.all().size(), 2u);
        QCOMPARE(bookmarks.of(conv)->note, "wide");
        QCOMPARE(bookmarks.of(stem)->note, "slow");
        bookmarks.toggle(conv);
        QVERIFY(!bookmarks.of(conv));
        QCOMPARE(bookmarks.all().size(), 1u);
    }

    void areTakenBackOneByOne()
    {
        Session session(sample::model());
        Bookmarks &bookmarks = session.bookmarks();
        QUndoStack &edits = session.document().edits();
        const layout::Subject conv = sample::node(session, "conv");
        bookmarks.toggle(conv);
        bookmarks.setNote(conv, "first");
        bookmarks.setNote(conv, "second");
        QCOMPARE(edits.undoText(), "note");
        edits.undo();
        QCOMPARE(bookmarks.of(conv)->note, "first");
        edits.undo();
        QCOMPARE(bookmarks.of(conv)->note, "");
        edits.undo();
        QVERIFY(bookmarks.all().empty());
        QVERIFY(!edits.canUndo());
        edits.redo();
        edits.redo();
        QCOMPARE(bookmarks.of(conv)->note, "first");
    }

    void haveNames()
    {
        Session session(sample::model());
        Bookmarks &bookmarks = session.bookmarks();
        const ir::ValueId x = session.document().function().graph.at(ir::Graph::body).inputs.front();
        const auto nameOf = [&](const layout::Subject &subject) { return bookmarks.nameOf({{}, subject, {}}); };
        QCOMPARE(nameOf(sample::node(session, "conv")), "conv");
        QCOMPARE(nameOf(sample::module(session, "stem.conv")), "module stem.conv");
        QCOMPARE(nameOf(layout::InputSubject{x}), "input x");
        QCOMPARE(nameOf(layout::OutputSubject{}), "output 0");
        QCOMPARE(nameOf(layout::PlumbingSubject{}), "shape and mask ops of the model");
        QCOMPARE(nameOf(ir::NodeId{1000}), "node 1000"); // a pass made the node in another state
    }

    void areOfTheFunctionThatTheyAreMadeIn()
    {
        Session session(sample::model(sample::twoFunctions));
        Bookmarks &bookmarks = session.bookmarks();
        bookmarks.toggle(layout::Subject(ir::NodeId{0}));
        session.document().setFunction(ir::FunctionId{1});
        QVERIFY(!bookmarks.of(ir::NodeId{0}));
        QVERIFY(bookmarks.nameOf(bookmarks.all().front()).endsWith("in forward"));
        bookmarks.reveal(0);
        QVERIFY(session.document().functionId() == ir::FunctionId{0});
        QVERIFY(session.navigation().selection() == Selection(ir::NodeId{0}));
    }

    void theListEditsNotes()
    {
        Session session(sample::model());
        BookmarkModel list(session.bookmarks());
        const QAbstractItemModelTester tester(&list, fatal);
        session.bookmarks().toggle(layout::Subject(sample::node(session, "conv")));
        QCOMPARE(list.rowCount(), 1);
        const QModelIndex name = list.index(0, BookmarkModel::NameColumn),
                          note = list.index(0, BookmarkModel::NoteColumn);
        QCOMPARE(list.data(name).toString(), "conv");
        QVERIFY(!(list.flags(name) & Qt::ItemIsEditable));
        QVERIFY(list.flags(note) & Qt::ItemIsEditable);
        QVERIFY(list.setData(note, "slow"));
        QCOMPARE(session.bookmarks().all().front().note, "slow");
        QVERIFY(!list.setData(list.index(0, BookmarkModel::NameColumn), "x"));
    }

    void sizesThatAreTypedAreOneChange()
    {
        Session session(sample::model(sample::open));
        Document &document = session.document();
        for (const char *text : {"s0=3", "s0=32"})
            QVERIFY(document.give({{text}, {}}));
        QCOMPARE(document.edits().count(), 1);
        document.edits().undo();
        QVERIFY(document.given() == GivenTexts{});
        document.edits().redo();
        QCOMPARE(document.given().bindings, std::vector<std::string>{"s0=32"});
        QTest::qWait(1100); // a change of its own
        QVERIFY(document.give({{"s0=4"}, {}}));
        QCOMPARE(document.edits().count(), 2);
    }

    void sizesOfAnotherFunctionAreTakenBackThere()
    {
        Session session(sample::model(sample::twoFunctions));
        Document &document = session.document();
        QVERIFY(document.give({{}, {"x=2:float32"}}));
        document.setFunction(ir::FunctionId{1});
        QVERIFY(document.give({{}, {"x=3:float32"}}));
        QCOMPARE(document.edits().count(), 2);
        document.edits().undo();
        QVERIFY(document.functionId() == ir::FunctionId{1});
        QVERIFY(document.given() == GivenTexts{});
        document.edits().undo();
        QVERIFY(document.functionId() == ir::FunctionId{0});
        document.edits().redo();
        QVERIFY(document.functionId() == ir::FunctionId{0});
        QCOMPARE(document.given().inputs, std::vector<std::string>{"x=2:float32"});
    }
};

VIEW_TEST(tst_bookmarks, TestBookmarks)
#include "tst_bookmarks.moc"
