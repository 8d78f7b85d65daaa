// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The actions for a part of the graph.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/session/subject_menu.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <algorithm>

using namespace cutaway;
using namespace cutaway::views;

namespace {

constexpr const char *lists = R"(graph @forward(%x: float32[2, 3]) {
  %r: float32[2, 3] = aten::relu(self=%x)
  %parts: list<float32[1, 3]> = aten::split.Tensor(self=%r, split_size=1, dim=0)
  %sizes: list<int> = aten::size(self=%r)
  return %r, %parts, %sizes
}
)";

QAction *action(const QMenu &menu, const QString &text)
{
    const QList<QAction *> all = menu.actions();
    const auto found = std::ranges::find(all, text, &QAction::text);
    return found == all.end() ? nullptr : *found;
}

} // namespace

class TestSubjectMenu : public QObject {
    Q_OBJECT

private slots:
    void theShapeOfATensorIsCopied()
    {
        Session session(sample::model(lists));
        QMenu menu;
        addSubjectActions(menu, session, sample::node(session, "r"));
        QVERIFY(action(menu, "Copy shape"));
        action(menu, "Copy shape")->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), "[2, 3]");
    }

    void aListHasNoShape()
    {
        Session session(sample::model(lists));
        for (const char *list : {"parts", "sizes"}) {
            QMenu menu;
            addSubjectActions(menu, session, sample::node(session, list));
            QVERIFY2(!action(menu, "Copy shape"), list);
        }
    }
};

VIEW_TEST(tst_subject_menu, TestSubjectMenu)
#include "tst_subject_menu.moc"
