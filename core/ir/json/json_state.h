// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <memory>
#include <string_view>

namespace cutaway::ir {

/// Parses another state of a model from JSON (json.h). Its names, operators, types, source positions and scopes are
/// interned in `context`, so that both states can be compared and converted into each other. Values are renumbered.
/// Errors: as parseJson().
Result<Model> parseJsonState(std::string_view text, std::shared_ptr<Context> context);

} // namespace cutaway::ir
