// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <string>
#include <string_view>

namespace cutaway::ir {

enum class TextForm : std::uint8_t {
    Complete, ///< everything except the bytes of storages in files; parseText() can read it
    Reading,  ///< for display only: the functions, without strides, devices, metadata and callers
};

/// Prints a model for reading and diffing, with a line per node. parseText(printText(m)) prints to the same text. The
/// grammar is at the top of text_parser.cpp.
std::string printText(const Model &model, TextForm form = TextForm::Complete);
std::string printText(const Model &model, FunctionId function, TextForm form = TextForm::Complete);

/// Reads a text of printText() in the form Complete. Errors: line and column, what was found and what was expected.
Result<Model> parseText(std::string_view text);
/// Reads a model that shares `context` with others, so that equal names, operators and types have equal ids. Errors:
/// line and column, what was found and what was expected.
Result<Model> parseText(std::string_view text, std::shared_ptr<Context> context);

} // namespace cutaway::ir
