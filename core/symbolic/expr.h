// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/symbolic/range.h"

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::symbolic {

/// The kind of an expression's root. Comparisons and logical operators occur in symbolic Booleans.
enum class Kind : std::uint8_t {
    Integer,
    Float,
    Boolean,
    Symbol,
    Add,
    Multiply,
    Power,
    FloorDivide,
    CeilDivide,
    TrueDivide,
    Modulo,
    Minimum,
    Maximum,
    Absolute,
    ToFloat,
    Floor,
    Ceiling,
    Truncate,
    Round,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Not,
    Call, ///< an unknown function, by name; it cannot be evaluated
};

/// An immutable expression over integers and symbols, as exporters record sizes: `2*s0 + 1`, `Max(1, u0)`. It is
/// cheap to copy: copies share the tree.
class Expr {
public:
    // Not inline: expressions are used everywhere, and inlined reference counting is a lot of code.
    Expr(const Expr &other);
    Expr(Expr &&) noexcept = default;
    Expr &operator=(const Expr &other);
    Expr &operator=(Expr &&) noexcept = default;
    ~Expr();

    static Expr integer(std::int64_t n);
    static Expr floating(double x);
    static Expr boolean(bool b);
    /// Makes a symbol that is only known to be an integer.
    static Expr symbol(std::string name);
    /// Makes a symbol in `range`, on which make() relies. Symbols of one name are equal whatever their ranges.
    static Expr symbol(std::string name, Range range);
    /// Makes an expression in a light normal form that does not change its value: constants are folded unless that
    /// overflows; sums and products are flat and ordered, and equal terms in them are collected; divisions,
    /// remainders, minima and maxima are shortened as far as divisibility and the ranges of symbols allow. The number
    /// of operands must fit the kind (asserted).
    static Expr make(Kind kind, std::vector<Expr> operands);
    static Expr call(std::string name, std::vector<Expr> operands);

    Kind kind() const;
    std::int64_t integerValue() const; ///< only for an Integer, or a Boolean, which is 0 or 1
    double floatValue() const;         ///< only for a Float
    const std::string &name() const;   ///< only for a Symbol or a Call
    const std::vector<Expr> &operands() const;
    /// Returns the height of the tree; parse() refuses more than 200.
    std::uint32_t depth() const;
    /// Returns the range of the value; all integers if the expression or one of its operands may be a float.
    const Range &range() const;
    /// Whether the expression is a symbol that was made with a range.
    bool hasRange() const;
    /// Whether the value cannot be a float. Symbols count as integers.
    bool isIntegral() const;
    /// Whether the expression is a number or a Boolean.
    bool isConstant() const { return kind() <= Kind::Boolean; }

    bool operator==(const Expr &other) const;
    /// Returns the address of the shared tree: it is the same for copies while one of them lives. Equal expressions
    /// may have different identities.
    const void *identity() const { return m_tree.get(); }

private:
    struct Tree;
    friend void intrusive_ptr_add_ref(const Tree *tree); // NOLINT(readability-identifier-naming): Boost's names
    friend void intrusive_ptr_release(const Tree *tree); // NOLINT(readability-identifier-naming): as above
    friend Expr makeTree(Kind kind, std::vector<Expr> operands, std::string name);
    explicit Expr(boost::intrusive_ptr<const Tree> tree);
    boost::intrusive_ptr<const Tree> m_tree;
};

/// Reads infix text (`((s0 - 1)//2) + 1`, `Mod(s0, 8)`, backquoted symbols `` `seq len` ``) and sympy's srepr
/// (`Add(Symbol('s77', positive=True, integer=True), Integer(1))`). Errors: what is wrong, with its column; nesting
/// deeper than 200.
Result<Expr> parse(std::string_view text);

/// Prints infix text in the syntax that parse() reads and reports use: integers, symbols, `+ - * / // % **`, brackets,
/// lower-case functions `max min ceildiv abs floor ceil trunc roundtoint tofloat`; comparisons and `and or not` as in
/// Python. A symbol that is not an identifier is backquoted, unless it is the whole expression.
std::string print(const Expr &expr);

/// Prints so that parse() returns an equal expression: every symbol that is not an identifier is backquoted.
std::string printParsable(const Expr &expr);

} // namespace cutaway::symbolic
