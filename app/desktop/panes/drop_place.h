// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace cutaway::desktop {

/// Where a tab that is dragged would go: a veil over that part of a pane, with the name of the file.
class DropPlace : public QWidget {
    Q_OBJECT

public:
    explicit DropPlace(QWidget *parent);

    void showAt(const QRect &place, const QString &name);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_name;
};

} // namespace cutaway::desktop
