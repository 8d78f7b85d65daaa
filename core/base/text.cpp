// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace cutaway {

namespace {

struct Decoded {
    char32_t codePoint;
    std::size_t length;
};

/// The forms of UTF-8 characters of several bytes: the range of the first byte, the number of bytes, and the smallest
/// code point (smaller ones must use a shorter form).
struct Form {
    std::uint8_t first, last;
    std::size_t length;
    char32_t least;
};
constexpr Form forms[] = {{0xC2, 0xDF, 2, 0x80}, {0xE0, 0xEF, 3, 0x800}, {0xF0, 0xF4, 4, 0x10000}};

/// Returns the first code point of `s` if it is well-formed UTF-8 (RFC 3629: shortest form, no surrogates).
std::optional<Decoded> decode(std::string_view s)
{
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(s[i]); };
    const std::uint8_t lead = byte(0);
    if (lead < 0x80)
        return Decoded{lead, 1};
    const auto *form = std::ranges::find_if(forms, [&](const Form &f) { return f.first <= lead && lead <= f.last; });
    if (form == std::end(forms) || s.size() < form->length)
        return std::nullopt;
    char32_t c = lead & (0xFF >> (form->length + 1));
    for (std::size_t i = 1; i < form->length; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return std::nullopt;
        c = c << 6 | (byte(i) & 0x3F);
    }
    const bool isSurrogate = c >= 0xD800 && c <= 0xDFFF;
    return c < form->least || c > 0x10FFFF || isSurrogate ? std::nullopt : std::optional(Decoded{c, form->length});
}

bool isControl(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

/// Whether a character controls the direction of text, which is then displayed in another order than it is stored.
bool isDirectional(char32_t c)
{
    return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

void appendEscape(std::string &out, char32_t c)
{
    std::array<char, 12> text{};
    std::snprintf(text.data(), text.size(), c < 0x100 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(c));
    out += text.data();
}

bool isPlain(std::string_view s)
{
    return std::ranges::all_of(s, [](unsigned char c) { return c >= 0x20 && c < 0x7F; });
}

std::string threeDigits(double n)
{
    std::array<char, 32> text{};
    const int decimals = std::abs(n) >= 99.95 ? 0 : std::abs(n) >= 9.995 ? 1 : 2;
    std::snprintf(text.data(), text.size(), "%.*f", decimals, n);
    return text.data();
}

std::string scaled(double n, double step, std::string_view units)
{
    std::size_t unit = 0;
    while (std::abs(n) >= step * 0.9995 && unit + 1 < units.size()) {
        n /= step;
        ++unit;
    }
    const std::string digits =
        unit == 0 && n == std::floor(n) ? std::to_string(static_cast<long long>(n)) : threeDigits(n);
    return unit == 0 ? digits + " " : digits + " " + units[unit];
}

} // namespace

bool isUtf8(std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto c = decode(bytes);
        if (!c)
            return false;
        bytes.remove_prefix(c->length);
    }
    return true;
}

std::string sanitized(std::string_view bytes, bool keepLines)
{
    if (isPlain(bytes))
        return std::string(bytes);
    std::string out;
    out.reserve(bytes.size());
    while (!bytes.empty()) {
        const auto c = decode(bytes);
        if (!c)
            out += "\uFFFD";
        else if (keepLines && (c->codePoint == '\n' || c->codePoint == '\t'))
            out += static_cast<char>(c->codePoint);
        else if (isControl(c->codePoint) || isDirectional(c->codePoint))
            appendEscape(out, c->codePoint);
        else
            out += bytes.substr(0, c->length);
        bytes.remove_prefix(c ? c->length : 1);
    }
    return out;
}

std::string quote(std::string_view s)
{
    std::string out = "\"";
    for (std::size_t i = 0; i < s.size();) {
        const auto c = decode(s.substr(i));
        const std::size_t length = c ? c->length : 1;
        if (s[i] == '"' || s[i] == '\\')
            out += {'\\', s[i]};
        else if (s[i] == '\n')
            out += "\\n";
        else if (s[i] == '\t')
            out += "\\t";
        else if (!c || isControl(c->codePoint) || isDirectional(c->codePoint))
            for (std::size_t k = 0; k < length; ++k) // each byte is escaped, so that unescaping restores it
                appendEscape(out, static_cast<std::uint8_t>(s[i + k]));
        else
            out += s.substr(i, length);
        i += length;
    }
    return out += '"';
}

std::string joined(std::span<const std::string> texts, std::string_view between)
{
    std::string all;
    for (const std::string &text : texts)
        all.append(all.empty() ? std::string_view() : between).append(text);
    return all;
}

std::string grouped(long long n)
{
    std::string digits = std::to_string(n);
    const std::size_t first = n < 0 ? 1 : 0;
    for (std::size_t i = digits.size(); i > first + 3;) {
        i -= 3;
        digits.insert(i, ",");
    }
    return digits;
}

std::string siCount(double n)
{
    std::string text = scaled(n, 1000, " kMGTPE");
    if (text.back() == ' ')
        text.pop_back();
    return text;
}

std::string byteCount(double bytes)
{
    const std::string text = scaled(bytes, 1024, " KMGTPE");
    return text + (text.back() == ' ' ? "B" : "iB");
}

double shortestDecimal(float x)
{
    std::array<char, 32> text;
    const char *end = std::to_chars(text.data(), text.data() + text.size(), x).ptr;
    double result = x;
    std::from_chars(text.data(), end, result);
    return result;
}

} // namespace cutaway
