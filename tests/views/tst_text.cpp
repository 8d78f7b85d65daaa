// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of a file and of Cutaway as the window shows them.

#include "tests/views/view_test.h"
#include "views/parts/text.h"

using namespace cutaway::views;

class TestText : public QObject {
    Q_OBJECT

private slots:
    void controlCharactersOfAFileAreVisible()
    {
        QCOMPARE(shown("a.b"), QString("a.b"));
        QVERIFY(!shown("a\x1b[31m").contains(QChar(0x1b)));
        QVERIFY(!shown("a\nb").contains('\n'));
        QVERIFY(shown("a\nb", true).contains('\n'));
    }

    void namesFromRightToLeftStandAlone()
    {
        const QString hebrew = QString::fromUtf8("\u05d0\u05d1");
        QCOMPARE(isolated("f(x, y)"), QString("f(x, y)"));
        QCOMPARE(isolated("f(" + hebrew + ", y)"), "f(" + QString(QChar(0x2068)) + hebrew + QChar(0x2069) + ", y)");
    }

    void toolTipsEscapeMarkupAndAreCut()
    {
        QCOMPARE(toolTipText({}), QString());
        QVERIFY(toolTipText("<img src='x'>").contains("&lt;img"));
        const QString text = toolTipText(QString(5000, 'x'));
        QVERIFY(text.contains("x…"));
        QVERIFY(text.size() < 2100);
    }

    void rowsWithoutAValueAreLeftOut()
    {
        const QString table = toolTipTable("<t>", {{"shape", "[2]"}, {"dtype", ""}, {"name", "a & b\nc"}});
        QVERIFY(table.startsWith("<b>&lt;t&gt;</b>"));
        QVERIFY(table.contains("[2]"));
        QVERIFY(!table.contains("dtype"));
        QVERIFY(table.contains("a &amp; b<br>c"));
        QCOMPARE(toolTipTable("t", {{"dtype", ""}}), QString("<b>t</b>"));
    }

    void countsAgreeWithTheirNouns()
    {
        QCOMPARE(counted(1, "node", "nodes"), QString("1 node"));
        QCOMPARE(counted(0, "node", "nodes"), QString("0 nodes"));
        QCOMPARE(counted(12345, "node", "nodes"), QString("12,345 nodes"));
    }

    void classesLoseTheirPackage()
    {
        QCOMPARE(shortClass("torchvision.models.resnet.Bottleneck"), QString("Bottleneck"));
        QCOMPARE(shortClass("Net"), QString("Net"));
        QCOMPARE(shortClass(""), QString());
    }

    void messagesBecomeSentences()
    {
        QCOMPARE(sentence("cannot be read"), QString("Cannot be read."));
        QCOMPARE(sentence("Done."), QString("Done."));
        QCOMPARE(sentence({}), QString());
    }
};

VIEW_TEST(tst_text, TestText)
#include "tst_text.moc"
