// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/text/text_lexer.h"

namespace cutaway::ir {

/// A type as type_printer.cpp writes it.
TypeId parseType(TextLexer &lexer, Context &context);

/// A device as "cuda:0".
Device parseDevice(std::string_view text, Context &context);

/// An expression as far as TextLexer::takeExpression() goes; nothing after an error.
std::optional<symbolic::Expr> parseExpression(TextLexer &lexer);

} // namespace cutaway::ir
