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

/// A value of a JSON document, or nothing (also for null). Whatever is asked of nothing is nothing, so a path into a
/// document needs one check at its end. Texts are views that live as long as the document.
class Json {
public:
    Json() = default;
    explicit Json(simdjson::dom::element element) : m_element(element) { }

    bool exists() const { return m_element.has_value(); }
    bool isArray() const { return m_element && m_element->is_array(); }
    bool isObject() const { return m_element && m_element->is_object(); }

    /// The member of this name; the last one if there are several, as Python reads it.
    Json operator[](std::string_view key) const;
    std::optional<std::string_view> text() const;
    std::optional<std::int64_t> integer() const;
    /// Also the texts "Infinity", "-Infinity" and "NaN".
    std::optional<double> number() const;
    std::optional<bool> boolean() const;
    /// The JSON text, without blanks.
    std::string print() const;

    std::size_t size() const;
    /// visit(Json) for each item of an array.
    template <class Visit>
    void forEach(Visit &&visit) const
    {
        if (isArray())
            for (const simdjson::dom::element item : simdjson::dom::array(m_element->get_array().value_unsafe()))
                visit(Json(item));
    }
    /// visit(std::string_view key, Json value) for each member of an object.
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
    /// Takes what Python's json writes and strict JSON does not allow: bare Infinity and NaN, halves of surrogate
    /// pairs. Nesting up to 512. Errors: what is wrong with the text; `name` is its `where`.
    static Result<JsonDocument> parse(std::string_view text, std::string_view name);

    Json root() const { return m_root; }

private:
    std::unique_ptr<simdjson::dom::parser> m_parser; // elements point into it
    Json m_root;
};

/// The text with bare Infinity, -Infinity and NaN as strings and unpaired surrogate escapes as U+FFFD.
std::string strictJson(std::string_view text);

} // namespace cutaway::formats::pt2
