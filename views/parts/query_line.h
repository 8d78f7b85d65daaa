// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace cutaway::views {

/// A line for a query, which underlines where its text is wrong.
class QueryLine : public QLineEdit {
    Q_OBJECT

public:
    explicit QueryLine(QWidget *parent = nullptr);

    /// In letters; behind the end of the text: the last letter.
    void mark(int at, int length);
    void unmark();
    /// The letters that are underlined; "" if none are.
    QString marked() const { return text().mid(m_at, m_length); }

private:
    void underline();

    int m_at = 0, m_length = 0;
};

} // namespace cutaway::views
