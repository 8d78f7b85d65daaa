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
    // The height of wrapped text depends on its width; without this policy the stretches would take all of the height.
    block->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);
}

} // namespace cutaway::views
