// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/json/json_reader.h"

#include "core/base/text.h"

#include <charconv>

namespace cutaway::ir {

std::string JsonReader::path() const
{
    std::string out;
    for (const auto &part : m_path) {
        if (const auto *key = std::get_if<const char *>(&part))
            (out += out.empty() ? "" : ".") += *key;
        else
            out += "[" + std::to_string(std::get<std::size_t>(part)) + "]";
    }
    return out.empty() ? "the document" : out;
}

void JsonReader::failWith(std::string message)
{
    if (!m_error)
        m_error = Error{ErrorKind::Unreadable, std::move(message), path()};
}

void JsonReader::fail(const Json &found, std::string_view wanted)
{
    if (failed())
        return;
    const std::string shown = found.is_structured()
        ? "an " + std::string(found.type_name())
        : sanitized(found.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 40));
    failWith("found " + shown + " where " + std::string(wanted) + " is expected");
}

std::string JsonReader::text(const Json &json)
{
    if (const auto *s = json.get_ptr<const std::string *>())
        return *s;
    std::string out;
    if (json.is_object() && json.contains("hex"))
        member(json, "hex", [&](const Json &hex) { out = bytes(hex); });
    else
        fail(json, "a text");
    return out;
}

std::string JsonReader::text(const Json &object, const char *key)
{
    std::string out;
    member(object, key, [&](const Json &json) { out = text(json); });
    return out;
}

std::string JsonReader::bytes(const Json &json)
{
    const auto *hex = json.get_ptr<const std::string *>();
    std::string out;
    bool good = hex && hex->size() % 2 == 0;
    for (std::size_t i = 0; good && i < hex->size(); i += 2) {
        std::uint8_t byte = 0;
        const char *const end = hex->data() + i + 2;
        good = std::from_chars(hex->data() + i, end, byte, 16).ptr == end;
        out += static_cast<char>(byte);
    }
    if (!good)
        fail(json, "bytes in hexadecimal");
    return out;
}

bool JsonReader::boolean(const Json &object, const char *key, bool defaultValue)
{
    member(object, key, [&](const Json &json) {
        if (const auto *b = json.get_ptr<const bool *>())
            defaultValue = *b;
        else
            fail(json, "true or false");
    });
    return defaultValue;
}

std::int64_t JsonReader::integer(const Json &json)
{
    const bool fits =
        json.is_number_integer() && (!json.is_number_unsigned() || json.get<std::uint64_t>() <= INT64_MAX);
    if (!fits)
        fail(json, "an integer of 64 bits");
    return fits ? json.get<std::int64_t>() : 0;
}

std::optional<std::int64_t> JsonReader::integer(const Json &object, const char *key)
{
    std::optional<std::int64_t> n;
    member(object, key, [&](const Json &json) { n = integer(json); });
    return n;
}

std::uint64_t JsonReader::natural(const Json &json)
{
    if (!json.is_number_unsigned())
        fail(json, "a number of 0 or more");
    return json.is_number_unsigned() ? json.get<std::uint64_t>() : 0;
}

std::uint64_t JsonReader::natural(const Json &object, const char *key)
{
    std::uint64_t n = 0;
    member(object, key, [&](const Json &json) { n = natural(json); });
    return n;
}

std::uint32_t JsonReader::index(const Json &json, std::size_t count, std::string_view list)
{
    const std::uint64_t n = natural(json);
    if (n < count)
        return static_cast<std::uint32_t>(n);
    failWith("found " + std::to_string(n) + " where one of the " + std::to_string(count) + " " + std::string(list)
             + " is expected");
    return 0;
}

std::uint32_t JsonReader::index(const Json &object, const char *key, std::size_t count, std::string_view list)
{
    std::uint32_t n = 0;
    member(object, key, [&](const Json &json) { n = index(json, count, list); });
    return n;
}

} // namespace cutaway::ir
