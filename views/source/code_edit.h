// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>
#include <vector>

namespace KSyntaxHighlighting { // NOLINT(readability-identifier-naming): the name is that of another library
class SyntaxHighlighter;
}

namespace cutaway::views {

/// A read-only view of code with line numbers and colours for its syntax.
class CodeEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit CodeEdit(QWidget *parent);

    /// Shows a text. `syntax` is a language by its English name, or "". The caret goes to the first line.
    void setCode(const QString &text, const QString &syntax);
    /// Marks lines, sorted and from 1. If none of them is visible, the view and the caret move to the first.
    void mark(const std::vector<int> &lines);
    /// Returns the line of the caret, from 1.
    int caretLine() const;

    // These two functions are for the column of line numbers.
    int numbersWidth() const;
    void paintNumbers(const QRect &part);

signals:
    void caretMoved(int line); ///< emitted when the user moves the caret
    void lineActivated(int line);

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    bool isInSight(int line) const;
    void chooseColours();

    QWidget *m_numbers;
    KSyntaxHighlighting::SyntaxHighlighter *m_colours;
    int m_line = 1;           ///< the line of the caret that was signalled last
    bool m_isSetting = false; ///< whether the program is moving the caret, rather than the user
};

} // namespace cutaway::views
