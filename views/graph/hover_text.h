// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"

#include <QString>

namespace cutaway::views {

class Session;

/// Returns the tool tip of a box: all lines of its card, its scope and the types of its results.
QString hoverText(const Session &session, const layout::Box &box);
/// Returns the tool tip of an edge: the values that flow along it, with their types.
QString hoverText(const Session &session, const layout::Edge &edge);

} // namespace cutaway::views
