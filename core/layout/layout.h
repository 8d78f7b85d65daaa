// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/layout/diagram.h"
#include "core/layout/expansion.h"
#include "core/layout/knowledge.h"
#include "core/layout/text_measure.h"

#include <stop_token>

namespace cutaway::ir {
struct Model;
}

namespace cutaway::layout {

struct Options {
    Knowledge knowledge{};
    Hidden hidden{};
    bool wholeLines = false;          ///< whether each line through a border is drawn in full, and not only the first
                                      ///< of those that share the way through it: for pictures with some lines hidden
    bool columns = true;              ///< whether planes much higher than wide are broken into columns
    const Outline *outline = nullptr; ///< the function's outline, flat if the expansion is; nullptr: computed
};

/// Lays out a function: cards for nodes, boxes for modules and regions, edges between them. The contents of each open
/// box are placed by themselves, from the innermost box out; see ranked.cpp. Parameters and constants are lines on the
/// cards, not boxes. Errors: only Cancelled.
Result<Diagram> layOut(const ir::Model &model, ir::FunctionId function, const Expansion &expansion,
                       const TextMeasure &measure = approximateTextWidth, const Options &options = {},
                       std::stop_token stop = {});

} // namespace cutaway::layout
