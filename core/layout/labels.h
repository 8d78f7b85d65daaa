// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"
#include "core/layout/text_measure.h"

#include <stop_token>

namespace cutaway::layout {

/// Sets labelRect for the labels of all stubs, and for other edge labels that fit beside their line without touching a
/// box, border, other label or line. O(number of items), by a grid of cells.
void placeLabels(Diagram &diagram, const TextMeasure &measure, std::stop_token stop);

} // namespace cutaway::layout
