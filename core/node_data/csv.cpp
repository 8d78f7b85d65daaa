// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node_data/csv.h"

namespace cutaway::node_data {

namespace {

class CsvParser {
public:
    explicit CsvParser(std::string_view text) : m_text(text) { }

    Result<std::vector<CsvLine>> parse()
    {
        std::vector<CsvLine> lines;
        while (m_at < m_text.size()) {
            CsvLine line{m_line, {}};
            do {
                if (!parseField(line.fields.emplace_back()))
                    return unreadable("a quote is not where a field begins or ends",
                                      "line " + std::to_string(line.number));
            } while (take(","));
            if (!isAtLineEnd())
                return unreadable("text stands behind a closing quote", "line " + std::to_string(m_line));
            takeLineEnd();
            if (line.fields.size() > 1 || !line.fields.front().empty())
                lines.push_back(std::move(line));
        }
        return lines;
    }

private:
    bool take(std::string_view what)
    {
        const bool isHere = m_text.substr(m_at).starts_with(what);
        m_at += isHere ? what.size() : 0;
        return isHere;
    }

    bool isAtLineEnd() const
    {
        const std::string_view rest = m_text.substr(m_at);
        return rest.empty() || rest.starts_with("\n") || rest.starts_with("\r\n");
    }

    void takeLineEnd()
    {
        take("\r");
        take("\n");
        ++m_line;
    }

    bool parseField(std::string &field)
    {
        if (take("\""))
            return parseQuoted(field);
        while (!isAtLineEnd() && m_text[m_at] != ',') {
            if (m_text[m_at] == '"')
                return false;
            field += m_text[m_at++];
        }
        return true;
    }

    bool parseQuoted(std::string &field)
    {
        while (m_at < m_text.size()) {
            const bool isDouble = take("\"\""); // two quotes stand for one
            if (!isDouble && take("\""))
                return true;
            field += isDouble ? '"' : m_text[m_at++];
            m_line += field.back() == '\n';
        }
        return false;
    }

    std::string_view m_text;
    std::size_t m_at = 0, m_line = 1;
};

} // namespace

Result<std::vector<CsvLine>> parseCsv(std::string_view text) { return CsvParser(text).parse(); }

} // namespace cutaway::node_data
