// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <QString>
#include <QWidget>
#include <functional>
#include <optional>

class QLabel;
class QLineEdit;
class QToolButton;

namespace cutaway::views {

class ElidedLabel;

/// A row for giving a value, the size of a symbol or an input: its name, an edit, its range, and an error message.
class GivenRow : public QWidget {
    Q_OBJECT

public:
    struct Subject {
        QString name;
        QString wanted;         ///< the placeholder of the empty edit: "1x3x224x224:float32"
        QString note;           ///< the note that is shown at first: "2 … 1024, example 8"
        bool isSize = false;    ///< whether the value is an integer, which the arrow keys change by 1
        bool isFixed = false;   ///< whether `wanted` is the value in the file, which the edit then shows
        bool takesFile = false; ///< whether a button lets the user choose a file, "@FILE"
        std::optional<std::int64_t> example{}, lowest{}, highest{};
    };
    /// Returns the error in a text, or "".
    using Check = std::function<QString(const QString &text)>;

    GivenRow(Subject subject, Check check, QWidget *parent);

    const Subject &subject() const { return m_subject; }
    QString text() const;
    /// Sets the text; "" stands for the value in the file.
    void setText(const QString &text);
    void setNote(const QString &note);
    /// Whether a value is given that differs from the file's and has no error.
    bool isGiven() const;

signals:
    void edited();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void check();
    void step(std::int64_t by);
    QToolButton *fileButton();
    bool isOfFile() const;

    Subject m_subject;
    Check m_check;
    QLineEdit *m_edit;
    ElidedLabel *m_note;
    QLabel *m_problem;
};

} // namespace cutaway::views
