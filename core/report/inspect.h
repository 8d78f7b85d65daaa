// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ir/model.h"

#include <optional>
#include <string>

namespace cutaway::report {

/// The document of `inspect --json`, schema "cutaway.report/1": what the file says, with symbols replaced where bound,
/// and what can be derived from it, where the record helps out if that leads no further. All functions, the main one
/// first, or only `function`; sizes and costs are derived for that one.
std::string inspectJson(const ir::Model &model, const analysis::Given &given = {},
                        std::optional<ir::FunctionId> function = {});

/// The same for a person at a terminal: producer, signature, counts, operators, modules, diagnostics.
std::string inspectText(const ir::Model &model, const analysis::Given &given = {}, ir::FunctionId function = {});

} // namespace cutaway::report
