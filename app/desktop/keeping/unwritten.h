// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <functional>

namespace cutaway::desktop {

class ModelPage;
class Pages;

/// Whether passes have changed the model that a page shows, and it was not written in this state.
bool isUnwritten(const ModelPage &page);

/// Asks what to do with unwritten changes, in a box that does not block the window. To discard them it calls `close`;
/// to save them it saves the first page and calls `again`, which asks about the rest.
void askAboutUnwritten(const QList<ModelPage *> &unwritten, Pages &pages, const std::function<void()> &close,
                       const std::function<void()> &again);

} // namespace cutaway::desktop
