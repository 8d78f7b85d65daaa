// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/text/text_lexer.h"

namespace cutaway::ir {

/// Parses a type; type_printer.cpp shows the syntax.
TypeId parseType(TextLexer &lexer, Context &context);

/// Parses a device such as "cuda:0".
Device parseDevice(std::string_view text, Context &context);

/// Parses an expression, which ends where TextLexer::takeExpression() ends it; nullopt after an error.
std::optional<symbolic::Expr> parseExpression(TextLexer &lexer);

} // namespace cutaway::ir
