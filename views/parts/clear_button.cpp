// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/clear_button.h"

#include <QLineEdit>
#include <QToolButton>

namespace cutaway::views {

void addClearButton(QLineEdit &line)
{
    const QList<QToolButton *> before = line.findChildren<QToolButton *>();
    line.setClearButtonEnabled(true);
    for (QToolButton *button : line.findChildren<QToolButton *>())
        if (!before.contains(button))
            button->setAccessibleName(QObject::tr("Clear"));
}

} // namespace cutaway::views
