// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/pages/json_record.h"

#include "core/base/result.h"
#include "core/formats/pt2/package.h"
#include "core/ir/node_ref.h"

#include <cctype>
#include <map>
#include <optional>

namespace cutaway::print {

namespace {

constexpr std::size_t maxRecord = 16 << 20; ///< the limit of bytes of JSON: a longer text would slow down the editor

class JsonIndenter {
public:
    explicit JsonIndenter(std::string_view text) : m_text(text) { }

    IndentedJson indented()
    {
        while (m_at < m_text.size())
            next();
        m_made.text += '\n';
        return std::move(m_made);
    }

private:
    struct Level {
        bool isList = false;
        bool isEmpty = true;
        bool expectsKey = false;
        std::uint32_t first = 0; ///< the first line of the object
        std::string_view key;    ///< the key of the member that is being read
        std::string_view result; ///< the first name in the outputs of the object
    };

    void next()
    {
        const char c = m_text[m_at];
        if (std::isspace(static_cast<unsigned char>(c))) {
            ++m_at;
        } else if (c == '"') {
            string();
        } else if (c == '}' || c == ']') {
            close(c);
        } else if (c == '{' || c == '[') {
            item();
            m_made.text += c;
            m_levels.push_back({c == '[', true, c == '{', m_line, {}, {}});
            ++m_at;
        } else if (c == ',' || c == ':') {
            m_made.text += c == ',' ? "," : ": ";
            if (c == ',' && !m_levels.empty())
                m_levels.back().expectsKey = !m_levels.back().isList;
            m_isNewItem = c == ',';
            ++m_at;
        } else {
            item();
            for (; m_at < m_text.size() && !std::string_view(",]} \t\r\n").contains(m_text[m_at]); ++m_at)
                m_made.text += m_text[m_at];
        }
    }

    /// Begins the line of a member or item.
    void item()
    {
        if (m_levels.empty() || !(m_levels.back().isEmpty || m_isNewItem))
            return;
        m_levels.back().isEmpty = m_isNewItem = false;
        newLine(m_levels.size());
    }

    void newLine(std::size_t depth)
    {
        m_made.text.append("\n").append(2 * depth, ' ');
        ++m_line;
    }

    void string()
    {
        item();
        std::size_t end = m_at + 1;
        while (end < m_text.size() && m_text[end] != '"')
            end += m_text[end] == '\\' ? 2 : 1;
        end = std::min(end, m_text.size() - 1);
        const std::string_view content = m_text.substr(m_at + 1, end - m_at - 1);
        m_made.text.append(m_text.substr(m_at, end + 1 - m_at));
        m_at = end + 1;
        if (m_levels.empty())
            return;
        if (Level &level = m_levels.back(); level.expectsKey) {
            level.key = content;
            level.expectsKey = false;
        } else if (level.key == "name" || level.key == "as_name") {
            noteResult(content);
        }
    }

    /// Notes `name` as the result of the innermost node around it, an object in a list "nodes", if it is the first name
    /// in the node's outputs.
    void noteResult(std::string_view name)
    {
        for (std::size_t i = m_levels.size(); i-- > 2;) {
            Level &record = m_levels[i];
            if (record.isList || !m_levels[i - 1].isList || m_levels[i - 2].key != "nodes")
                continue;
            if (record.key == "outputs" && record.result.empty())
                record.result = name;
            return;
        }
    }

    void close(char c)
    {
        if (m_levels.empty()) {
            ++m_at;
            return;
        }
        const Level level = m_levels.back();
        m_levels.pop_back();
        if (!level.isEmpty)
            newLine(m_levels.size());
        m_made.text += c;
        m_isNewItem = false;
        ++m_at;
        if (!level.result.empty())
            m_made.records.push_back({level.first, m_line, std::string(level.result)});
    }

    std::string_view m_text;
    IndentedJson m_made;
    std::vector<Level> m_levels;
    std::size_t m_at = 0;
    std::uint32_t m_line = 1;
    bool m_isNewItem = false;
};

/// Returns the nodes by the names of their results; a name that several values have is left out.
std::map<std::string_view, std::optional<ir::NodeId>> nodesByResult(const ir::Graph &graph)
{
    std::map<std::string_view, std::optional<ir::NodeId>> nodes;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::NodeRef node(graph, ir::NodeId{i});
        if (node->removed)
            continue;
        for (const ir::ValueRef value : node.outputs())
            if (const auto [known, isNew] = nodes.try_emplace(value.name(), node.id()); !isNew)
                known->second = std::nullopt;
    }
    return nodes;
}

Result<std::string> programText(const ir::Model &model)
{
    using formats::archive::Zip;
    if (model.files.empty() || !model.files.front().mapping)
        return unreadable("the file of the model is not open any more");
    const auto bytes = model.files.front().mapping->bytes();
    CUTAWAY_TRY(const auto zip, Zip::open(bytes));
    const auto package = formats::pt2::Package::of(bytes, zip);
    if (!package || package->programs().empty())
        return unreadable("the archive has no program any more");
    const formats::archive::Member &member = *package->programs().front().member;
    if (member.size > maxRecord)
        return unreadable("the record is longer than 16 MiB", std::string(member.name));
    return package->zip.read(member).transform(
        [](const formats::archive::Content &content) { return std::string(content.text()); });
}

} // namespace

IndentedJson indentedJson(std::string_view text) { return JsonIndenter(text).indented(); }

Result<SourcePage> jsonRecord(const ir::Model &model, ir::FunctionId function)
{
    CUTAWAY_TRY(const auto program, programText(model));
    IndentedJson json = indentedJson(program);
    SourcePage page{std::move(json.text), "JSON", {}};
    const auto nodes = nodesByResult(model.at(function).graph);
    for (const IndentedJson::Record &record : json.records)
        if (const auto node = nodes.find(record.result); node != nodes.end() && node->second)
            for (std::uint32_t line = record.first; line <= record.last; ++line)
                page.lines.push_back({line, *node->second});
    return page;
}

} // namespace cutaway::print
