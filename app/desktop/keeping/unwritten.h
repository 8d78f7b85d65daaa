// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <functional>

class QWidget;

namespace cutaway::desktop {

class ModelPage;

/// Whether passes have made something that was not written.
bool isUnwritten(const ModelPage &page);

/// Asks what to do with what is not written, in a box beside which the window goes on: `close` without saving, or
/// `save` the first page.
void askAboutUnwritten(const QList<ModelPage *> &pages, QWidget &window, const std::function<void()> &close,
                       const std::function<void(ModelPage &page)> &save);

} // namespace cutaway::desktop
