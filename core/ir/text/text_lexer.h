// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::ir {

/// Whether a name can stand in the textual form without quotes.
bool isBareName(std::string_view name);
/// Whether a part of an operator's name needs no quotes: it has no dots; the dialect may have them.
bool isBarePart(std::string_view name);

/// The lexer of the textual form; skips spaces and `//` comments. After the first error it is at the end of the text
/// and every take…() returns an empty value, so that callers return without checks; loops check failed().
class TextLexer {
public:
    explicit TextLexer(std::string_view text) : m_text(text) { }

    bool failed() const { return m_error.has_value(); }
    /// The first error; its location is "line L, column C".
    const std::optional<Error> &error() const { return m_error; }
    void failWith(std::string message);
    void failWith(std::string message, std::size_t position);
    /// "found 'x' where `wanted` is expected"
    void fail(std::string_view wanted);

    std::size_t position();
    bool atEnd();
    char peek();
    bool startsWith(std::string_view symbol);
    bool accept(std::string_view symbol);
    /// Accepts the symbol only without a space before it.
    bool acceptAdjacent(std::string_view symbol);
    void expect(std::string_view symbol);
    /// The word at this position, not taken; empty if there is none.
    std::string_view peekWord();
    bool acceptWord(std::string_view word);

    std::string takeText();          ///< "a quoted text"
    std::string takeName();          ///< a bare or quoted name
    std::string takePart(bool dots); ///< a part of an operator's name
    std::string_view takeNumber();   ///< digits of a number, or inf or nan
    /// Accepts a decimal integer before a `,`, `)` or `]`, as most expressions are.
    std::optional<std::int64_t> acceptDigits();
    std::string_view takeExpression(); ///< up to a `,`, `)` or `]` outside its own brackets and backquotes
    /// Takes a name and the following `symbol`; takes nothing if the symbol is missing.
    std::optional<std::string> acceptNameBefore(std::string_view symbol);

    template <std::integral T>
    T takeInteger()
    {
        const std::string_view digits = takeNumber();
        T n{};
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
        if (!failed() && (error != std::errc() || end != digits.data() + digits.size()))
            failWith("the number " + std::string(digits) + " is not an integer of the expected size");
        return failed() ? T{} : n;
    }

private:
    void skipSpace();
    template <class Belongs>
    std::string_view run(Belongs belongs);
    void takeEscape(std::string &out);

    std::string_view m_text;
    std::size_t m_at = 0;
    std::optional<Error> m_error;
};

} // namespace cutaway::ir
