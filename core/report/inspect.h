// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/symbolic/evaluate.h"

#include <optional>
#include <string>

namespace cutaway::report {

/// The document of `inspect --json`, schema "cutaway.report/1": what the file says, with symbols replaced where bound.
/// All functions, the main one first, or only `function`.
std::string inspectJson(const ir::Model &model, const symbolic::Bindings &bindings = {},
                        std::optional<ir::FunctionId> function = {});

/// The same for a person at a terminal: producer, signature, counts, operators, modules, diagnostics.
std::string inspectText(const ir::Model &model, const symbolic::Bindings &bindings = {}, ir::FunctionId function = {});

} // namespace cutaway::report
