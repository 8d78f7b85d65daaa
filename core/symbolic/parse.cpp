// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One recursive parser for both notations, which differ only in their function names:
//   or      := and { ("or" | "|") and }            product := sign { ("*" | "/" | "//" | "%") sign }
//   and     := not { ("and" | "&") not }           sign    := "-" sign | "+" sign | power
//   not     := ("not" | "~") not | compare         power   := primary [ "**" sign ]
//   compare := sum [ ("==" | "<" | …) sum ]        primary := number | name | call | "(" or ")"
//   sum     := product { ("+" | "-") product }     call    := name "(" [ argument { "," argument } ] ")"
//   argument := or | text | name "=" argument      name    := identifier | "`" anything "`"
// After the first error the parser is at the end of the text, so that all calls return.

#include "core/base/checked.h"
#include "core/base/limits.h"
#include "core/symbolic/expr.h"
#include "core/symbolic/function.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace cutaway::symbolic {

namespace {

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Returns the number that srepr writes as a name, such as `Half`; nothing for other names.
std::optional<Expr> namedConstant(std::string_view head)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (head == "NegativeOne")
        return Expr::integer(-1);
    if (head == "Zero" || head == "One")
        return Expr::integer(head == "One" ? 1 : 0);
    if (head == "Half")
        return Expr::make(Kind::TrueDivide, {Expr::integer(1), Expr::integer(2)});
    if (head == "Infinity" || head == "NegativeInfinity")
        return Expr::floating(head == "Infinity" ? infinity : -infinity);
    if (head == "NaN")
        return Expr::floating(std::numeric_limits<double>::quiet_NaN());
    return std::nullopt;
}

Expr negated(const Expr &e)
{
    const auto negative = [](const Expr &n) { return checkedSubtract<std::int64_t>(0, n.integerValue()); };
    if (e.kind() == Kind::Float)
        return Expr::floating(-e.floatValue());
    if (e.kind() == Kind::Integer && negative(e))
        return Expr::integer(*negative(e));
    if (e.kind() == Kind::Multiply && e.operands()[0].kind() == Kind::Integer && negative(e.operands()[0])) {
        auto factors = e.operands();
        factors[0] = Expr::integer(*negative(factors[0]));
        return Expr::make(Kind::Multiply, std::move(factors));
    }
    return Expr::make(Kind::Multiply, {Expr::integer(-1), e});
}

class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) { }

    Result<Expr> run()
    {
        Expr e = parseOr();
        skipSpace();
        if (m_at < m_text.size())
            fail("an operator");
        if (m_error)
            return std::unexpected(*m_error);
        return e;
    }

private:
    // ---- text

    void skipSpace()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == '\n'))
            ++m_at;
    }

    char peek()
    {
        skipSpace();
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }

    std::string_view rest() const { return m_text.substr(m_at); }

    bool accept(std::string_view symbol)
    {
        skipSpace();
        if (!rest().starts_with(symbol))
            return false;
        m_at += symbol.size();
        return true;
    }

    /// Accepts a one-character operator, unless it begins a longer one.
    bool acceptSingle(char c, char notBefore)
    {
        if (peek() != c || (m_at + 1 < m_text.size() && m_text[m_at + 1] == notBefore))
            return false;
        ++m_at;
        return true;
    }

    bool acceptWord(std::string_view word)
    {
        skipSpace();
        const std::string_view after = rest().starts_with(word) ? rest().substr(word.size()) : "a";
        if (!after.empty() && (isNameStart(after[0]) || isDigit(after[0])))
            return false;
        m_at += word.size();
        return true;
    }

    Expr failTooDeep()
    {
        return failWith("the expression is nested more than " + std::to_string(limits::maxNesting) + " deep");
    }

    Expr failWith(std::string message)
    {
        if (!m_error)
            m_error = Error{ErrorKind::Unreadable, std::move(message), "column " + std::to_string(m_at + 1)};
        m_at = m_text.size();
        return Expr::integer(0);
    }

    Expr fail(std::string_view wanted)
    {
        const std::string found = peek() == '\0' ? "the end" : "'" + std::string(rest().substr(0, 12)) + "'";
        return failWith("the expression has " + found + " where " + std::string(wanted) + " is expected");
    }

    void expect(std::string_view symbol)
    {
        if (!m_error && !accept(symbol))
            fail("'" + std::string(symbol) + "'");
    }

    /// Calls Expr::make() for operands from the file, after checks of their number and the depth.
    Expr make(Kind kind, std::vector<Expr> operands)
    {
        if (m_error || !arityOf(kind).holds(operands.size()))
            return failWith("a function has " + std::to_string(operands.size()) + " operands, which does not fit it");
        Expr e = Expr::make(kind, std::move(operands));
        return e.depth() > limits::maxNesting ? failTooDeep() : e;
    }

    // ---- operators

    Expr parseOr()
    {
        if (++m_depth > limits::maxNesting)
            return failTooDeep();
        std::vector<Expr> operands{parseAnd()};
        while (acceptWord("or") || accept("|"))
            operands.push_back(parseAnd());
        --m_depth;
        return operands.size() == 1 ? operands[0] : make(Kind::Or, std::move(operands));
    }

    Expr parseAnd()
    {
        std::vector<Expr> operands{parseNot()};
        while (acceptWord("and") || accept("&"))
            operands.push_back(parseNot());
        return operands.size() == 1 ? operands[0] : make(Kind::And, std::move(operands));
    }

    Expr parseNot()
    {
        if (!acceptWord("not") && !accept("~"))
            return parseComparison();
        if (++m_depth > limits::maxNesting)
            return failTooDeep();
        Expr operand = parseNot();
        --m_depth;
        return make(Kind::Not, {std::move(operand)});
    }

    std::optional<Kind> acceptComparison()
    {
        static constexpr std::pair<std::string_view, Kind> operators[] = {
            {"==", Kind::Equal},        {"!=", Kind::NotEqual}, {"<=", Kind::LessEqual},
            {">=", Kind::GreaterEqual}, {"<", Kind::Less},      {">", Kind::Greater},
        };
        for (const auto &[text, kind] : operators)
            if (accept(text))
                return kind;
        return std::nullopt;
    }

    Expr parseComparison()
    {
        Expr left = parseSum();
        const auto kind = acceptComparison();
        return kind ? make(*kind, {std::move(left), parseSum()}) : left;
    }

    Expr parseSum()
    {
        // All terms are added at once, not pairwise, so that overflows do not depend on their order.
        std::vector<Expr> terms{parseProduct()};
        while (true) {
            if (accept("+"))
                terms.push_back(parseProduct());
            else if (accept("-"))
                terms.push_back(negated(parseProduct()));
            else
                return terms.size() == 1 ? terms[0] : make(Kind::Add, std::move(terms));
        }
    }

    std::optional<Kind> acceptProductOperator()
    {
        if (accept("//"))
            return Kind::FloorDivide;
        if (accept("/"))
            return Kind::TrueDivide;
        if (accept("%"))
            return Kind::Modulo;
        return acceptSingle('*', '*') ? std::optional(Kind::Multiply) : std::nullopt;
    }

    Expr parseProduct()
    {
        std::vector<Expr> factors{parseSign()};
        const auto product = [&] {
            return factors.size() == 1 ? factors[0] : make(Kind::Multiply, std::exchange(factors, {}));
        };
        while (const auto kind = acceptProductOperator()) {
            Expr right = parseSign();
            if (*kind == Kind::Multiply)
                factors.push_back(std::move(right));
            else
                factors = {make(*kind, {product(), std::move(right)})};
        }
        return product();
    }

    Expr parseSign()
    {
        const bool minus = peek() == '-';
        if (!minus && peek() != '+')
            return parsePower();
        ++m_at;
        if (++m_depth > limits::maxNesting)
            return failTooDeep();
        // A negative literal is one number (the smallest integer has no positive counterpart), but -2**n is -(2**n).
        const bool isNumber = isDigit(peek());
        const std::size_t start = m_at;
        Expr e = isNumber ? parseNumber(minus) : parseSign();
        const bool isBase = isNumber && peek() == '*' && rest().starts_with("**");
        if (isBase) {
            m_at = start;
            e = parsePower();
        }
        --m_depth;
        return minus && (isBase || !isNumber) ? negated(e) : e;
    }

    Expr parsePower()
    {
        Expr base = parsePrimary();
        if (!accept("**"))
            return base;
        if (++m_depth > limits::maxNesting)
            return failTooDeep();
        Expr exponent = parseSign();
        --m_depth;
        return make(Kind::Power, {std::move(base), std::move(exponent)});
    }

    // ---- operands

    Expr parsePrimary()
    {
        const char c = peek();
        if (isDigit(c) || c == '.')
            return parseNumber(false);
        if (c == '`' || isNameStart(c))
            return parseName();
        if (!accept("("))
            return fail("a number, a symbol or a bracket");
        Expr e = parseOr();
        expect(")");
        return e;
    }

    Expr parseNumber(bool negative)
    {
        skipSpace();
        std::size_t end = m_at;
        while (end < m_text.size() && isDigit(m_text[end]))
            ++end;
        const bool isFloat = end < m_text.size() && (m_text[end] == '.' || m_text[end] == 'e' || m_text[end] == 'E');
        return isFloat ? parseFloat(negative) : parseInteger(std::string(m_text.substr(m_at, end - m_at)), negative);
    }

    Expr parseInteger(const std::string &digits, bool negative)
    {
        const std::string number = (negative ? "-" : "") + digits;
        std::int64_t n = 0;
        if (std::from_chars(number.data(), number.data() + number.size(), n).ec != std::errc())
            return failWith("the number " + number.substr(0, 40) + " is out of 64 bits");
        m_at += digits.size();
        return Expr::integer(n);
    }

    Expr parseFloat(bool negative)
    {
        double x = 0;
        const auto [end, error] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), x);
        if (error != std::errc())
            return fail("a number");
        m_at = static_cast<std::size_t>(end - m_text.data());
        return Expr::floating(negative ? -x : x);
    }

    Expr parseName()
    {
        const bool backquoted = peek() == '`';
        std::string name = backquoted ? takeBackquoted() : takeName();
        if (accept("("))
            return parseCall(std::move(name), backquoted);
        if (!backquoted && (name == "True" || name == "False" || name == "true" || name == "false"))
            return Expr::boolean(name == "True" || name == "true");
        if (!backquoted && (name == "and" || name == "or" || name == "not"))
            return failWith("the expression has '" + name + "' where a symbol is expected");
        return Expr::symbol(std::move(name));
    }

    std::string takeName()
    {
        const std::size_t start = m_at;
        while (m_at < m_text.size() && (isNameStart(m_text[m_at]) || isDigit(m_text[m_at]) || m_text[m_at] == '.'))
            ++m_at;
        return std::string(m_text.substr(start, m_at - start));
    }

    /// Takes a backquoted name, in which backquotes are doubled.
    std::string takeBackquoted()
    {
        std::string name;
        ++m_at;
        while (m_at < m_text.size()) {
            const char c = m_text[m_at++];
            if (c == '`' && !rest().starts_with('`'))
                return name;
            m_at += c == '`' ? 1 : 0;
            name += c;
        }
        fail("a closing '`'");
        return name;
    }

    /// Takes a Python string literal with the escapes that repr() writes for names.
    std::string takeText()
    {
        const char quote = m_text[m_at++];
        std::string text;
        while (m_at < m_text.size() && m_text[m_at] != quote) {
            if (m_text[m_at] == '\\' && m_at + 1 < m_text.size())
                ++m_at;
            text += m_text[m_at++];
        }
        expect(std::string_view(&quote, 1));
        return text;
    }

    // ---- calls

    struct Arguments {
        std::vector<Expr> operands;
        std::optional<std::string> text; ///< the first argument that is a string literal
    };

    void skipKeyword()
    {
        const std::size_t start = m_at;
        if (isNameStart(peek())) {
            takeName();
            if (acceptSingle('=', '='))
                return;
        }
        m_at = start;
    }

    Arguments parseArguments()
    {
        Arguments arguments;
        while (!m_error && !accept(")")) {
            skipSpace();
            const std::size_t start = m_at;
            skipKeyword();
            const bool keyword = m_at != start;
            if (peek() == '\'' || peek() == '"') {
                std::string text = takeText();
                arguments.text = keyword ? arguments.text : arguments.text.value_or(std::move(text));
            } else {
                Expr e = parseOr();
                if (!keyword)
                    arguments.operands.push_back(std::move(e));
            }
            if (!m_error && peek() != ')')
                expect(",");
        }
        return arguments;
    }

    Expr parseCall(std::string name, bool backquoted)
    {
        if (++m_depth > limits::maxNesting)
            return failTooDeep();
        Arguments arguments = parseArguments();
        --m_depth;
        if (m_error)
            return Expr::integer(0);
        if (backquoted)
            return call(std::move(name), std::move(arguments.operands));
        const std::string head = name.substr(name.rfind('.') + 1); // the last part of a qualified name
        if (const auto kind = kindOfFunction(head))
            return head == "Mul" ? product(arguments.operands) : make(*kind, std::move(arguments.operands));
        if (isKnownFunction(head))
            return parseConstant(head, arguments);
        return arguments.text ? fail("an expression instead of a text")
                              : call(std::move(name), std::move(arguments.operands));
    }

    Expr call(std::string name, std::vector<Expr> operands)
    {
        Expr e = Expr::call(std::move(name), std::move(operands));
        return e.depth() > limits::maxNesting ? failTooDeep() : e;
    }

    Expr parseConstant(const std::string &head, const Arguments &arguments)
    {
        const std::vector<Expr> &operands = arguments.operands;
        if (head == "Symbol" || head == "Dummy")
            return arguments.text ? Expr::symbol(*arguments.text) : fail("a symbol's name in quotes");
        if (head == "Float" && arguments.text)
            return floatOf(*arguments.text);
        if (const auto constant = namedConstant(head); constant && operands.empty())
            return *constant;
        if (head == "Rational" && operands.size() == 2)
            return make(Kind::TrueDivide, operands);
        if (operands.size() != 1)
            return failWith("'" + head + "' has " + std::to_string(operands.size())
                            + " operands, which does not fit it");
        if (head == "TruncToFloat")
            return make(Kind::ToFloat, {make(Kind::Truncate, operands)});
        return operands[0]; // Integer, Float with a number, and Identity mean their operand
    }

    Expr floatOf(const std::string &text)
    {
        double x = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
        if (error != std::errc() || end != text.data() + text.size())
            return failWith("the number '" + text.substr(0, 40) + "' cannot be read");
        return Expr::floating(x);
    }

    /// sympy writes a quotient as a product with powers of exponent -1 and rationals. One division keeps it exact.
    Expr product(const std::vector<Expr> &factors)
    {
        std::vector<Expr> numerator, denominator;
        for (const Expr &f : factors) {
            const bool reciprocal = f.kind() == Kind::Power && f.operands()[1].kind() == Kind::Integer
                && f.operands()[1].integerValue() < 0;
            const bool quotient = f.kind() == Kind::TrueDivide;
            if (reciprocal)
                denominator.push_back(make(Kind::Power, {f.operands()[0], negated(f.operands()[1])}));
            else
                numerator.push_back(quotient ? f.operands()[0] : f);
            if (quotient)
                denominator.push_back(f.operands()[1]);
        }
        if (numerator.empty())
            numerator.push_back(Expr::integer(1));
        Expr top = make(Kind::Multiply, std::move(numerator));
        return denominator.empty()
            ? top
            : make(Kind::TrueDivide, {std::move(top), make(Kind::Multiply, std::move(denominator))});
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::optional<Error> m_error;
};

} // namespace

Result<Expr> parse(std::string_view text) { return Parser(text).run(); }

} // namespace cutaway::symbolic
