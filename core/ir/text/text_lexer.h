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

/// Whether a name can be written in the textual form without quotes.
bool isBareName(std::string_view name);
/// Whether a part of an operator's name needs no quotes: it must not contain dots, which only the dialect may.
bool isBarePart(std::string_view name);

/// The lexer of the textual form; it skips spaces and `//` comments. After the first error it is at the end of the
/// text, and every take…() returns an empty value, so that callers need no checks; loops check failed().
class TextLexer {
public:
    explicit TextLexer(std::string_view text) : m_text(text) { }

    bool failed() const { return m_error.has_value(); }
    /// Returns the first error; its location is "line L, column C".
    const std::optional<Error> &error() const { return m_error; }
    void failWith(std::string message);
    void failWith(std::string message, std::size_t position);
    /// Fails with "found 'x' where `wanted` is expected".
    void fail(std::string_view wanted);

    std::size_t position();
    bool atEnd();
    char peek();
    bool startsWith(std::string_view symbol);
    bool accept(std::string_view symbol);
    /// Accepts the symbol only if no space precedes it.
    bool acceptAdjacent(std::string_view symbol);
    void expect(std::string_view symbol);
    /// Returns the word at this position without taking it; empty if there is none.
    std::string_view peekWord();
    bool acceptWord(std::string_view word);

    std::string takeText();          ///< takes "a quoted text"
    std::string takeName();          ///< takes a name, with or without quotes
    std::string takePart(bool dots); ///< takes a part of an operator's name, which may contain dots if `dots`
    std::string_view takeNumber();   ///< takes the digits of a number, or inf or nan
    /// Accepts a decimal integer that is followed by `,`, `)` or `]`, as most expressions are.
    std::optional<std::int64_t> acceptDigits();
    /// Takes the text up to a `,`, `)` or `]` that is outside of its own brackets and backquotes.
    std::string_view takeExpression();
    /// Takes a name and the `symbol` after it; takes nothing if the symbol does not follow.
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
