// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

class QLabel;
class QPushButton;

namespace cutaway::desktop {

/// A sentence above a model, perhaps with a button, until the user closes it. Hidden while there is none.
class Banner : public QWidget {
    Q_OBJECT

public:
    explicit Banner(QWidget *parent);

    /// Shows a sentence in place of an earlier one. Without `action` there is no button.
    void tell(const QString &text, const QString &actionText = {}, std::function<void()> action = {});
    QString text() const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QLabel *m_text;
    QPushButton *m_button;
    std::function<void()> m_action;
};

} // namespace cutaway::desktop
