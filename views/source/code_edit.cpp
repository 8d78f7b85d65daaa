// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/code_edit.h"

#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"

#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Repository>
#include <KSyntaxHighlighting/SyntaxHighlighter>
#include <KSyntaxHighlighting/Theme>
#include <QKeyEvent>
#include <QPainter>
#include <QTextBlock>
#include <algorithm>

namespace cutaway::views {
namespace {

constexpr qsizetype maxColoured = 1'000'000; ///< characters; more would take seconds to colour
constexpr int numbersMargin = 8;

KSyntaxHighlighting::Repository &syntaxes()
{
    static KSyntaxHighlighting::Repository repository;
    return repository;
}

class LineNumbers : public QWidget {
public:
    explicit LineNumbers(CodeEdit &code) : QWidget(&code), m_code(code) { }

    QSize sizeHint() const override { return {m_code.numbersWidth(), 0}; }

protected:
    void paintEvent(QPaintEvent *event) override { m_code.paintNumbers(event->rect()); }

private:
    CodeEdit &m_code;
};

} // namespace

CodeEdit::CodeEdit(QWidget *parent)
    : QPlainTextEdit(parent),
      m_numbers(new LineNumbers(*this)),
      m_colours(new KSyntaxHighlighting::SyntaxHighlighter(document()))
{
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setFont(monospaceFont());
    setLineWrapMode(NoWrap);
    setFrameShape(NoFrame);
    setTabStopDistance(4 * fontMetrics().horizontalAdvance(' '));
    chooseColours();
    connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { setViewportMargins(numbersWidth(), 0, 0, 0); });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect &part, int dy) {
        if (dy != 0)
            m_numbers->scroll(0, dy);
        else
            m_numbers->update(0, part.y(), m_numbers->width(), part.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        if (const int line = caretLine(); std::exchange(m_line, line) != line && !m_isSetting)
            emit caretMoved(line);
    });
    setViewportMargins(numbersWidth(), 0, 0, 0);
}

void CodeEdit::setCode(const QString &text, const QString &syntax)
{
    m_isSetting = true;
    const bool isColoured = !syntax.isEmpty() && text.size() <= maxColoured;
    m_colours->setDefinition(isColoured ? syntaxes().definitionForName(syntax) : KSyntaxHighlighting::Definition());
    setPlainText(text);
    setExtraSelections({});
    m_isSetting = false;
}

int CodeEdit::caretLine() const { return textCursor().blockNumber() + 1; }

bool CodeEdit::isInSight(int line) const
{
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
    return block.isValid() && place.top() >= 0 && place.bottom() <= viewport()->height();
}

void CodeEdit::mark(const std::vector<int> &lines)
{
    QList<QTextEdit::ExtraSelection> marks;
    QTextEdit::ExtraSelection mark;
    QColor ground = palette().color(QPalette::Highlight);
    ground.setAlphaF(0.22F);
    mark.format.setBackground(ground);
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    for (const int line : lines) {
        mark.cursor = QTextCursor(document()->findBlockByNumber(line - 1));
        marks << mark;
    }
    setExtraSelections(marks);
    if (lines.empty() || std::ranges::any_of(lines, [this](int line) { return isInSight(line); }))
        return;
    m_isSetting = true;
    setTextCursor(QTextCursor(document()->findBlockByNumber(lines.front() - 1)));
    centerCursor();
    m_isSetting = false;
}

int CodeEdit::numbersWidth() const
{
    const auto digits = QString::number(std::max(blockCount(), 10)).size();
    return int(digits) * fontMetrics().horizontalAdvance('9') + 2 * numbersMargin;
}

void CodeEdit::paintNumbers(const QRect &part)
{
    QPainter painter(m_numbers);
    painter.fillRect(part, palette().color(QPalette::Base));
    painter.setPen(mutedText(palette()));
    painter.setFont(font());
    QTextBlock block = firstVisibleBlock();
    for (; block.isValid(); block = block.next()) {
        const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
        if (place.top() > part.bottom())
            break;
        painter.drawText(QRectF(0, place.top(), m_numbers->width() - numbersMargin, place.height()), Qt::AlignRight,
                         QString::number(block.blockNumber() + 1));
    }
}

/// Leaves shortcuts of editing, such as Ctrl+E, to the window, since the text is read-only; those to copy and select
/// stay.
bool CodeEdit::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isLetter = key->key() >= Qt::Key_A && key->key() <= Qt::Key_Z;
        if (isLetter && key->modifiers() & Qt::ControlModifier && !key->matches(QKeySequence::Copy)
            && !key->matches(QKeySequence::SelectAll)) {
            event->ignore();
            return false;
        }
    }
    return QPlainTextEdit::event(event);
}

void CodeEdit::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    const QRect inside = contentsRect();
    m_numbers->setGeometry(inside.left(), inside.top(), numbersWidth(), inside.height());
}

void CodeEdit::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        chooseColours();
}

void CodeEdit::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        emit lineActivated(caretLine());
    else
        QPlainTextEdit::keyPressEvent(event);
}

void CodeEdit::chooseColours()
{
    using KSyntaxHighlighting::Repository;
    m_colours->setTheme(syntaxes().defaultTheme(isDark(palette()) ? Repository::DarkTheme : Repository::LightTheme));
    m_colours->rehighlight();
}

} // namespace cutaway::views
