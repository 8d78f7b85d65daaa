// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The function as text: lines select nodes, and the selected node has its lines marked.

#include "core/ir/names.h"
#include "tests/views/sample.h"
#include "tests/views/view_test.h"
#include "views/appearance/fonts.h"
#include "views/session/source_folders.h"
#include "views/source/code_edit.h"
#include "views/source/source.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QTemporaryDir>
#include <QTextBlock>

using namespace cutaway;
using namespace cutaway::views;

namespace {

constexpr const char *tracedNet = R"--(model "net"
graph @forward(%x: float32[2]) {
  %a: float32[2] = aten::relu(%x) at !0
  %b: float32[2] = aten::neg(%a) at !1
  %c: float32[2] = aten::abs(%b) at !1
  return %c
}
location !0 "far/nets/net.py":2 in "forward" text "y = relu(x)"
location !1 "far/nets/net.py":3 in "forward" text "return abs(-y)"
)--";

struct ShownSource {
    Session session;
    std::unique_ptr<QWidget> view{makeSourceView(session, nullptr)};

    explicit ShownSource(const char *text) : session(sample::model(text))
    {
        view->resize(900, 300);
        view->show();
        session.start();
        if (!sample::waitForLayout(session) || !QTest::qWaitFor([this] { return pages()->count() > 0; }))
            qFatal("nothing is shown");
    }

    CodeEdit *code() const { return view->findChild<CodeEdit *>(); }
    QComboBox *pages() const { return view->findChild<QComboBox *>(); }
    QString note() const { return view->findChild<QLabel *>()->text(); }
    QStringList titles() const
    {
        QStringList texts;
        for (int i = 0; i < pages()->count(); ++i)
            texts << pages()->itemText(i);
        return texts;
    }
    /// Chooses as the user does.
    void choose(int page) const
    {
        pages()->setCurrentIndex(page);
        emit pages() -> activated(page);
    }
    QList<int> markedLines() const
    {
        QList<int> lines;
        for (const QTextEdit::ExtraSelection &each : code()->extraSelections())
            lines << each.cursor.blockNumber() + 1;
        return lines;
    }
    void goTo(int line) const { code()->setTextCursor(QTextCursor(code()->document()->findBlockByNumber(line - 1))); }
    ir::NodeId node(std::string_view name) const { return sample::node(session, name); }
    bool isSelected(std::string_view name) const { return session.navigation().selection() == Selection(node(name)); }
};

void writeCode(const QString &path, const QByteArray &content)
{
    QFile file(path);
    if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly)
        || file.write(content) != content.size())
        qFatal("the test's file could not be written");
}

} // namespace

class TestSource : public QObject {
    Q_OBJECT

private slots:
    void theSelectedNodeHasItsLineMarked()
    {
        ShownSource shown(sample::net);
        QCOMPARE(shown.titles(), QStringList{"Graph"});
        QVERIFY(shown.markedLines().isEmpty());
        shown.session.navigation().select(shown.node("twice"));
        QCOMPARE(shown.markedLines().size(), 1);
        const QTextBlock line = shown.code()->document()->findBlockByNumber(shown.markedLines().front() - 1);
        QVERIFY2(line.text().contains("%twice"), qPrintable(line.text()));
        shown.session.navigation().select({});
        QVERIFY(shown.markedLines().isEmpty());
    }

    void lettersStandAsTheyAreWritten()
    {
        const ShownSource shown(sample::net); // "!=" is no "≠"
        QVERIFY(shown.code()->font().styleStrategy() & QFont::PreferNoShaping);
        QVERIFY(diagramFont(layout::Line::Style::Weight).styleStrategy() & QFont::PreferNoShaping);
    }

    void theCaretSelectsTheNodeOfItsLine()
    {
        const ShownSource shown(sample::net);
        const QTextCursor found = shown.code()->document()->find("aten::mean");
        QVERIFY(!found.isNull());
        shown.goTo(found.blockNumber() + 1);
        QTRY_VERIFY(shown.isSelected("mean"));
        QCOMPARE(shown.markedLines(), QList<int>{found.blockNumber() + 1});
        QCOMPARE(shown.code()->caretLine(), found.blockNumber() + 1);
    }

    void aPythonFileIsReadOnceItsFolderIsNamed()
    {
        const QTemporaryDir folder;
        writeCode(folder.filePath("nets/net.py"), "def forward(x):\n    y = relu(x)\n    return abs(-y)\n");
        ShownSource shown(tracedNet);
        QCOMPARE(shown.titles(), (QStringList{"far/nets/net.py", "Graph"}));
        shown.choose(0);
        QTRY_VERIFY2(shown.note().contains("none of the folders"), qPrintable(shown.note()));
        QVERIFY(shown.code()->toPlainText().isEmpty());
        shown.session.sourceFolders().setPaths({folder.path()});
        QTRY_VERIFY(shown.code()->toPlainText().startsWith("def forward"));
        shown.session.navigation().select(shown.node("a"));
        QCOMPARE(shown.markedLines(), QList<int>{2});
        QVERIFY2(shown.note().isEmpty(), qPrintable(shown.note()));
    }

    void enterGoesToTheNextNodeOfALine()
    {
        const QTemporaryDir folder;
        writeCode(folder.filePath("nets/net.py"), "def forward(x):\n    y = relu(x)\n    return abs(-y)\n");
        ShownSource shown(tracedNet);
        shown.session.sourceFolders().setPaths({folder.path()});
        shown.choose(0);
        QTRY_VERIFY(shown.code()->toPlainText().startsWith("def forward"));
        shown.goTo(3);
        QTRY_VERIFY(shown.isSelected("b"));
        QVERIFY2(shown.note().contains("2 nodes"), qPrintable(shown.note()));
        QTest::keyClick(shown.code(), Qt::Key_Return);
        QVERIFY(shown.isSelected("c"));
        QTest::keyClick(shown.code(), Qt::Key_Return);
        QVERIFY(shown.isSelected("b"));
    }

    void theTextFollowsTheFunction()
    {
        ShownSource shown(sample::twoFunctions);
        QVERIFY(shown.code()->toPlainText().contains("@forward"));
        shown.session.document().setFunction(ir::FunctionId{1});
        QTRY_VERIFY(shown.code()->toPlainText().contains("@other"));
    }
};

VIEW_TEST(tst_source, TestSource)
#include "tst_source.moc"
