// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cutaway {

/// Streams one JSON document into a string without building a tree, for reports on 100,000 nodes. The caller writes
/// keys and values in a valid order (asserted); text is sanitized to valid UTF-8.
class JsonWriter {
public:
    void beginObject();
    void endObject();
    void beginArray();
    void endArray();
    void key(std::string_view name);

    void value(std::string_view text);
    void value(const char *text) { value(std::string_view(text)); }
    void value(bool b);
    void value(std::int64_t n);
    void value(std::uint64_t n);
    void value(int n) { value(std::int64_t{n}); }
    void value(unsigned n) { value(std::uint64_t{n}); }
    /// Writes a number. JSON has no infinities and no NaN: they become the strings "Infinity", "-Infinity", "NaN".
    void value(double n);
    void null();
    /// Appends a value that is already JSON text.
    void raw(std::string_view json);

    template <class T>
    void member(std::string_view name, const T &v)
    {
        key(name);
        value(v);
    }

    /// Writes an array; write(item) writes the value of each item.
    template <class List, class Write>
    void list(std::string_view name, const List &items, const Write &write)
    {
        key(name);
        beginArray();
        for (const auto &item : items)
            write(item);
        endArray();
    }
    template <class List>
    void list(std::string_view name, const List &items)
    {
        list(name, items, [this](const auto &item) { this->value(item); });
    }

    const std::string &text() const { return m_text; }
    std::string take() { return std::move(m_text); }

private:
    void separate();

    std::string m_text;
    std::vector<char> m_hasItems; ///< by open container: whether it has items; vector<bool> would be slower
    bool m_afterKey = false;
};

} // namespace cutaway
