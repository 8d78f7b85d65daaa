// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"
#include "core/layout/diagram.h"
#include "core/layout/expansion.h"
#include "core/layout/knowledge.h"
#include "core/layout/text_measure.h"

#include <chrono>
#include <stop_token>

namespace cutaway::layout {

struct Options {
    std::chrono::milliseconds graphvizLimit{2000}; ///< per scope; after that the scope is placed row by row
    std::size_t graphvizMaxNodes = 1500;           ///< larger planes are placed row by row at once,
    double graphvizMaxBends = 20000;               ///< as are those with more: rows that edges cross · edges per box
    bool useGraphviz = true;
    Knowledge knowledge{};
    Hidden hidden{};
    bool wholeLines = false; ///< draw each line through a border in full, not only the first of those that
                             ///< share the way through it: for pictures with some lines hidden
    bool columns = true;     ///< break planes much higher than wide into columns
};

/// Lays out a function: cards for nodes, boxes for modules and regions, edges between them. Each scope is placed by
/// Graphviz's dot in a separate process, so that it can be stopped and cannot crash the program. A scope that dot does
/// not finish in time is placed row by row, and the diagram's notes say so. Parameters and constants are lines on the
/// cards, not boxes. Errors: only Cancelled.
Result<Diagram> layOut(const ir::Model &model, ir::FunctionId function, const Expansion &expansion,
                       const TextMeasure &measure = approximateTextWidth, const Options &options = {},
                       std::stop_token stop = {});

} // namespace cutaway::layout
