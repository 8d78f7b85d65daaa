// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cutaway::ir {

using Json = nlohmann::json;

/// Typed access to a JSON document that keeps the first error and its path ("functions[0].body.nodes[3].op"). After an
/// error everything reads as empty, so that callers need to check only once, at the end.
class JsonReader {
public:
    bool failed() const { return m_error.has_value(); }
    const std::optional<Error> &error() const { return m_error; }
    void fail(const Json &found, std::string_view wanted);
    void failWith(std::string message);

    /// Calls read(member) if the object has that member.
    template <class Read>
    void member(const Json &object, const char *key, Read read)
    {
        if (failed())
            return;
        if (!object.is_object())
            return fail(object, "an object");
        const auto found = object.find(key);
        if (found == object.end())
            return;
        m_path.emplace_back(key);
        read(*found);
        m_path.pop_back();
    }

    /// Calls read(item) for each item of an array.
    template <class Read>
    void items(const Json &array, Read read)
    {
        if (failed())
            return;
        if (!array.is_array())
            return fail(array, "an array");
        m_path.emplace_back(std::size_t{0});
        for (std::size_t i = 0; i < array.size() && !failed(); ++i) {
            m_path.back() = i;
            read(array[i]);
        }
        m_path.pop_back();
    }

    /// Calls read(item) for each item of an array member that may be missing.
    template <class Read>
    void items(const Json &object, const char *key, Read read)
    {
        member(object, key, [&](const Json &array) { items(array, read); });
    }

    /// Calls read(first, second) for an array of two items.
    template <class Read>
    void pair(const Json &array, Read read)
    {
        if (array.is_array() && array.size() == 2)
            read(array[0], array[1]);
        else
            fail(array, "an array of two");
    }

    /// Reads a text, or {"hex": "…"} for bytes that are not UTF-8.
    std::string text(const Json &json);
    std::string text(const Json &object, const char *key);
    std::string bytes(const Json &hex);
    bool boolean(const Json &object, const char *key, bool defaultValue);
    std::int64_t integer(const Json &json);
    std::optional<std::int64_t> integer(const Json &object, const char *key);
    std::uint64_t natural(const Json &json);
    std::uint64_t natural(const Json &object, const char *key);
    /// Reads an index into a table, which must be below `count`. `list`: the table's name in error messages.
    std::uint32_t index(const Json &json, std::size_t count, std::string_view list);
    std::uint32_t index(const Json &object, const char *key, std::size_t count, std::string_view list);

private:
    std::string path() const;

    std::vector<std::variant<const char *, std::size_t>> m_path;
    std::optional<Error> m_error;
};

} // namespace cutaway::ir
