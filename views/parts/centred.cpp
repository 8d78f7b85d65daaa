// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/centred.h"

#include <QVBoxLayout>
#include <QWidget>

namespace cutaway::views {

void placeCentred(QWidget *block, QWidget *page)
{
    auto *outer = new QVBoxLayout(page);
    outer->addStretch(2);
    auto *across = new QHBoxLayout;
    across->addStretch(1);
    across->addWidget(block, 1000);
    across->addStretch(1);
    outer->addLayout(across);
    outer->addStretch(3);
    // Wrapped text has its height only once its width is known, and the stretches would not give it any.
    block->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);
}

} // namespace cutaway::views
