// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/problem.h"

#include <QMessageBox>

namespace cutaway::desktop {

void tellProblem(QWidget &window, const QString &title, const QString &text)
{
    auto *box = new QMessageBox(QMessageBox::Warning, title, text, QMessageBox::Ok, &window);
    box->setTextFormat(Qt::PlainText);
    box->setObjectName("problem");
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace cutaway::desktop
