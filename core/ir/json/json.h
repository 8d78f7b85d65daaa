// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <string>
#include <string_view>

namespace cutaway::ir {

/// Prints a model in the public, versioned JSON schema ("cutaway.ir/1"), which reports, plugins and tests use.
std::string printJson(const Model &model);

/// Reads what printJson() writes. Errors: the JSON path, what was found and what was expected; an unsupported major
/// version.
Result<Model> parseJson(std::string_view text);

} // namespace cutaway::ir
