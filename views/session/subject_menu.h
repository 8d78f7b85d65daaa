// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"

class QMenu;

namespace cutaway::views {

class Session;

/// Adds actions for a part of the graph, wherever it is listed: to see it in other views, to copy its shape, to save it
/// as a model.
void addSubjectActions(QMenu &menu, Session &session, const layout::Subject &subject);

} // namespace cutaway::views
