// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace cutaway::desktop {

/// A translucent rectangle over the part of a pane that a dragged tab would move to, with the name of the file.
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
