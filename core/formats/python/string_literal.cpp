// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/python/string_literal.h"

#include "core/base/formatted.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace cutaway::formats::python {

namespace {

// Escapes of one character after the backslash, and the byte that each stands for.
constexpr std::pair<char, char> plainEscapes[] = {
    {'n', '\n'}, {'t', '\t'}, {'r', '\r'},  {'a', '\a'}, {'b', '\b'},
    {'f', '\f'}, {'v', '\v'}, {'\\', '\\'}, {'"', '"'},  {'\'', '\''},
};

std::size_t octalLength(std::string_view text)
{
    return std::min({text.find_first_not_of("01234567"), text.size(), std::size_t{3}});
}

int octalValue(std::string_view digits)
{
    int value = 0;
    for (const char digit : digits)
        value = value * 8 + (digit - '0');
    return value;
}

/// Whether a text begins with a broken octal escape: torch's printer makes the digits of a byte above 127 from a
/// negative number, as characters below '0'. They still are three digits of one number, so the byte is not lost.
bool isBrokenOctal(std::string_view text)
{
    return text.size() >= 3 && std::ranges::all_of(text.substr(0, 3), [](char c) { return c >= '0' - 7 && c <= '0'; })
        && !text.starts_with("000");
}

class Decoder {
public:
    Decoder(std::string_view inside, Escapes escapes) : m_rest(inside), m_escapes(escapes) { }

    DecodedString decode()
    {
        while (!m_rest.empty()) {
            const bool isEscape = m_rest.front() == '\\' && m_rest.size() > 1;
            if (isEscape)
                escape();
            else
                take(1, m_rest.front());
        }
        return std::move(m_decoded);
    }

private:
    void escape()
    {
        const std::string_view after = m_rest.substr(1);
        const auto *const known = std::ranges::find(plainEscapes, after.front(), &std::pair<char, char>::first);
        unsigned code = 0;
        if (m_escapes == Escapes::TorchScript && isBrokenOctal(after)) {
            m_decoded.isRepaired = true;
            take(4, static_cast<char>(octalValue(after.substr(0, 3))));
        } else if (const std::size_t digits = octalLength(after)) {
            take(1 + digits, static_cast<char>(octalValue(after.substr(0, digits))));
        } else if (known != std::end(plainEscapes)) {
            take(2, known->second);
        } else if (m_escapes == Escapes::Python && after.size() >= 3 && after.front() == 'x'
                   && std::from_chars(&after[1], &after[1] + 2, code, 16).ptr == &after[1] + 2) {
            take(4, static_cast<char>(code));
        } else {
            take(1, '\\');
        }
    }

    void take(std::size_t length, char byte)
    {
        m_decoded.bytes += byte;
        m_rest.remove_prefix(length);
    }

    std::string_view m_rest;
    Escapes m_escapes;
    DecodedString m_decoded;
};

} // namespace

DecodedString decodeString(std::string_view literal, Escapes escapes)
{
    return Decoder(literal.substr(1, literal.size() - 2), escapes).decode();
}

std::string encodeString(std::string_view bytes)
{
    std::string text = "\"";
    for (const char c : bytes) {
        const auto *const known = std::ranges::find(plainEscapes, c, &std::pair<char, char>::second);
        if (known != std::end(plainEscapes))
            text += {'\\', known->first};
        else if (c >= ' ' && c < 0x7F)
            text += c;
        else
            text += formatted("\\{:03o}", static_cast<unsigned char>(c));
    }
    return text + '"';
}

} // namespace cutaway::formats::python
