// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/sweep.h"
#include "core/ir/model.h"

#include <optional>
#include <string>

namespace cutaway::report {

/// Optional parts of a report.
struct Additions {
    const analysis::Device *device = nullptr; ///< a device, for which a lower bound of the time is added
    const analysis::Sweep *sweep = nullptr;   ///< a sweep, for JSON only
};

/// Returns the document of `inspect --json`, schema "cutaway.report/1": the file's contents, with bound symbols
/// replaced, and the results of analysis, where recorded types fill the gaps. The document has all functions, the main
/// one first, or only `function`; sizes and costs are derived only for `function` or, without it, for the main
/// function. If cancelled, the document has the results so far.
std::string inspectJson(const ir::Model &model, const analysis::Given &given = {},
                        std::optional<ir::FunctionId> function = {}, const Additions &additions = {},
                        const Task &task = {});

/// Returns the report for a terminal: producer, signature, counts, operators, modules, diagnostics.
std::string inspectText(const ir::Model &model, const analysis::Given &given = {}, ir::FunctionId function = {},
                        const Additions &additions = {});

} // namespace cutaway::report
