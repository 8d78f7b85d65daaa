// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>
#include <vector>

namespace KSyntaxHighlighting { // NOLINT(readability-identifier-naming): is another library's
class SyntaxHighlighter;
}

namespace cutaway::views {

/// Code to be read, with numbers of its lines and colours of its syntax.
class CodeEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit CodeEdit(QWidget *parent);

    /// `syntax`: a language by its English name, or "". The caret goes to the first line.
    void setCode(const QString &text, const QString &syntax);
    /// Marks lines from 1, sorted. If none of them is in sight, the first is scrolled to and gets the caret.
    void mark(const std::vector<int> &lines);
    /// The caret's line, from 1.
    int caretLine() const;

    // for the column of numbers
    int numbersWidth() const;
    void paintNumbers(const QRect &part);

signals:
    void caretMoved(int line); ///< by the user
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
    int m_line = 1;           ///< the caret's, as last told
    bool m_isSetting = false; ///< the caret is being set, not moved
};

} // namespace cutaway::views
