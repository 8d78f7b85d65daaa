// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What encloses what is selected.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"

#include <algorithm>

using namespace cutaway;
using namespace cutaway::views;

class TestSelection : public QObject {
    Q_OBJECT

private slots:
    void whatEnclosesABranchsNode()
    {
        Session session(sample::model());
        const ir::NodeId branch = sample::node(session, "both");
        const auto around = enclosingBoxes(session.document().model(), {}, sample::node(session, "twice"));
        QVERIFY(std::ranges::contains(around, layout::Subject(branch)));
        const ir::RegionId then = session.document().function().graph.at(branch).regions.front();
        QVERIFY(std::ranges::contains(enclosingBoxes(session.document().model(), {}, then), layout::Subject(branch)));
    }

    void aModuleDoesNotEncloseItself()
    {
        Session session(sample::model());
        const layout::Subject stem = sample::module(session, "stem");
        const layout::Subject conv = sample::module(session, "stem.conv");
        QVERIFY(enclosingBoxes(session.document().model(), {}, stem).empty());
        QVERIFY(!std::ranges::contains(enclosingBoxes(session.document().model(), {}, conv), conv));
    }
};

VIEW_TEST(tst_selection, TestSelection)
#include "tst_selection.moc"
