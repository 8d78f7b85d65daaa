// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/module_sums.h"
#include "core/ir/model.h"
#include "core/ir/node_ref.h"
#include "core/layout/knowledge.h"
#include "core/layout/outline.h"

#include <vector>

namespace cutaway::layout {

/// Returns the lines of any part's box: a node's card, or a module's name, class and contents ("12 nodes · 1.2 GFLOP ·
/// 1.30 M parameters"). `reads` has to be made for the function's graph.
std::vector<Line> describePart(const ir::Model &model, const ir::Function &function, const Outline &outline,
                               std::uint32_t part, const analysis::ParameterReads &reads,
                               const Knowledge &knowledge = {});

/// Returns the lines of an input's or output's box: name and type.
std::vector<Line> describeInput(const ir::ValueRef &value, const Knowledge &knowledge = {});
std::vector<Line> describeOutput(const ir::Function &function, ir::RegionId region, std::uint32_t index,
                                 const Knowledge &knowledge = {});

/// Returns a text that is equal for inputs or outputs that look alike. It is made from the `lines` of the box: the name
/// up to its first number, and the type without the sizes that are not numbers, since exporters make up new symbols for
/// these. It is empty if there is no type.
std::string likenessOf(const std::vector<Line> &lines);

/// Returns the lines of one pill for several inputs or outputs that look alike: "24 × past_key_values".
std::vector<Line> describeMany(const std::vector<std::vector<Line>> &all);

} // namespace cutaway::layout
