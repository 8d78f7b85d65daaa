// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition.h"

#include <algorithm>
#include <cassert>
#include <charconv>

// The formula of an operator's row, "mul.Tensor(self, tanh(self))", read and made in one go. Halves are computed in
// float32, as PyTorch computes pointwise operators.

namespace cutaway::passes {

namespace {

using D = Decomposition;

class Formula {
public:
    explicit Formula(D &d) : m_d(d), m_rest(d.formula()) { }

    Term made() { return expression(); }

private:
    std::string_view word()
    {
        const auto isPart = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.'
                || c == '-';
        };
        const auto end = std::ranges::find_if_not(m_rest, isPart);
        const std::string_view taken(m_rest.begin(), end);
        m_rest.remove_prefix(taken.size());
        return taken;
    }

    bool take(std::string_view text)
    {
        const bool isNext = m_rest.starts_with(text);
        m_rest.remove_prefix(isNext ? text.size() : 0);
        return isNext;
    }

    Term expression() { return expressionOf(word()); }

    /// A call, a number or a parameter that begins with this word.
    Term expressionOf(std::string_view begin)
    {
        if (!take("("))
            return leaf(begin);
        std::vector<D::With> arguments;
        do {
            const std::string_view first = word();
            if (take("="))
                arguments.emplace_back(first, expression());
            else
                arguments.emplace_back(expressionOf(first));
        } while (take(", "));
        [[maybe_unused]] const bool isClosed = take(")");
        assert(isClosed);
        return m_d.make(begin, arguments);
    }

    template <class Number>
    static std::optional<Number> number(std::string_view text)
    {
        Number made{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), made);
        return error == std::errc() && end == text.data() + text.size() ? std::optional(made) : std::nullopt;
    }

    Term leaf(std::string_view text)
    {
        if (const auto whole = number<std::int64_t>(text))
            return m_d.term(*whole);
        if (const auto real = number<double>(text))
            return m_d.term(*real);
        const Term argument = m_d[text];
        return m_d.isTensor(argument) ? m_d.widened(argument) : argument;
    }

    D &m_d;
    std::string_view m_rest;
};

} // namespace

Parts madeByFormula(D &d)
{
    const Term made = Formula(d).made();
    return {d.cast(made, d.dtype(d.resultValue()))};
}

} // namespace cutaway::passes
