// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"

#include <functional>
#include <string_view>

namespace cutaway::layout {

/// Returns the width in pixels of a line of text at 100 %. Fonts: sans 13 px (Title, medium), sans 11 px (Muted,
/// Detail), monospace 11 px (Weight and edge labels).
using TextMeasure = std::function<double(std::string_view text, Line::Style style)>;

/// Estimates widths without a font system, slightly larger than those of common sans fonts.
double approximateTextWidth(std::string_view text, Line::Style style);

} // namespace cutaway::layout
