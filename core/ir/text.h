// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <string>
#include <string_view>

namespace cutaway::ir {

/// The textual form of a model: complete but for the bytes of file storages, one line per node, meant to be read and
/// diffed. parseText(printText(m)) prints the same text. The grammar stands at the top of text_parser.cpp.
std::string printText(const Model &model);
std::string printText(const Model &model, FunctionId function);

/// Errors: line and column, what was found and what was wanted.
Result<Model> parseText(std::string_view text);

} // namespace cutaway::ir
