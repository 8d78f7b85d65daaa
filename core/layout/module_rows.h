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
    std::uint32_t foundIndex = 0;          ///< the index of `found` in Outline::found
    std::uint32_t parent = 0;              ///< the index of the parent's row; the first row is its own parent
    std::vector<std::uint32_t> children{}; ///< rows in order of execution
    std::int64_t nodes = 0;                ///< number of nodes inside, including those of regions
    std::int64_t parameters = 0;           ///< elements of the parameters read inside, each once
    std::int64_t bytes = 0;                ///< bytes of the parameters read inside
};

/// Returns the rows for the modules of a function, and for the parts that `outline` has found between them; nullptr:
/// none were found yet. The first row is the whole function. `outline` may be made for a graph with nodes that the
/// function lacks: these do not count.
std::vector<ModuleRow> moduleRows(const ir::Model &model, const ir::Function &function,
                                  const analysis::ModuleSums &sums, const Outline *outline);

/// Returns the rows that have the most of an amount, the largest first; none of them contains another. A row with more
/// than half of the total is replaced by its children if these have at least half of its amount. It stays if a child
/// has nearly all of the amount and is not replaced itself. A repetition that was found always stays.
std::vector<std::uint32_t> dominating(const std::vector<ModuleRow> &rows,
                                      const std::function<double(const ModuleRow &)> &amountOf);

} // namespace cutaway::layout
