// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace cutaway::desktop {

/// A veil over the part of a pane where a dragged tab would go, with the name of the file.
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
