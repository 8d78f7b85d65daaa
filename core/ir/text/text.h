// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <string>
#include <string_view>

namespace cutaway::ir {

enum class TextForm : std::uint8_t {
    Complete, ///< everything but the bytes of file storages; parseText() reads it
    Reading,  ///< for display only: the functions without strides, devices, metadata and callers
};

/// Prints a model, one line per node, for reading and diffing. parseText(printText(m)) prints the same text. The
/// grammar is at the top of text_parser.cpp.
std::string printText(const Model &model, TextForm form = TextForm::Complete);
std::string printText(const Model &model, FunctionId function, TextForm form = TextForm::Complete);

/// Reads what printText() prints in the form Complete. Errors: line and column, what was found and what was expected.
Result<Model> parseText(std::string_view text);
/// Reads a model that shares `context` with others, so that names, operators and types are equal by their ids. Errors:
/// as above.
Result<Model> parseText(std::string_view text, std::shared_ptr<Context> context);

} // namespace cutaway::ir
