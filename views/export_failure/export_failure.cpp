// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/export_failure/export_failure.h"

#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"
#include "views/session/stepping.h"

#include <QEvent>
#include <QScrollBar>
#include <QTextBrowser>
#include <QUrl>
#include <set>

namespace cutaway::views {
namespace {

constexpr QSize firstSize{400, 600};
constexpr qsizetype longestMessage = 20'000; ///< characters; torch may print entire graphs

QString html(std::string_view text) { return shown(text, true).toHtmlEscaped(); }
QString lines(std::string_view text) { return html(text).replace('\n', QLatin1String("<br>")); }
QString heading(const QString &text) { return QStringLiteral("<h3>%1</h3>").arg(text.toHtmlEscaped()); }

class ExportFailurePage : public QTextBrowser {
public:
    ExportFailurePage(Stepping *stepping, std::shared_ptr<const sequence::ExportFailure> failure, QWidget *parent)
        : QTextBrowser(parent),
          m_stepping(stepping),
          m_failure(std::move(failure))
    {
        setObjectName("exportFailure");
        setAccessibleName(tr("Why the model could not be exported"));
        setFrameShape(QFrame::NoFrame);
        setOpenLinks(false);
        document()->setDocumentMargin(16);
        connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) { follow(link); });
        if (m_stepping)
            connect(m_stepping, &Stepping::positionChanged, this, [this] { tell(); });
        tell();
    }

    QSize sizeHint() const override { return firstSize; }

protected:
    void changeEvent(QEvent *event) override
    {
        QTextBrowser::changeEvent(event);
        if (event->type() == QEvent::PaletteChange)
            tell();
    }

private:
    void follow(const QUrl &link)
    {
        const int number = link.path().toInt();
        if (link.scheme() == QLatin1String("step"))
            return m_stepping->goTo(std::size_t(number));
        if (!m_open.insert(number).second)
            m_open.erase(number);
        tell();
    }

    void tell()
    {
        const int place = verticalScrollBar()->value();
        setHtml(QStringLiteral("<h2>%1</h2><p>%2</p>")
                    .arg(tr("%1 cannot be exported").arg(html(m_failure->model)), lines(m_failure->reason))
                + placeText() + adviceText() + attemptsText());
        verticalScrollBar()->setValue(place);
    }

    QString placeText() const
    {
        if (!m_failure->place)
            return {};
        const sequence::ProgramLine &at = *m_failure->place;
        QString text = heading(tr("The line"))
            + QStringLiteral("<p>%1</p>")
                  .arg(tr("%1:%2 in %3").arg(html(at.file), QString::number(at.line), html(at.function)));
        QString code;
        if (at.around.empty())
            code = html(at.code);
        for (std::size_t i = 0; i < at.around.size(); ++i) {
            const std::uint64_t number = at.firstAround + i;
            const QString line = QStringLiteral("%1  %2").arg(number, 4).arg(html(at.around[i]));
            code += (number == at.line ? QStringLiteral("<b>%1</b>").arg(line) : muted(line)) + '\n';
        }
        return text + codeText(code);
    }

    QString muted(const QString &text) const
    {
        return QStringLiteral("<span style=\"color: %1\">%2</span>").arg(mutedText(palette()).name(), text);
    }

    QString codeText(const QString &code) const
    {
        return QStringLiteral("<pre style=\"font-family: '%1'; white-space: pre-wrap; background-color: %2\">%3</pre>")
            .arg(monospaceFont().family(), palette().alternateBase().color().name(), code);
    }

    QString adviceText() const
    {
        if (m_failure->advice.empty())
            return {};
        QString items;
        for (const std::string &each : m_failure->advice)
            items += QStringLiteral("<li>%1</li>").arg(lines(each));
        return heading(tr("What torch suggests"))
            + QStringLiteral("<ul style=\"-qt-list-indent: 1\">%1</ul>").arg(items);
    }

    QString attemptsText() const
    {
        QString text = heading(tr("Completed steps"));
        for (std::size_t i = 0; i < m_failure->attempts.size(); ++i)
            text += attemptText(int(i), m_failure->attempts[i]);
        return text;
    }

    QString attemptText(int number, const sequence::ExportAttempt &attempt) const
    {
        QString how = html(attempt.how);
        if (m_stepping && attempt.step == m_stepping->position())
            how = QStringLiteral("<b>%1</b> %2").arg(how, muted(tr("is shown")));
        else if (m_stepping && attempt.step)
            how = QStringLiteral("<a href=\"step:%1\">%2</a>").arg(*attempt.step).arg(how);
        QString text = QStringLiteral("<p>%1<br>%2").arg(how, lines(attempt.outcome));
        const bool isOpen = m_open.contains(number);
        if (!attempt.message.empty())
            text += QStringLiteral("<br><a href=\"message:%1\">%2</a>")
                        .arg(number)
                        .arg(isOpen ? tr("Hide torch's message") : tr("Full message of torch"));
        text += QLatin1String("</p>");
        if (isOpen)
            text += codeText(html(std::string_view(attempt.message).substr(0, longestMessage)));
        return text;
    }

    Stepping *m_stepping; ///< steps through the graphs; nullptr if no attempt left one
    std::shared_ptr<const sequence::ExportFailure> m_failure;
    std::set<int> m_open; ///< the numbers of the attempts whose whole message is shown
};

} // namespace

QWidget *makeExportFailure(Stepping *stepping, std::shared_ptr<const sequence::ExportFailure> failure, QWidget *parent)
{
    return new ExportFailurePage(stepping, std::move(failure), parent);
}

} // namespace cutaway::views
