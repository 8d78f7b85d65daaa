// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/operator_table.h"

#include "core/base/formatted.h"
#include "core/ir/json/json_reader.h"

#include <algorithm>
#include <limits>

namespace cutaway::convert {

namespace {

using ir::Json;

/// Receives the events of the JSON parser, and keeps only the first error.
struct FirstError : nlohmann::json_sax<Json> {
    std::size_t position = 0;

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t &) override { return true; }
    bool string(string_t &) override { return true; }
    bool binary(binary_t &) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t &) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t at, const std::string &, const nlohmann::detail::exception &) override
    {
        position = at;
        return false;
    }
};

class TableReader {
public:
    explicit TableReader(std::string_view text) : m_text(text) { }

    Result<OperatorTable> run()
    {
        FirstError first;
        if (!Json::sax_parse(m_text, &first))
            return wrong(first.position, "this is not JSON");
        const Json json = Json::parse(m_text, nullptr, false);
        if (!json.is_object())
            return wrong(0, "a table is an object of operators");
        OperatorTable table;
        for (const auto &[name, entry] : json.items()) {
            m_entry = placeOfKey(name, 0);
            if (!name.contains("::"))
                return wrong(m_entry, formatted("'{}' is no operator's name, such as mylib::gelu2", name));
            CUTAWAY_TRY(auto made, entryOf(entry));
            table.emplace(name, std::move(made));
        }
        return table;
    }

private:
    Result<CustomOperator> entryOf(const Json &entry)
    {
        if (!entry.is_object() || !entry.contains("op"))
            return wrong(m_entry, R"(an operator is an object with "op")");
        CustomOperator made;
        for (const auto &[key, value] : entry.items()) {
            const std::size_t place = placeOfKey(key, m_entry);
            if (key == "op") {
                if (!readName(value, made))
                    return wrong(place, R"("op" is the operator's domain and name, such as "com.mylib::Gelu2")");
            } else if (key == "domain_version") {
                const auto number = value.is_number_integer() ? value.get<std::int64_t>() : 0;
                if (number < 1 || number > std::numeric_limits<int>::max())
                    return wrong(place, R"("domain_version" is a whole number from 1 on)");
                made.domainVersion = number;
            } else if (key == "attributes") {
                CUTAWAY_RETURN_IF_ERROR(readAttributes(value, place, made));
            } else {
                return wrong(place,
                             formatted(R"(unknown "{}"; there are "op", "attributes" and "domain_version")", key));
            }
        }
        return made;
    }

    static bool readName(const Json &value, CustomOperator &made)
    {
        if (!value.is_string())
            return false;
        const auto text = value.get<std::string>();
        const std::size_t colons = text.find("::");
        if (colons == std::string::npos || colons == 0 || colons + 2 == text.size())
            return false;
        made.domain = text.substr(0, colons);
        made.name = text.substr(colons + 2);
        return !made.name.contains(':');
    }

    Result<void> readAttributes(const Json &attributes, std::size_t place, CustomOperator &made)
    {
        if (!attributes.is_object())
            return wrong(place, R"("attributes" is an object)");
        for (const auto &[name, value] : attributes.items()) {
            auto source = sourceOf(value);
            if (!source)
                return wrong(placeOfKey(name, place),
                             formatted("the attribute '{}' is a number, a text, a list of one of these, or \"$NAME\" "
                                       "for the argument NAME",
                                       name));
            made.attributes.emplace_back(name, std::move(*source));
        }
        return {};
    }

    static std::optional<AttributeSource> sourceOf(const Json &value)
    {
        if (value.is_boolean())
            return std::int64_t{value.get<bool>()};
        if (value.is_number_integer())
            return value.get<std::int64_t>();
        if (value.is_number_float())
            return value.get<double>();
        if (value.is_string()) {
            const auto text = value.get<std::string>();
            return text.starts_with('$') ? AttributeSource(ArgumentName{text.substr(1)}) : AttributeSource(text);
        }
        if (!value.is_array())
            return std::nullopt;
        const auto all = [&](bool (Json::*is)() const noexcept) {
            return std::ranges::all_of(value, [&](const Json &item) { return (item.*is)(); });
        };
        if (all(&Json::is_number_integer))
            return value.get<std::vector<std::int64_t>>();
        if (all(&Json::is_number))
            return value.get<std::vector<double>>();
        if (all(&Json::is_string))
            return value.get<std::vector<std::string>>();
        return std::nullopt;
    }

    /// Returns the offset of the first occurrence of `key` at or after `from`; `from` itself if the key is not found,
    /// because it is written with escapes.
    std::size_t placeOfKey(std::string_view key, std::size_t from) const
    {
        const std::string quoted = formatted("\"{}\"", key);
        for (std::size_t at = m_text.find(quoted, from); at != std::string_view::npos;
             at = m_text.find(quoted, at + 1)) {
            const std::size_t next = m_text.find_first_not_of(" \t\r\n", at + quoted.size());
            if (next != std::string_view::npos && m_text[next] == ':')
                return at;
        }
        return from;
    }

    std::unexpected<Error> wrong(std::size_t place, std::string_view message) const
    {
        const auto before = m_text.substr(0, std::min(place, m_text.size()));
        return usageError(formatted("line {}: {}", 1 + std::ranges::count(before, '\n'), message));
    }

    std::string_view m_text;
    std::size_t m_entry = 0; ///< the offset of the current entry
};

} // namespace

Result<OperatorTable> readOperatorTable(std::string_view text) { return TableReader(text).run(); }

} // namespace cutaway::convert
