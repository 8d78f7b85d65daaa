// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/query/pattern.h"
#include "core/query/property.h"
#include "core/query/shape_pattern.h"

#include <expected>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cutaway::query {

/// A text somewhere in the operator, the names or the path of the module, ignoring case.
struct Word {
    Pattern pattern;
    bool operator==(const Word &) const = default;
};

/// A pattern for the whole text of a property, ignoring case.
struct TextMatch {
    Property property;
    Pattern pattern;
    bool operator==(const TextMatch &) const = default;
};

/// A comparison of a figure with a number in the figure's basic unit.
struct Comparison {
    enum class Sign : std::uint8_t { Less, LessEqual, Equal, NotEqual, GreaterEqual, Greater };
    Property figure;
    Sign sign;
    double number;
    bool operator==(const Comparison &) const = default;
};

/// A condition on the value that a column of the node data has for a node: the whole text, ignoring case, or a number.
/// Names of columns are compared with case.
struct DataMatch {
    struct Number {
        Comparison::Sign sign;
        double number;
        bool operator==(const Number &) const = default;
    };
    std::string column;
    std::variant<Pattern, Number> wanted;
    bool operator==(const DataMatch &) const = default;
};

/// A relation to the values and nodes with this name, which is in the file's spelling.
struct Relation {
    Property relation;
    Pattern name;
    Pattern last = {}; ///< for Between: the pattern of the path's end
    bool operator==(const Relation &) const = default;
};

/// A property that a node either has or does not have: `dead`.
struct Flag {
    Property property;
    bool operator==(const Flag &) const = default;
};

using Term = std::variant<Word, TextMatch, ShapePattern, Comparison, DataMatch, Relation, Flag>;

/// A term, or an operator with its operands: one operand for Not and Has, two or more for the others. Has is true of a
/// model if one of its nodes matches.
struct Expression {
    enum class Kind : std::uint8_t { Term, Not, And, Or, Has };
    Kind kind = Kind::Term;
    Term term = {};
    std::vector<Expression> operands = {};
    bool operator==(const Expression &) const = default;
};

/// The position of the mistake in a text that is no query, and the reason. The message starts in lower case and has no
/// full stop.
struct Mistake {
    std::string message;
    std::size_t at = 0;     ///< in bytes from the beginning
    std::size_t length = 1; ///< in bytes; 1 past the end of the text
    bool operator==(const Mistake &) const = default;
};

/// Parses a query; the grammar is in docs/query.md. In a query about models, the parts about nodes are in a Has.
std::expected<Expression, Mistake> parse(std::string_view text, Subject subject = Subject::Node);

/// Returns "expected a number (column 7)".
std::string printMistake(std::string_view text, const Mistake &mistake);
/// Returns the text and, in a line below it, carets under the mistake; both are indented.
std::string markedText(std::string_view text, const Mistake &mistake);

/// Returns a text that matches exactly this name: in quotes if it needs them.
std::string quotedName(std::string_view name);

/// Whether the expression asks for a property, also inside a Has.
bool uses(const Expression &expression, Property property);
/// Returns the properties that the expression asks for, each once, in their order.
std::vector<Property> propertiesIn(const Expression &expression);
/// Returns the columns of the node data that the expression asks for, each once.
std::vector<std::string> columnsIn(const Expression &expression);
/// Returns the words of an expression that consists of words joined by and; nothing for others.
std::optional<std::vector<Pattern>> plainWords(const Expression &expression);

} // namespace cutaway::query
