// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <simdjson.h>
#include <span>

namespace cutaway::formats::pt2 {

/// A value of a JSON document, or nothing (also for null). Every access to nothing returns nothing, so that a path
/// into a document needs only one check at its end. Texts are views that live as long as the document.
class Json {
public:
    Json() = default;
    explicit Json(simdjson::dom::element element) : m_element(element) { }

    bool exists() const { return m_element.has_value(); }
    bool isArray() const { return m_element && m_element->is_array(); }
    bool isObject() const { return m_element && m_element->is_object(); }

    /// Returns the member of this name; the last one if there are several, as in Python.
    Json operator[](std::string_view key) const;
    std::optional<std::string_view> text() const;
    std::optional<std::int64_t> integer() const;
    /// Returns a number, which may also be one of the strings "Infinity", "-Infinity" and "NaN".
    std::optional<double> number() const;
    std::optional<bool> boolean() const;
    /// Returns the JSON text without blanks.
    std::string print() const;

    std::size_t size() const;
    /// Calls visit(Json) for each item of an array.
    template <class Visit>
    void forEach(Visit &&visit) const
    {
        if (isArray())
            for (const simdjson::dom::element item : simdjson::dom::array(m_element->get_array().value_unsafe()))
                visit(Json(item));
    }
    /// Calls visit(std::string_view key, Json value) for each member of an object.
    template <class Visit>
    void forEachMember(Visit &&visit) const
    {
        if (isObject())
            for (const auto &[key, value] : simdjson::dom::object(m_element->get_object().value_unsafe()))
                visit(key, value.is_null() ? Json() : Json(value));
    }

private:
    std::optional<simdjson::dom::element> m_element;
};

/// A parsed JSON text.
class JsonDocument {
public:
    /// Parses a text. Accepts Python's extensions of strict JSON: bare Infinity and NaN, halves of surrogate pairs.
    /// Nesting may be up to 512 deep. Errors: what is wrong with the text; `name` is the error's `where`.
    static Result<JsonDocument> parse(std::string_view text, std::string_view name);

    Json root() const { return m_root; }

private:
    std::unique_ptr<simdjson::dom::parser> m_parser; // owns the memory of the elements
    Json m_root;
};

/// Returns the text with bare Infinity, -Infinity and NaN as strings, and unpaired surrogate escapes as U+FFFD.
std::string strictJson(std::string_view text);

} // namespace cutaway::formats::pt2
