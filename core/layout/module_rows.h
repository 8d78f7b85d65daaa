// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/module_sums.h"
#include "core/layout/outline.h"

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace cutaway::layout {

/// A row of the tree of modules: a module that the file has, or a part that was found in the graph.
struct ModuleRow {
    std::variant<ScopeSubject, FoundSubject> subject;
    FoundName found{};                     ///< the name, if the row is a found part
    std::uint32_t foundIndex = 0;          ///< the place of `found` in Outline::found
    std::uint32_t parent = 0;              ///< a row; the first one is its own
    std::vector<std::uint32_t> children{}; ///< rows in order of execution
    std::int64_t nodes = 0;                ///< in it, those of regions included
    std::int64_t parameters = 0;           ///< elements of the parameters read inside, each once
    std::int64_t bytes = 0;                ///< bytes of these parameters
};

/// The modules of a function, and what `outline` has found between them; null: nothing yet. The first row is the whole
/// function. `outline` may be of a graph with nodes that the function lacks: these do not count.
std::vector<ModuleRow> moduleRows(const ir::Model &model, const ir::Function &function,
                                  const analysis::ModuleSums &sums, const Outline *outline);

/// The rows that have the most of an amount, the largest first; none of them is in another one. A row with more than
/// half of all is told by the rows in it, if most of it is in these and not all in one that is not divided itself; a
/// repetition that was found is one row.
std::vector<std::uint32_t> dominating(const std::vector<ModuleRow> &rows,
                                      const std::function<double(const ModuleRow &)> &amountOf);

} // namespace cutaway::layout
