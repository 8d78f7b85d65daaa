// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/json_writer.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

namespace cutaway {

namespace {

/// The bytes that JSON or sanitized() may have to escape: control characters, quotes, backslashes, all non-ASCII.
constexpr auto isEscaped = [] {
    std::array<bool, 256> is{};
    for (std::size_t c = 0; c < is.size(); ++c)
        is[c] = c < 0x20 || c == '"' || c == '\\' || c >= 0x7F;
    return is;
}();

void appendPlain(std::string &out, std::string_view s)
{
    const std::size_t before = out.size();
    out.resize_and_overwrite(before + s.size() + 2, [&](char *text, std::size_t size) {
        text[before] = text[size - 1] = '"';
        std::ranges::copy(s, text + before + 1);
        return size;
    });
}

void appendQuoted(std::string &out, std::string_view s)
{
    if (std::ranges::none_of(s, [](unsigned char c) { return isEscaped[c]; }))
        return appendPlain(out, s);
    out += '"';
    for (const char c : sanitized(s, true)) {
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else
            out += c;
    }
    out += '"';
}

template <class T>
void appendNumber(std::string &out, T n)
{
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), n).ptr;
    out.append(text.data(), end);
}

} // namespace

void JsonWriter::separate()
{
    if (m_afterKey)
        m_afterKey = false;
    else if (!m_hasItems.empty()) {
        if (m_hasItems.back())
            m_text += ',';
        m_hasItems.back() = true;
    }
}

void JsonWriter::beginObject()
{
    separate();
    m_text += '{';
    m_hasItems.push_back(false);
}

void JsonWriter::endObject()
{
    assert(!m_hasItems.empty() && !m_afterKey);
    m_hasItems.pop_back();
    m_text += '}';
}

void JsonWriter::beginArray()
{
    separate();
    m_text += '[';
    m_hasItems.push_back(false);
}

void JsonWriter::endArray()
{
    assert(!m_hasItems.empty() && !m_afterKey);
    m_hasItems.pop_back();
    m_text += ']';
}

void JsonWriter::key(std::string_view name)
{
    assert(!m_afterKey);
    separate();
    appendQuoted(m_text, name);
    m_text += ':';
    m_afterKey = true;
}

void JsonWriter::value(std::string_view text)
{
    separate();
    appendQuoted(m_text, text);
}

void JsonWriter::value(bool b)
{
    separate();
    m_text += b ? "true" : "false";
}

void JsonWriter::value(std::int64_t n)
{
    separate();
    appendNumber(m_text, n);
}

void JsonWriter::value(std::uint64_t n)
{
    separate();
    appendNumber(m_text, n);
}

void JsonWriter::value(double n)
{
    if (!std::isfinite(n))
        return value(std::isnan(n) ? "NaN" : n > 0 ? "Infinity" : "-Infinity");
    separate();
    const std::size_t start = m_text.size();
    appendNumber(m_text, n);
    if (m_text.find_first_of(".en", start) == std::string::npos)
        m_text += ".0"; // a whole float must be read as a float again
}

void JsonWriter::null()
{
    separate();
    m_text += "null";
}

void JsonWriter::raw(std::string_view json)
{
    separate();
    m_text += json;
}

} // namespace cutaway
