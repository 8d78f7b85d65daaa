// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <memory>
#include <string_view>

namespace cutaway::ir {

/// Another state of a model, as JSON (json.h): its names, operators, types, places and scopes are those of `context`,
/// which grows by what is new, so that both can be compared and one be made from the other. Values are numbered anew.
Result<Model> parseJsonState(std::string_view text, std::shared_ptr<Context> context);

} // namespace cutaway::ir
