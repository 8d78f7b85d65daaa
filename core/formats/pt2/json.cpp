// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/json.h"

#include "core/base/text.h"
#include "core/formats/limits.h"

#include <charconv>
#include <limits>

namespace cutaway::formats::pt2 {

namespace dom = simdjson::dom;

namespace {

template <class T>
std::optional<T> valueOf(const std::optional<dom::element> &element)
{
    T value{};
    if (!element || element->get<T>().get(value) != simdjson::SUCCESS)
        return std::nullopt;
    return value;
}

/// Returns the code unit of a \uXXXX escape at the front; nothing if there is none.
std::optional<unsigned> unicodeEscape(std::string_view text)
{
    unsigned unit = 0;
    if (text.size() < 6 || !text.starts_with("\\u"))
        return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
    return error == std::errc{} && end == text.data() + 6 ? std::optional(unit) : std::nullopt;
}

bool isHighSurrogate(std::optional<unsigned> unit) { return unit && *unit >= 0xd800 && *unit < 0xdc00; }
bool isLowSurrogate(std::optional<unsigned> unit) { return unit && *unit >= 0xdc00 && *unit < 0xe000; }

/// Copies the escape at the front of `rest` and returns its length; half a surrogate pair becomes U+FFFD.
std::size_t copyEscape(std::string_view rest, std::string &out)
{
    const auto unit = unicodeEscape(rest);
    const std::size_t length = std::min<std::size_t>(rest.size(), unit ? 6 : 2);
    if (isHighSurrogate(unit) && isLowSurrogate(unicodeEscape(rest.substr(6)))) {
        out += rest.substr(0, 12);
        return 12;
    }
    if (isHighSurrogate(unit) || isLowSurrogate(unit))
        out += "\\ufffd";
    else
        out += rest.substr(0, length);
    return length;
}

/// Returns the word at the front for which JSON has no number, such as NaN; "" if there is none.
std::string_view bareNumber(std::string_view text)
{
    for (const std::string_view word : {"Infinity", "-Infinity", "NaN"})
        if (text.starts_with(word))
            return word;
    return {};
}

std::optional<double> numberFromText(std::string_view text)
{
    if (text == "Infinity")
        return std::numeric_limits<double>::infinity();
    if (text == "-Infinity")
        return -std::numeric_limits<double>::infinity();
    if (text == "NaN")
        return std::numeric_limits<double>::quiet_NaN();
    return std::nullopt;
}

/// Returns simdjson's error as the end of a message.
std::string reason(simdjson::error_code error)
{
    switch (error) {
    case simdjson::DEPTH_ERROR:
        return "is nested more than " + std::to_string(limits::maxNesting) + " deep";
    case simdjson::UTF8_ERROR:
        return "is not UTF-8";
    case simdjson::EMPTY:
        return "is empty";
    case simdjson::NUMBER_ERROR:
    case simdjson::BIGINT_ERROR:
        return "has a number that is none or does not fit in 64 bits";
    case simdjson::UNCLOSED_STRING:
        return "ends inside a string";
    case simdjson::MEMALLOC:
        return "needs more memory than there is";
    default:
        return "is damaged or cut short";
    }
}

simdjson::error_code parseInto(dom::parser &parser, std::string_view text, dom::element &root)
{
    if (const auto error = parser.allocate(text.size(), limits::maxNesting))
        return error;
    return parser.parse(text.data(), text.size()).get(root);
}

} // namespace

std::string strictJson(std::string_view text)
{
    std::string out;
    out.reserve(text.size() + 64);
    bool inString = false;
    while (!text.empty()) {
        std::size_t length = 1;
        if (inString && text.front() == '\\') {
            length = copyEscape(text, out);
        } else if (const std::string_view word = inString ? "" : bareNumber(text); !word.empty()) {
            out.append("\"").append(word).append("\"");
            length = word.size();
        } else {
            inString ^= text.front() == '"';
            out += text.front();
        }
        text.remove_prefix(length);
    }
    return out;
}

Json Json::operator[](std::string_view key) const
{
    Json found;
    forEachMember([&](std::string_view name, Json value) {
        if (name == key)
            found = value;
    });
    return found;
}

std::optional<std::string_view> Json::text() const { return valueOf<std::string_view>(m_element); }
std::optional<std::int64_t> Json::integer() const { return valueOf<std::int64_t>(m_element); }
std::optional<bool> Json::boolean() const { return valueOf<bool>(m_element); }

std::optional<double> Json::number() const
{
    if (const auto word = text())
        return numberFromText(*word);
    return valueOf<double>(m_element);
}

std::string Json::print() const { return m_element ? simdjson::minify(*m_element) : "null"; }

std::size_t Json::size() const
{
    std::size_t n = 0;
    forEach([&](Json) { ++n; });
    forEachMember([&](std::string_view, Json) { ++n; });
    return n;
}

Result<JsonDocument> JsonDocument::parse(std::string_view text, std::string_view name)
{
    if (text.size() > limits::maxJsonSize)
        return unreadable("the JSON text has " + byteCount(double(text.size())) + "; at most "
                              + byteCount(double(limits::maxJsonSize)) + " are read",
                          std::string(name));
    JsonDocument document;
    document.m_parser = std::make_unique<dom::parser>();
    dom::element root;
    auto error = parseInto(*document.m_parser, text, root);
    // The text is made strict and parsed again only after a failure.
    if (error != simdjson::SUCCESS && error != simdjson::DEPTH_ERROR && error != simdjson::UTF8_ERROR
        && parseInto(*document.m_parser, strictJson(text), root) == simdjson::SUCCESS)
        error = simdjson::SUCCESS;
    if (error != simdjson::SUCCESS)
        return unreadable("the JSON text " + reason(error), std::string(name));
    document.m_root = root.is_null() ? Json() : Json(root);
    return document;
}

} // namespace cutaway::formats::pt2
