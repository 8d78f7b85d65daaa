// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/syntax.h"

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace cutaway::formats::graph_text {

using python::ExpressionId;

/// `name: type = value`, or without a type
struct Definition {
    std::string_view name;
    std::optional<ExpressionId> type;
    ExpressionId value;
};

/// `name: type`
struct Declaration {
    std::string_view name;
    ExpressionId type;
};

/// `a, b, = value`
struct Unpacking {
    std::vector<std::string_view> names;
    ExpressionId value;
};

/// `x += value`, or `x[i] = value`, whose operator is empty
struct Change {
    ExpressionId target;
    std::string_view op;
    ExpressionId value;
};

/// `return value`
struct Returned {
    std::optional<ExpressionId> value;
};

/// `a = b = None`, or an expression whose value nothing reads.
struct NoDefinition { };

/// A statement of a graph's code, and the tree with its expressions.
struct Statement {
    std::variant<NoDefinition, Definition, Declaration, Unpacking, Change, Returned> what;
    python::Tree tree;
    std::vector<python::Comment> comments; ///< the comments, which are views of the tree's source
};

/// Parses a statement. Throws Unusable: what was found and what was expected, with line and column in the statement.
Statement parseStatement(std::string_view text);

/// An expression that stands alone, and its tree. For `isListing` see PrintedGraph.
struct ParsedExpression {
    python::Tree tree;
    ExpressionId root;
};
ParsedExpression parseExpression(std::string_view text, bool isListing);

/// The arguments of `def forward(self, …):` without `self`. After a syntax error the arguments before it are kept,
/// and `error` is its message.
struct Header {
    std::vector<python::Parameter> parameters;
    python::Tree tree;
    std::vector<python::Comment> comments;
    std::optional<std::string> error;
};
Header parseHeader(std::string_view text);

/// Returns the text of a comment without its "#".
std::string_view withoutHash(std::string_view comment);
/// Returns the comment after an item that ends at `end`, on the same line of the source; "" if there is none.
std::string_view commentBehind(std::string_view source, std::size_t end, std::span<const python::Comment> comments);
/// Returns a type without quotes, as a view of the tree's source.
std::string_view typeText(const python::Tree &tree, ExpressionId type);

/// Returns the name that a statement begins with (`name =`, `name:`), even if the rest cannot be read; "" if none.
std::string_view nameDefinedBy(std::string_view statement);

} // namespace cutaway::formats::graph_text
