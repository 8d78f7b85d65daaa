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
    const analysis::Device *device = nullptr; ///< adds a lower bound of the time on this device
    const analysis::Sweep *sweep = nullptr;   ///< JSON only
};

/// The document of `inspect --json`, schema "cutaway.report/1": the file's contents, with bound symbols replaced, and
/// what analysis derives, where recorded types fill the gaps. Has all functions, the main one first, or only
/// `function`; sizes and costs are derived for that one. Cancelled: with what was derived so far.
std::string inspectJson(const ir::Model &model, const analysis::Given &given = {},
                        std::optional<ir::FunctionId> function = {}, const Additions &additions = {},
                        const Task &task = {});

/// The report for a terminal: producer, signature, counts, operators, modules, diagnostics.
std::string inspectText(const ir::Model &model, const analysis::Given &given = {}, ir::FunctionId function = {},
                        const Additions &additions = {});

} // namespace cutaway::report
