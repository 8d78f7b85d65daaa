// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/query_line.h"

#include "views/appearance/icon.h"
#include "views/appearance/theme.h"
#include "views/parts/clear_button.h"

#include <QCoreApplication>
#include <QInputMethodEvent>
#include <QTextCharFormat>
#include <algorithm>

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

/// A line edit has no formats of its own but those of what an input method composes.
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
