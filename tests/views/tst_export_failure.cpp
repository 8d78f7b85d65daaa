// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a model that could not be exported.

#include "tests/views/view_test.h"
#include "views/export_failure/export_failure.h"

#include <QTextBrowser>
#include <QUrl>

using namespace cutaway;
using namespace cutaway::views;

class TestExportFailure : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_failure = {.model = "Net",
                     .reason = "it <b>branches</b>",
                     .place = sequence::ProgramLine{.file = "net.py",
                                                    .function = "forward",
                                                    .code = "if y:",
                                                    .line = 8,
                                                    .firstAround = 7,
                                                    .around = {"y = x", "if y:"}},
                     .advice = {"use cond"},
                     .attempts = {{"strict", "after 1 node", "all that\nwas found", {}}, {"draft", "at once", "", {}}}};
    }

    void saysWhyAndWhereAndWhatCanBeDone()
    {
        const QString text = page()->toPlainText();
        for (const char *part : {"Net cannot be exported", "it <b>branches</b>", "net.py:8 in forward", "7  y = x",
                                 "8  if y:", "use cond", "strict", "after 1 node", "draft", "at once"})
            QVERIFY2(text.contains(part), qPrintable(text));
    }

    void leavesOutWhatIsNotKnown()
    {
        m_failure.place.reset();
        m_failure.advice.clear();
        const QString text = page()->toPlainText();
        QVERIFY(!text.contains("The line") && !text.contains("What torch suggests"));
    }

    void aLineWithoutThoseAroundIsItsCode()
    {
        m_failure.place->around.clear();
        QVERIFY(page()->toPlainText().contains("if y:"));
    }

    void messagesAreOpenedAndClosed()
    {
        const auto shown = page();
        QVERIFY(!shown->toPlainText().contains("was found"));
        emit shown->anchorClicked(QUrl("message:0"));
        QVERIFY(shown->toPlainText().contains("was found") && shown->toPlainText().contains("Hide torch's message"));
        emit shown->anchorClicked(QUrl("message:0"));
        QVERIFY(!shown->toPlainText().contains("was found"));
    }

    /// Without graphs there is nothing to go to.
    void waysAreNoLinksWithoutGraphs()
    {
        m_failure.attempts.front().step = 0;
        QVERIFY(!page()->toHtml().contains("step:"));
    }

private:
    std::unique_ptr<QTextBrowser> page() const
    {
        return std::unique_ptr<QTextBrowser>(qobject_cast<QTextBrowser *>(
            makeExportFailure(nullptr, std::make_shared<const sequence::ExportFailure>(m_failure), nullptr)));
    }

    sequence::ExportFailure m_failure;
};

VIEW_TEST(tst_export_failure, TestExportFailure)
#include "tst_export_failure.moc"
