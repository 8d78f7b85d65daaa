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
    std::chrono::milliseconds graphvizLimit{2000}; ///< per scope; after that it is placed rank by rank
    std::size_t graphvizMaxNodes = 1500;           ///< a plane larger than this is placed rank by rank at once
    bool useGraphviz = true;
    Knowledge knowledge{};
    bool wholeLines = false; ///< each line has all of its way, not only the first that goes through a border: for
                             ///< pictures of which some lines are hidden
    bool columns = true;     ///< planes much higher than wide are broken into columns, as text in a newspaper
};

/// Places a function: cards for nodes, boxes for modules and regions, edges between them. Each scope is laid out by
/// Graphviz's dot in a process of its own, so that it can be stopped and cannot take the program down; a scope that
/// dot cannot do in time is placed rank by rank, and the diagram's notes say so.
/// Parameters and constants are lines on the cards, not boxes. Errors: only Cancelled.
Result<Diagram> layOut(const ir::Model &model, ir::FunctionId function, const Expansion &expansion,
                       const TextMeasure &measure = approximateTextWidth, const Options &options = {},
                       std::stop_token stop = {});

} // namespace cutaway::layout
