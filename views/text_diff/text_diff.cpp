// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text_diff/text_diff.h"

#include "core/report/difference.h"
#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"
#include "views/parts/when_seen.h"
#include "views/session/document.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QPlainTextEdit>
#include <QSyntaxHighlighter>

namespace cutaway::views {
namespace {

constexpr qsizetype maxDiffLength = 2'000'000; ///< characters; an editor with more text is slow

/// Colours each line by its first character, which says whether it was added or removed.
class Signs : public QSyntaxHighlighter {
public:
    explicit Signs(QPlainTextEdit &text) : QSyntaxHighlighter(text.document()), m_text(text) { }

protected:
    void highlightBlock(const QString &line) override
    {
        const drawing::Palette &colors = diagramPalette(m_text.palette());
        QTextCharFormat format;
        if (line.startsWith('+'))
            format.setForeground(toColor(colors.mark(layout::Mark::Added)));
        else if (line.startsWith('-'))
            format.setForeground(toColor(colors.mark(layout::Mark::Removed)));
        else if (line.startsWith('#'))
            format.setForeground(toColor(colors.mark(layout::Mark::Changed)));
        else if (line.startsWith('@'))
            format.setForeground(mutedText(m_text.palette()));
        else
            return;
        setFormat(0, int(line.size()), format);
    }

private:
    QPlainTextEdit &m_text;
};

QString differenceText(const ir::Model &before, const ir::Model &after, ir::FunctionId function,
                       const analysis::Given &given, const std::stop_token &stop)
{
    const Task task{stop, {}};
    const analysis::Analysis was = analysis::analyse(before, function, given, task);
    const analysis::Analysis is = analysis::analyse(after, function, given, task);
    if (stop.stop_requested())
        return {};
    const diff::Side a{before, was}, b{after, is};
    const diff::Difference difference = diff::compareStates(a, b);
    QString text = shown(report::differenceText({a, b, difference}), true);
    if (text.size() > maxDiffLength)
        text = text.first(text.lastIndexOf('\n', maxDiffLength)) + QObject::tr("\n… (truncated)");
    return text.isEmpty() ? QObject::tr("The step changed nothing.") : text;
}

class TextDiff : public QPlainTextEdit {
public:
    TextDiff(Session &session, QWidget *parent)
        : QPlainTextEdit(parent),
          m_session(session),
          m_content(new WhenSeen(this, [this] { fill(); }))
    {
        setReadOnly(true);
        setFont(monospaceFont());
        setLineWrapMode(NoWrap);
        setFrameShape(NoFrame);
        setAccessibleName(tr("Text diff"));
        setPlaceholderText(tr("Run passes and go to a step to see what it changed."));
        document()->setDocumentMargin(12);
        new Signs(*this);
        for (const auto change : {&Stepping::positionChanged, &Stepping::stepsChanged})
            connect(&session.stepping(), change, m_content, &WhenSeen::refresh);
    }

private:
    void fill()
    {
        const Stepping &stepping = m_session.stepping();
        if (!stepping.step()) {
            m_work.cancel();
            clear();
            return;
        }
        m_work.request([this, history = stepping.history(), at = stepping.position(),
                        given = m_session.document().givenValues()](const std::stop_token &stop) -> LatestWork::Finish {
            const QString text = differenceText(*history->modelAfter(at - 1), *history->modelAfter(at),
                                                history->function(), given, stop);
            return [this, text] { setPlainText(text); };
        });
    }

    Session &m_session;
    WhenSeen *m_content;
    LatestWork m_work; ///< declared last, so that it ends before what it uses
};

} // namespace

QWidget *makeTextDiff(Session &session, QWidget *parent) { return new TextDiff(session, parent); }

} // namespace cutaway::views
