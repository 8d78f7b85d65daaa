// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/sweep.h"
#include "core/ir/model.h"

#include <optional>
#include <string>

namespace cutaway::report {

/// What a report has on request.
struct Additions {
    const analysis::Device *device = nullptr; ///< a lower bound of the time on it
    const analysis::Sweep *sweep = nullptr;   ///< only in JSON
};

/// The document of `inspect --json`, schema "cutaway.report/1": what the file says, with symbols replaced where bound,
/// and what can be derived from it, where the record helps out if that leads no further. All functions, the main one
/// first, or only `function`; sizes and costs are derived for that one.
std::string inspectJson(const ir::Model &model, const analysis::Given &given = {},
                        std::optional<ir::FunctionId> function = {}, const Additions &additions = {});

/// The same for a person at a terminal: producer, signature, counts, operators, modules, diagnostics.
std::string inspectText(const ir::Model &model, const analysis::Given &given = {}, ir::FunctionId function = {},
                        const Additions &additions = {});

} // namespace cutaway::report
