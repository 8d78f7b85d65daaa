// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Modules and regions around a selection.

#include "core/layout/outline.h"
#include "tests/views/sample.h"
#include "tests/views/view_test.h"

#include <algorithm>

using namespace cutaway;
using namespace cutaway::views;

namespace {

std::vector<layout::Subject> enclosing(const Session &session, const layout::Subject &subject)
{
    const ir::Function &function = session.document().function();
    return enclosingBoxes(function, layout::outlineOf(function, false), subject);
}

} // namespace

class TestSelection : public QObject {
    Q_OBJECT

private slots:
    void whatEnclosesABranchsNode()
    {
        Session session(sample::model());
        const ir::NodeId branch = sample::node(session, "both");
        const auto around = enclosing(session, sample::node(session, "twice"));
        QVERIFY(std::ranges::contains(around, layout::Subject(branch)));
        const ir::RegionId then = session.document().function().graph.at(branch).regions.front();
        QVERIFY(std::ranges::contains(enclosing(session, then), layout::Subject(branch)));
    }

    void aModuleDoesNotEncloseItself()
    {
        Session session(sample::model());
        const layout::Subject stem = sample::module(session, "stem");
        const layout::Subject conv = sample::module(session, "stem.conv");
        QVERIFY(enclosing(session, stem).empty());
        QVERIFY(!std::ranges::contains(enclosing(session, conv), conv));
    }
};

VIEW_TEST(tst_selection, TestSelection)
#include "tst_selection.moc"
