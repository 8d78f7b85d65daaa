// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/symbolic/expr.h"
#include "core/symbolic/function.h"
#include "core/symbolic/tree.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cutaway::symbolic {

namespace {

/// The precedences of operators, from the lowest to the highest. An operand is bracketed if its precedence is lower
/// than that of its context.
enum Precedence { OrLevel, AndLevel, NotLevel, CompareLevel, SumLevel, ProductLevel, SignLevel, PowerLevel, AtomLevel };

std::string backquoted(std::string_view name)
{
    std::string out = "`";
    for (const char c : name)
        out.append(c == '`' ? 2 : 1, c);
    return out += '`';
}

/// Whether a symbol needs no quotes: it consists of identifiers separated by dots, of which those after the first may
/// begin with a digit.
bool isPlainSymbol(std::string_view name)
{
    const auto isOfName = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    };
    return isIdentifier(name.substr(0, name.find('.'))) && std::ranges::all_of(name, isOfName) && name.back() != '.';
}

std::string floatText(double x)
{
    if (std::isnan(x))
        return "NaN()";
    if (std::isinf(x))
        return x > 0 ? "Infinity()" : "NegativeInfinity()";
    char buffer[32];
    const auto end = std::to_chars(buffer, std::end(buffer), x).ptr;
    std::string out(buffer, end);
    return out.find_first_of(".e") == out.npos ? out + ".0" : out;
}

bool hasSign(const Expr &constant)
{
    return constant.kind() == Kind::Float ? std::signbit(constant.floatValue()) && std::isfinite(constant.floatValue())
                                          : constant.integerValue() < 0;
}

Precedence precedenceOf(const Expr &e)
{
    if (e.isConstant())
        return hasSign(e) ? SignLevel : AtomLevel;
    if (isConnective(e.kind()) && e.operands().size() == 1) // `and` or `or` with one operand is printed as a function
        return AtomLevel;
    if (isComparison(e.kind()))
        return CompareLevel;
    switch (e.kind()) {
    case Kind::Add:
        return SumLevel;
    case Kind::Multiply:
    case Kind::FloorDivide:
    case Kind::TrueDivide:
    case Kind::Modulo:
        return ProductLevel;
    case Kind::Power:
        return PowerLevel;
    case Kind::And:
        return AndLevel;
    case Kind::Or:
        return OrLevel;
    case Kind::Not:
        return NotLevel;
    default:
        return AtomLevel;
    }
}

std::string_view infix(Kind kind)
{
    switch (kind) {
    case Kind::FloorDivide:
        return "//";
    case Kind::TrueDivide:
        return "/";
    case Kind::Modulo:
        return " % ";
    case Kind::Power:
        return "**";
    case Kind::Equal:
        return " == ";
    case Kind::NotEqual:
        return " != ";
    case Kind::Less:
        return " < ";
    case Kind::LessEqual:
        return " <= ";
    case Kind::Greater:
        return " > ";
    case Kind::GreaterEqual:
        return " >= ";
    case Kind::And:
        return " and ";
    default:
        return " or ";
    }
}

class Printer {
public:
    std::string take() { return std::move(m_out); }

    void print(const Expr &e, Precedence least)
    {
        const bool bracket = precedenceOf(e) < least;
        m_out += bracket ? "(" : "";
        printBare(e);
        m_out += bracket ? ")" : "";
    }

private:
    void printBare(const Expr &e)
    {
        switch (e.kind()) {
        case Kind::Integer:
            m_out += std::to_string(e.integerValue());
            break;
        case Kind::Float:
            m_out += floatText(e.floatValue());
            break;
        case Kind::Boolean:
            m_out += e.integerValue() ? "True" : "False";
            break;
        case Kind::Symbol:
            m_out += isPlainSymbol(e.name()) ? e.name() : backquoted(e.name());
            break;
        case Kind::Add:
            printSum(e);
            break;
        case Kind::Multiply:
            printProduct(e, hasPlainSign(e));
            break;
        case Kind::Not:
            m_out += "not ";
            print(e.operands()[0], NotLevel);
            break;
        default:
            printOperator(e);
        }
    }

    void printOperator(const Expr &e)
    {
        const Precedence level = precedenceOf(e);
        if (level == AtomLevel)
            return printCall(e);
        // Operands with the same precedence are bracketed, and so are operands of a quotient that have a sign.
        const auto least = static_cast<Precedence>(level == ProductLevel ? PowerLevel : level + 1);
        for (const Expr &operand : e.operands()) {
            if (&operand != &e.operands()[0])
                m_out += infix(e.kind());
            print(operand, least);
        }
    }

    void printCall(const Expr &e)
    {
        if (e.kind() == Kind::Call)
            m_out += isIdentifier(e.name()) && !isKnownFunction(e.name()) ? e.name() : backquoted(e.name());
        else
            m_out += e.kind() == Kind::And ? "And" : e.kind() == Kind::Or ? "Or" : functionName(e.kind());
        m_out += '(';
        for (const Expr &operand : e.operands()) {
            m_out += &operand == &e.operands()[0] ? "" : ", ";
            print(operand, OrLevel);
        }
        m_out += ')';
    }

    void printSum(const Expr &e)
    {
        for (const Expr &term : e.operands()) {
            const bool first = &term == &e.operands()[0];
            const bool minus = !first && isNegative(term);
            m_out += first ? "" : minus ? " - " : " + ";
            if (minus && term.kind() == Kind::Integer)
                m_out += std::to_string(-term.integerValue());
            else if (minus)
                printProduct(term, true, true);
            else
                print(term, ProductLevel);
        }
    }

    /// Whether a leading factor of -1 can be written as a sign, so that parsing makes it that factor again.
    static bool hasPlainSign(const Expr &product)
    {
        const auto &o = product.operands();
        const bool one = o[0].kind() == Kind::Integer && o[0].integerValue() == -1;
        return one && o[1].kind() != Kind::Integer
            && (o.size() == 2 ? o[1].kind() != Kind::Multiply : product.isIntegral());
    }

    /// Whether a term of a sum can be written after a minus instead of a plus.
    static bool isNegative(const Expr &term)
    {
        const auto negative = [](const Expr &e) {
            return e.kind() == Kind::Integer && e.integerValue() < 0 && e.integerValue() != INT64_MIN;
        };
        if (term.kind() != Kind::Multiply)
            return negative(term);
        const auto &o = term.operands();
        return negative(o[0]) && o[1].kind() != Kind::Integer && (o[0].integerValue() != -1 || hasPlainSign(term));
    }

    /// Prints a product. `plainSign` writes a leading -1 as a sign; `positive` omits the sign of the first factor.
    void printProduct(const Expr &e, bool plainSign, bool positive = false)
    {
        const auto &o = e.operands();
        std::size_t i = 0;
        if (o[0].kind() == Kind::Integer) { // only the first factor may be negative without brackets
            const std::string number = std::to_string(o[0].integerValue());
            const bool one = plainSign && o[0].integerValue() == -1;
            m_out += one ? (positive ? "" : "-") : number.substr(positive ? 1 : 0) + "*";
            i = 1;
        }
        for (; i < o.size(); ++i) {
            print(o[i], PowerLevel);
            m_out += i + 1 < o.size() ? "*" : "";
        }
    }

    std::string m_out;
};

} // namespace

std::string printParsable(const Expr &expr)
{
    Printer printer;
    printer.print(expr, OrLevel);
    return printer.take();
}

std::string print(const Expr &expr) { return expr.kind() == Kind::Symbol ? expr.name() : printParsable(expr); }

} // namespace cutaway::symbolic
