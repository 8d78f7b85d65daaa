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

/// `name: type = value`, or without the type
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

/// `x += value`, or with an empty operator `x[i] = value`
struct Change {
    ExpressionId target;
    std::string_view op;
    ExpressionId value;
};

/// `return value`
struct Returned {
    std::optional<ExpressionId> value;
};

/// `a = b = None`, or an expression whose value nothing reads
struct NoDefinition { };

/// A statement of a graph's code, with the tree that its expressions lie in.
struct Statement {
    std::variant<NoDefinition, Definition, Declaration, Unpacking, Change, Returned> what;
    python::Tree tree;
    std::vector<python::Comment> comments; ///< in the tree's source
};

/// Throws Unusable: what was found and what was expected, with line and column in the statement.
Statement parseStatement(std::string_view text);

/// An expression alone. listing: values are written "%x" (see PrintedGraph).
struct ParsedExpression {
    python::Tree tree;
    ExpressionId root;
};
ParsedExpression parseExpression(std::string_view text, bool isListing);

/// The arguments of `def forward(self, …):` without `self`. Those that stand before an error are kept; `error` is then
/// what is wrong.
struct Header {
    std::vector<python::Parameter> parameters;
    python::Tree tree;
    std::vector<python::Comment> comments;
    std::optional<std::string> error;
};
Header parseHeader(std::string_view text);

/// The text of a comment without its "#".
std::string_view withoutHash(std::string_view comment);
/// The comment behind what ends at `end`, on the same line of the source, or "".
std::string_view commentBehind(std::string_view source, std::size_t end, std::span<const python::Comment> comments);
/// A type as it is written, without quotes: a view of the tree's source.
std::string_view typeText(const python::Tree &tree, ExpressionId type);

/// The name that a statement begins with as `name =` or `name:`, whether or not the rest can be read; or "".
std::string_view nameDefinedBy(std::string_view statement);

} // namespace cutaway::formats::graph_text
