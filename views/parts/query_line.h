// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QStringList>
#include <functional>

class QCompleter;
class QStringListModel;

namespace cutaway::views {

/// A line for a query, which underlines where its text is wrong.
class QueryLine : public QLineEdit {
    Q_OBJECT

public:
    explicit QueryLine(QWidget *parent = nullptr);

    /// Marks a mistake. `at` and `length` count letters; past the end of the text, the last letter is marked.
    void mark(int at, int length);
    void unmark();
    /// The letters that are underlined; "" if none are.
    QString marked() const { return text().mid(m_at, m_length); }

    /// Sets the words that are offered while a term is typed: for "op:conv" those of the property "op", for "" all
    /// beginnings of terms.
    using Words = std::function<QStringList(const QString &property)>;
    void setWords(Words words);

signals:
    /// Return was pressed while words were offered and none was chosen.
    void entered();

private:
    void underline();
    void offer();
    void take(const QString &word);

    int m_at = 0, m_length = 0;
    Words m_words;
    QCompleter *m_completer = nullptr;
    QStringListModel *m_offered = nullptr;
    int m_begin = 0; ///< where the text begins that a chosen word replaces
};

} // namespace cutaway::views
