// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ir/node_ref.h"
#include "core/layout/knowledge.h"
#include "core/layout/outline.h"

#include <string>
#include <vector>

namespace cutaway::layout {

/// The lines of any part's box: a node's card, or a module's name, class and contents ("12 nodes · 1.2 GFLOP · 1.30 M
/// parameters").
std::vector<Line> describePart(const ir::Model &model, const ir::Function &function, const Outline &outline,
                               std::uint32_t part, const Knowledge &knowledge = {});

/// The lines of an input's box: name and type.
std::vector<Line> describeInput(const ir::ValueRef &value, const Knowledge &knowledge = {});
std::vector<Line> describeOutput(const ir::Function &function, ir::RegionId region, std::uint32_t index,
                                 const Knowledge &knowledge = {});

/// Whether two inputs or outputs, as described above, have one type and names that differ from a number on.
bool areAlike(const std::vector<Line> &a, const std::vector<Line> &b);

/// The lines of one pill for so many like that one: "24 × past_key_values".
std::vector<Line> describeMany(const std::vector<Line> &one, std::size_t count);

} // namespace cutaway::layout
