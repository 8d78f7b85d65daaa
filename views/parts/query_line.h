// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QStringList>
#include <functional>

class QCompleter;
class QStringListModel;

namespace cutaway::views {

/// A line for a query, which underlines the position of an error.
class QueryLine : public QLineEdit {
    Q_OBJECT

public:
    explicit QueryLine(QWidget *parent = nullptr);

    /// Marks a mistake; `at` and `length` count characters of a QString. Past the end, the last character is marked.
    void mark(int at, int length);
    void unmark();
    /// Returns the characters that are underlined; "" if none are.
    QString marked() const { return text().mid(m_at, m_length); }

    /// Returns the words that are offered for a property while a term is typed, such as those of "op" after "op:conv".
    /// With "" it returns all beginnings of terms.
    using Words = std::function<QStringList(const QString &property)>;
    void setWords(Words words);

signals:
    /// Emitted when Return is pressed while words are offered and none is chosen.
    void entered();

private:
    void underline();
    void offer();
    void take(const QString &word);

    int m_at = 0, m_length = 0;
    Words m_words;
    QCompleter *m_completer = nullptr;
    QStringListModel *m_offered = nullptr;
    int m_begin = 0; ///< the start of the text that a chosen word replaces
};

} // namespace cutaway::views
