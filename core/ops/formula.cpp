// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/formula.h"

#include "core/base/formatted.h"
#include "core/ops/operator.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <map>
#include <mutex>
#include <span>

namespace cutaway::ops {

namespace {

using Operation = Expression::Operation;

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Reads a formula from left to right; each level of precedence is a function.
class FormulaReader {
public:
    explicit FormulaReader(std::string_view text) : m_rest(text) { }

    Result<Formula> read()
    {
        Formula formula;
        while (const auto name = partName()) {
            CUTAWAY_TRY(Expression value, choice());
            CUTAWAY_RETURN_IF_ERROR(expect(";"));
            formula.parts.emplace_back(*name, std::move(value));
        }
        CUTAWAY_TRY(formula.results, expressions());
        if (!m_rest.empty())
            return wanted("the end of the formula");
        formula.steps = m_steps;
        return formula;
    }

private:
    using Level = Result<Expression> (FormulaReader::*)();

    // Functions that round nothing and are no steps: questions, choices, cast(), and functions that return Booleans.
    static constexpr std::array<std::string_view, 18> noSteps{
        "where",   "cast",    "isTensor", "isFloating",  "isComplex",  "isSameShape",
        "dtype",   "rank",    "size",     "shape",       "isnan",      "isinf",
        "largest", "refused", "any",      "logical_not", "logical_or", "logical_and"};

    std::unexpected<Error> wanted(std::string_view what) const
    {
        return unreadable(formatted("expected {} in a formula", what), formatted("before '{}'", m_rest));
    }

    void skipBlanks() { m_rest.remove_prefix(std::min(m_rest.find_first_not_of(' '), m_rest.size())); }

    bool take(std::string_view sign)
    {
        const bool isNext = m_rest.starts_with(sign)
            && !(isLetter(sign.back()) && m_rest.size() > sign.size()
                 && (isLetter(m_rest[sign.size()]) || isDigit(m_rest[sign.size()])));
        m_rest.remove_prefix(isNext ? sign.size() : 0);
        skipBlanks();
        return isNext;
    }

    Result<void> expect(std::string_view sign) { return take(sign) ? Result<void>() : wanted(formatted("'{}'", sign)); }

    /// Reads a name, with the overload of an operator after a dot.
    std::string_view word()
    {
        const auto end = std::ranges::find_if_not(m_rest, [](char c) { return isLetter(c) || isDigit(c) || c == '.'; });
        const std::string_view taken(m_rest.begin(), end);
        m_rest.remove_prefix(taken.size());
        skipBlanks();
        return taken;
    }

    /// Reads the name before a single "="; nothing, and nothing is consumed, if there is none.
    std::optional<std::string_view> partName()
    {
        const std::string_view before = m_rest;
        const std::string_view name = !m_rest.empty() && isLetter(m_rest.front()) ? word() : std::string_view();
        if (!name.empty() && !m_rest.starts_with("==") && take("="))
            return name;
        m_rest = before;
        return std::nullopt;
    }

    Result<std::vector<Expression>> expressions()
    {
        std::vector<Expression> all;
        do {
            CUTAWAY_TRY(Expression next, choice());
            all.push_back(std::move(next));
        } while (take(","));
        return all;
    }

    Result<Expression> choice()
    {
        CUTAWAY_TRY(Expression chosen, disjunction());
        if (!take("if"))
            return chosen;
        CUTAWAY_TRY(Expression condition, disjunction());
        std::vector<Expression> branches{std::move(condition), std::move(chosen)};
        if (take("else")) {
            CUTAWAY_TRY(Expression other, choice());
            branches.push_back(std::move(other));
        }
        return Expression{Expression::Choice{std::move(branches)}};
    }

    /// Reads operands of a level, separated by one of the level's signs, and groups them from the left.
    Result<Expression> infix(std::span<const std::string_view> signs, Level operand)
    {
        CUTAWAY_TRY(Expression left, (this->*operand)());
        while (true) {
            const auto sign = std::ranges::find_if(signs, [this](std::string_view each) { return take(each); });
            if (sign == signs.end())
                return left;
            CUTAWAY_TRY(Expression right, (this->*operand)());
            m_steps += std::string_view("+-*/").contains(sign->front());
            std::vector<Expression> operands{std::move(left), std::move(right)};
            left = Expression{Operation{*sign, std::move(operands)}};
        }
    }

    Result<Expression> disjunction()
    {
        static constexpr std::array<std::string_view, 1> signs{"or"};
        return infix(signs, &FormulaReader::conjunction);
    }

    Result<Expression> conjunction()
    {
        static constexpr std::array<std::string_view, 1> signs{"and"};
        return infix(signs, &FormulaReader::negation);
    }

    Result<Expression> prefixed(std::string_view sign, Level operand)
    {
        CUTAWAY_TRY(Expression value, (this->*operand)());
        std::vector<Expression> operands{std::move(value)};
        return Expression{Operation{sign, std::move(operands)}};
    }

    Result<Expression> negation() { return take("not") ? prefixed("not", &FormulaReader::negation) : comparison(); }

    Result<Expression> comparison()
    {
        static constexpr std::array<std::string_view, 7> signs{"==", "!=", "<=", ">=", "<", ">", "is"};
        return infix(signs, &FormulaReader::sum);
    }

    Result<Expression> sum()
    {
        static constexpr std::array<std::string_view, 2> signs{"+", "-"};
        return infix(signs, &FormulaReader::product);
    }

    Result<Expression> product()
    {
        static constexpr std::array<std::string_view, 3> signs{"*", "//", "/"};
        return infix(signs, &FormulaReader::negative);
    }

    Result<Expression> negative() { return take("-") ? prefixed("-", &FormulaReader::negative) : atom(); }

    Result<Expression> atom()
    {
        if (take("(")) {
            CUTAWAY_TRY(Expression inner, choice());
            CUTAWAY_RETURN_IF_ERROR(expect(")"));
            return inner;
        }
        if (take("["))
            return list();
        if (m_rest.starts_with('\''))
            return quoted();
        if (!m_rest.empty() && isDigit(m_rest.front()))
            return number();
        if (m_rest.empty() || !isLetter(m_rest.front()))
            return wanted("an operand");
        const std::string_view name = word();
        return take("(") ? call(name) : Expression{Expression::Word{name}};
    }

    Result<Expression> list()
    {
        Expression::List items;
        if (take("]"))
            return Expression{std::move(items)};
        CUTAWAY_TRY(items.items, expressions());
        CUTAWAY_RETURN_IF_ERROR(expect("]"));
        return Expression{std::move(items)};
    }

    Result<Expression> quoted()
    {
        const std::size_t end = m_rest.find('\'', 1);
        if (end == m_rest.npos)
            return wanted("a text that ends");
        const std::string_view text = m_rest.substr(1, end - 1);
        m_rest.remove_prefix(end + 1);
        skipBlanks();
        return Expression{Expression::Text{text}};
    }

    template <class Number>
    Result<Expression> numberOf(std::size_t length)
    {
        Number made{};
        std::from_chars(m_rest.data(), m_rest.data() + length, made);
        m_rest.remove_prefix(length);
        skipBlanks();
        return Expression{made};
    }

    Result<Expression> number()
    {
        double real = 0;
        std::int64_t integer = 0;
        const char *end = m_rest.data() + m_rest.size();
        const auto asReal = std::from_chars(m_rest.data(), end, real);
        const auto asInteger = std::from_chars(m_rest.data(), end, integer);
        const auto length = static_cast<std::size_t>(asReal.ptr - m_rest.data());
        return asReal.ptr == asInteger.ptr ? numberOf<std::int64_t>(length) : numberOf<double>(length);
    }

    Result<Expression> call(std::string_view function)
    {
        Expression::Call made{function, {}, 0};
        if (!take(")")) {
            do {
                const auto parameter = partName();
                CUTAWAY_TRY(Expression value, choice());
                made.arguments.emplace_back(parameter.value_or(""), std::move(value));
            } while (take(","));
            CUTAWAY_RETURN_IF_ERROR(expect(")"));
        }
        m_steps += !std::ranges::contains(noSteps, function);
        if (take("[")) {
            CUTAWAY_TRY(const Expression position, number());
            made.result = static_cast<std::size_t>(std::get<std::int64_t>(position.value));
            CUTAWAY_RETURN_IF_ERROR(expect("]"));
        }
        return Expression{std::move(made)};
    }

    std::string_view m_rest;
    std::size_t m_steps = 0;
};

} // namespace

Result<Formula> parseFormula(std::string_view text) { return FormulaReader(text).read(); }

const Formula &formulaOf(const Operator &row)
{
    static std::mutex mutex;
    // In a map, references to formulas stay valid when others are added.
    static std::map<const Operator *, Formula> known;
    const std::scoped_lock lock(mutex);
    const auto found = known.find(&row);
    if (found != known.end())
        return found->second;
    auto read = parseFormula(row.traits.formula);
    assert(read && "a row has a formula that cannot be read");
    return known.emplace(&row, std::move(*read)).first->second;
}

} // namespace cutaway::ops
