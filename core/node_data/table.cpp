// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node_data/table.h"

#include "core/base/formatted.h"
#include "core/base/located.h"
#include "core/base/mapped_file.h"
#include "core/base/text.h"
#include "core/node_data/csv.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <ranges>
#include <unordered_map>

namespace cutaway::node_data {

namespace {

using Json = nlohmann::json;

constexpr std::string_view nodeColumn = "node", nameColumn = "name", valueColumn = "value";

/// Returns a number if the entire text is one, else the text.
Cell cellOf(std::string text)
{
    if (text.empty())
        return {};
    double number = 0;
    const char *end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, number);
    return fault == std::errc() && stop == end ? Cell(number) : Cell(std::move(text));
}

/// A table whose columns are found while rows are added.
class TableBuilder {
public:
    void addRow(std::string node)
    {
        m_table.rows.push_back({std::move(node), std::vector<Cell>(m_table.columns.size())});
    }

    /// Puts a cell into the last row.
    void add(const std::string &column, Cell cell)
    {
        const auto [found, isNew] = m_places.emplace(column, m_table.columns.size());
        if (isNew)
            m_table.columns.push_back(column);
        std::vector<Cell> &cells = m_table.rows.back().cells;
        cells.resize(std::max(cells.size(), found->second + 1));
        cells[found->second] = std::move(cell);
    }

    Table finish()
    {
        for (Table::Row &row : m_table.rows)
            row.cells.resize(m_table.columns.size());
        return std::move(m_table);
    }

private:
    Table m_table;
    std::unordered_map<std::string, std::size_t> m_places; ///< by name of a column: its index
};

// ---- CSV

Result<Table> fromCsv(std::string_view text)
{
    CUTAWAY_TRY(const auto lines, parseCsv(text));
    if (lines.empty())
        return unreadable("the table is empty");
    const std::vector<std::string> &head = lines.front().fields;
    auto nodes = std::ranges::find(head, nodeColumn);
    if (nodes == head.end())
        nodes = std::ranges::find(head, nameColumn);
    if (nodes == head.end())
        return unreadable("the first line of the table has no column 'node'", "line 1");
    const auto place = static_cast<std::size_t>(nodes - head.begin());
    TableBuilder table;
    for (const CsvLine &line : lines | std::views::drop(1)) {
        if (line.fields.size() != head.size())
            return unreadable(std::to_string(line.fields.size()) + " fields, but " + std::to_string(head.size())
                                  + " columns",
                              "line " + std::to_string(line.number));
        table.addRow(line.fields[place]);
        for (std::size_t i = 0; i < head.size(); ++i)
            if (i != place)
                table.add(head[i], cellOf(line.fields[i]));
    }
    return table.finish();
}

// ---- JSON

class JsonTable {
public:
    Result<Table> of(const Json &json)
    {
        if (json.is_array())
            addRecords(json);
        else if (json.is_object())
            addObject(json);
        else
            fail("an object or an array was expected");
        if (!m_fault.empty())
            return unreadable(m_fault);
        return m_table.finish();
    }

private:
    void fail(std::string fault)
    {
        if (m_fault.empty())
            m_fault = std::move(fault);
    }

    /// Adds rows from [{"node": "conv1", "latency": 0.2}, …].
    void addRecords(const Json &records)
    {
        for (const Json &record : records) {
            const auto node = record.is_object() ? nameIn(record) : nullptr;
            if (!node)
                return fail("each item of the array has to be an object with a text 'node'");
            m_table.addRow(*node);
            for (const auto &[column, value] : record.items())
                if (column != m_name)
                    addCell(*node, column, value);
        }
    }

    const std::string *nameIn(const Json &record)
    {
        for (const std::string_view key : {nodeColumn, nameColumn})
            if (const auto found = record.find(key); found != record.end() && found->is_string()) {
                m_name = key;
                return found->get_ptr<const std::string *>();
            }
        return nullptr;
    }

    void addObject(const Json &object)
    {
        if (const auto results = object.find("results"); results != object.end() && results->is_object())
            return addNodes(*results);
        const bool isByGraph = !object.empty() && std::ranges::all_of(object, [](const Json &graph) {
            return graph.is_object() && graph.contains("results") && graph["results"].is_object();
        });
        if (!isByGraph)
            return addNodes(object);
        for (const Json &graph : object)
            addNodes(graph["results"]);
    }

    /// Adds rows from {"conv1": 0.2, "conv2": {"latency": 0.3}}.
    void addNodes(const Json &nodes)
    {
        for (const auto &[node, value] : nodes.items()) {
            m_table.addRow(node);
            if (!value.is_object()) {
                addCell(node, std::string(valueColumn), value);
                continue;
            }
            for (const auto &[column, inner] : value.items())
                addCell(node, column, inner);
        }
    }

    void addCell(const std::string &node, const std::string &column, const Json &value)
    {
        if (value.is_number())
            m_table.add(column, value.get<double>());
        else if (value.is_string())
            m_table.add(column, value.get<std::string>());
        else if (value.is_boolean())
            m_table.add(column, std::string(value.get<bool>() ? "true" : "false"));
        else if (value.is_null())
            m_table.add(column, {});
        else
            fail("'" + sanitized(column) + "' of node '" + sanitized(node) + "' is neither a number nor a text");
    }

    TableBuilder m_table;
    std::string m_name; ///< the key under which a record names its node
    std::string m_fault;
};

} // namespace

std::string print(const Cell &cell)
{
    const auto *number = std::get_if<double>(&cell);
    const auto *text = std::get_if<std::string>(&cell);
    return number ? formatted("{}", *number) : text ? *text : "";
}

Result<Table> parseTable(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF")) // spreadsheets write the byte order mark
        text.remove_prefix(3);
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == text.npos)
        return unreadable("the table is empty");
    if (text[start] != '{' && text[start] != '[')
        return fromCsv(text);
    const Json json = Json::parse(text, nullptr, false);
    return json.is_discarded() ? unreadable("the table is not JSON, or cut short") : JsonTable().of(json);
}

Result<Table> readTable(const std::filesystem::path &path)
{
    CUTAWAY_TRY(const auto file, MappedFile::open(path));
    const auto bytes = file.bytes();
    return located(path.filename().string(), parseTable({reinterpret_cast<const char *>(bytes.data()), bytes.size()}));
}

} // namespace cutaway::node_data
