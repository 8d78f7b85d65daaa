// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/python_names.h"

#include "core/base/text.h"
#include "core/formats/python/lexer.h"

#include <algorithm>

namespace cutaway::print {

namespace {

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool isNameCharacter(char c) { return isLetter(c) || isDigit(c) || c == '_'; }

} // namespace

bool isIdentifier(std::string_view text)
{
    return !text.empty() && !isDigit(text.front()) && std::ranges::all_of(text, isNameCharacter)
        && !formats::python::isKeyword(text);
}

std::string identifierFrom(std::string_view text)
{
    if (isIdentifier(text))
        return std::string(text);
    const auto first = std::ranges::find_if(text, isNameCharacter);
    std::string name;
    for (const char c : std::string_view(first, text.end()))
        if (isNameCharacter(c) || !name.ends_with('_')) // one "_" for several characters: a_b for "a::b"
            name += isNameCharacter(c) ? c : '_';
    if (name.empty() || isDigit(name.front()))
        name.insert(0, 1, '_');
    return isIdentifier(name) ? name : name + "_";
}

std::string dottedName(std::string_view text)
{
    std::string name;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('.', at), text.size());
        name += (at > 0 ? "." : "") + identifierFrom(text.substr(at, end - at));
        at = end + 1;
    }
    return name;
}

std::string attributeOf(const std::string &object, std::string_view name)
{
    if (isIdentifier(name))
        return object + "." + std::string(name);
    const bool isIndex = !name.empty() && std::ranges::all_of(name, isDigit) && (name == "0" || name.front() != '0');
    return isIndex ? object + "[" + std::string(name) + "]" : "getattr(" + object + ", " + quote(name) + ")";
}

} // namespace cutaway::print
