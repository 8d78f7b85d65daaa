// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/query_line.h"

#include "views/appearance/icon.h"
#include "views/appearance/theme.h"
#include "views/parts/clear_button.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QCoreApplication>
#include <QInputMethodEvent>
#include <QStringListModel>
#include <QTextCharFormat>
#include <algorithm>
#include <optional>

namespace cutaway::views {

QueryLine::QueryLine(QWidget *parent) : QLineEdit(parent)
{
    addClearButton(*this);
    addAction(icon("search"), QLineEdit::LeadingPosition)->setText(tr("Search"));
    connect(this, &QLineEdit::textChanged, this, &QueryLine::unmark);
}

void QueryLine::mark(int at, int length)
{
    m_at = std::clamp(at, 0, std::max(int(text().size()) - 1, 0));
    m_length = std::clamp(length, 1, std::max(int(text().size()) - m_at, 1));
    underline();
}

void QueryLine::unmark()
{
    if (std::exchange(m_length, 0) > 0)
        underline();
}

void QueryLine::setWords(Words words)
{
    m_words = std::move(words);
    m_offered = new QStringListModel(this);
    m_completer = new QCompleter(m_offered, this);
    m_completer->setWidget(this);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_completer->setFilterMode(Qt::MatchContains);
    m_completer->setMaxVisibleItems(12);
    m_completer->popup()->setAccessibleName(tr("Words"));
    connect(m_completer, qOverload<const QString &>(&QCompleter::activated), this, &QueryLine::take);
    connect(this, &QLineEdit::textEdited, this, &QueryLine::offer);
    connect(this, &QLineEdit::returnPressed, this, [this] {
        const QAbstractItemView *list = m_completer->popup();
        if (list->isVisible() && !list->currentIndex().isValid())
            emit entered();
    });
}

namespace {

/// The term before the cursor. A term begins after a blank or an opening bracket; its value begins after the colon.
/// Within quotes these characters belong to the text.
struct TypedTerm {
    qsizetype begin = 0;
    std::optional<qsizetype> colon;
};

TypedTerm termAtEndOf(const QString &text)
{
    TypedTerm term;
    bool isInQuotes = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c == '"')
            isInQuotes = !isInQuotes;
        else if (c == '\\' && isInQuotes)
            ++i; // the next character is escaped
        else if ((c == ' ' || c == '(') && !isInQuotes)
            term = {i + 1, {}};
        else if (c == ':' && !isInQuotes && !term.colon)
            term.colon = i;
    }
    return term;
}

} // namespace

void QueryLine::offer()
{
    const QString before = text().first(cursorPosition());
    const TypedTerm term = termAtEndOf(before);
    m_begin = int(term.colon ? *term.colon + 1 : term.begin);
    QString typed = before.sliced(m_begin);
    const QString property = before.sliced(term.begin, term.colon.value_or(term.begin) - term.begin);
    const bool isQuotedWord = property.isEmpty() && typed.startsWith('"'); // a quoted word belongs to no property
    if ((typed.isEmpty() && property.isEmpty()) || isQuotedWord || !hasFocus())
        return m_completer->popup()->hide();
    if (typed.startsWith('"')) // a word that needs no quotes is offered, too
        typed.removeFirst();
    m_offered->setStringList(m_words(property));
    m_completer->setCompletionPrefix(typed);
    if (m_completer->completionCount() == 0
        || (m_completer->completionCount() == 1 && m_completer->currentCompletion() == typed))
        return m_completer->popup()->hide();
    m_completer->complete();
    m_completer->popup()->setCurrentIndex({}); // no word is preselected, so that Return submits the typed text
}

void QueryLine::take(const QString &word)
{
    setSelection(m_begin, cursorPosition() - m_begin);
    insert(word);
    if (!word.endsWith(':')) // after "op:" the list stays open and offers the property's words
        m_completer->popup()->hide();
}

/// Underlines the mistake. A line edit has no formats of its own, so that of an input method is used.
void QueryLine::underline()
{
    QList<QInputMethodEvent::Attribute> attributes;
    if (m_length > 0) {
        QTextCharFormat format;
        format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        format.setUnderlineColor(errorColor(palette()));
        format.setForeground(errorColor(palette()));
        attributes.append({QInputMethodEvent::TextFormat, m_at - cursorPosition(), m_length, format});
    }
    QInputMethodEvent event({}, attributes);
    QCoreApplication::sendEvent(this, &event);
}

} // namespace cutaway::views
