// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <functional>

namespace cutaway::desktop {

class ModelPage;
class Pages;

/// Whether passes have made something that was not written.
bool isUnwritten(const ModelPage &page);

/// Asks what to do with what is not written, in a box beside which the window goes on: `close` without saving, or save
/// the first page; then `again` asks for the rest.
void askAboutUnwritten(const QList<ModelPage *> &unwritten, Pages &pages, const std::function<void()> &close,
                       const std::function<void()> &again);

} // namespace cutaway::desktop
