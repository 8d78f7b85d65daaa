// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/printed.h"

#include "core/sequence/statements.h"

#include <algorithm>
#include <array>

namespace cutaway::sequence {

namespace {

using Meaning = Statement::Meaning;

bool isAllOf(std::string_view text, bool (*isOne)(char)) { return !text.empty() && std::ranges::all_of(text, isOne); }

/// Whether a value is a name or a number: no call, no index, no operator.
bool isPlainValue(std::string_view value)
{
    return isAllOf(value, isNameCharacter)
        || isAllOf(value, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; });
}

/// Whether a value is `self.a.b` or `getattr(self.a, "0")`, and no call of it.
bool isAttribute(std::string_view value)
{
    constexpr std::string_view byName = "getattr(";
    value.remove_prefix(value.starts_with(byName) ? byName.size() : 0);
    return (value.starts_with("self.") || value.starts_with("self,")) && !value.contains('(') && !value.contains('[');
}

/// Whether a value is like `torch.float32`, which is no value of the graph.
bool isGlobal(std::string_view value)
{
    return value.starts_with("torch.") && isAllOf(value, [](char c) { return isNameCharacter(c) || c == '.'; });
}

/// Whether a value is like `split[0]`.
bool isItem(std::string_view value)
{
    const std::size_t open = value.find('[');
    if (open == std::string_view::npos || !isAllOf(value.substr(0, open), isNameCharacter) || !value.ends_with(']'))
        return false;
    std::string_view index = value.substr(open + 1, value.size() - open - 2);
    index.remove_prefix(index.starts_with('-') ? 1 : 0);
    return isAllOf(index, [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether a statement only frees memory: `None`, or `b = None`.
bool isFree(std::string_view value) { return value == "None" || (value.ends_with("=None") && !value.contains('(')); }

Meaning meaningOf(const Statement &parts)
{
    if (parts.name.empty() || isFree(parts.value))
        return Meaning::Nothing;
    if (parts.value.empty())
        return parts.annotation.empty() ? Meaning::Nothing : Meaning::Input;
    if (isPlainValue(parts.value) || isGlobal(parts.value))
        return Meaning::Input;
    if (isAttribute(parts.value))
        return Meaning::Attribute;
    return isItem(parts.value) ? Meaning::Item : Meaning::Node;
}

std::string_view withoutQuotes(std::string_view text)
{
    const bool isQuoted =
        text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
    return isQuoted ? text.substr(1, text.size() - 2) : text;
}

/// Returns the end of an annotation that starts at `at`.
std::size_t annotationEnd(std::string_view text, std::size_t at)
{
    if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
        const std::size_t end = text.find(text[at], at + 1);
        return end == std::string_view::npos ? text.size() : end + 1;
    }
    return std::min(text.find('=', at), text.size());
}

/// Splits "name: annotation = value".
Statement assignmentIn(std::string_view text)
{
    Statement parts;
    std::size_t at = 0;
    while (at < text.size() && isNameCharacter(text[at]))
        ++at;
    parts.name = text.substr(0, at);
    if (at < text.size() && text[at] == ':') {
        const std::size_t end = annotationEnd(text, at + 1);
        parts.annotation = withoutQuotes(text.substr(at + 1, end - at - 1));
        at = end;
    }
    if (at < text.size() && text[at] == '=' && !text.substr(at).starts_with("=="))
        parts.value = text.substr(at + 1);
    parts.meaning = meaningOf(parts);
    return parts;
}

bool isKeyword(std::string_view text, std::string_view keyword)
{
    return text.starts_with(keyword) && (text.size() == keyword.size() || !isNameCharacter(text[keyword.size()]));
}

/// Returns the parameters between the brackets of `(self, x: "f32[4, 8]", y)`.
std::vector<std::string_view> parametersIn(std::string_view text)
{
    std::vector<std::string_view> parameters;
    const std::size_t open = text.find('('), close = text.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close <= open)
        return parameters;
    text = text.substr(open + 1, close - open - 1);
    char quote = '\0';
    std::size_t start = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || (text[i] == ',' && quote == '\0')) {
            parameters.push_back(text.substr(start, i - start));
            start = i + 1;
        } else if (quote == text[i]) {
            quote = '\0';
        } else if (quote == '\0' && (text[i] == '"' || text[i] == '\'')) {
            quote = text[i];
        }
    }
    return parameters;
}

/// Reads the outermost graph of a text statement by statement.
class GraphPrinted {
public:
    /// Reads a line. Returns false if the graph is complete.
    bool add(std::string_view line)
    {
        m_statements.add(line, [this](std::string_view text) { take(statementIn(text)); });
        return !m_isDone;
    }
    bool hasNode() const { return !m_graph.nodes.empty(); }
    PrintedGraph finish() { return std::move(m_graph); }

private:
    void take(const Statement &statement)
    {
        if (m_isDone)
            return;
        switch (statement.meaning) {
        case Meaning::Function:
            return takeParameters(statement.value);
        case Meaning::Input:
            return takeInput(statement);
        case Meaning::Attribute:
        case Meaning::Item:
        case Meaning::Node:
            return m_graph.nodes.push_back(
                {std::string(statement.name), std::string(statement.annotation), std::string(statement.value)});
        case Meaning::Results:
            m_graph.results = statement.value;
            m_isDone = true;
            return;
        default:
            return;
        }
    }

    void takeParameters(std::string_view text)
    {
        for (const std::string_view parameter : parametersIn(text)) {
            const Statement parts = assignmentIn(parameter);
            if (parts.name != "self" && !parts.name.empty())
                m_graph.inputs.push_back({std::string(parts.name), std::string(parts.annotation), {}});
        }
    }

    /// Adds an input. The lists `primals` and `tangents` of a joint graph are no inputs, but their unpacked items are.
    void takeInput(const Statement &statement)
    {
        const auto renamed = std::ranges::find(m_graph.inputs, statement.value, &PrintedValue::name);
        if (renamed != m_graph.inputs.end()) {
            renamed->name = statement.name;
        } else if (statement.value.empty()) {
            std::erase_if(m_graph.inputs, [](const PrintedValue &input) {
                return input.name == "primals" || input.name == "tangents";
            });
            m_graph.inputs.push_back({std::string(statement.name), std::string(statement.annotation), {}});
        }
    }

    Statements m_statements;
    PrintedGraph m_graph;
    bool m_isDone = false;
};

} // namespace

bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

Statement statementIn(std::string_view text)
{
    if (isKeyword(text, "class"))
        return {Meaning::Class, {}, {}, text};
    if (isKeyword(text, "def"))
        return {Meaning::Function, {}, {}, text.substr(std::min(text.find('('), text.size()))};
    if (isKeyword(text, "return"))
        return {Meaning::Results, {}, {}, text.substr(6)};
    return assignmentIn(text);
}

PrintedGraph printedGraph(const Excerpt &text)
{
    GraphPrinted graph;
    std::string storage;
    text.forEachLine([&](std::string_view line) { return graph.add(plainLine(line, storage)); });
    return graph.finish();
}

std::vector<PrintedValue> printedInputs(const Excerpt &text)
{
    GraphPrinted graph;
    std::string storage;
    text.forEachLine([&](std::string_view line) { return graph.add(plainLine(line, storage)) && !graph.hasNode(); });
    return graph.finish().inputs;
}

void forEachName(std::string_view expression, const std::function<void(std::string_view)> &visit)
{
    for (std::size_t at = 0; at < expression.size();) {
        const char c = expression[at];
        std::size_t end = at + 1;
        if (c == '"' || c == '\'') {
            end = std::min(expression.find(c, at + 1), expression.size() - 1) + 1;
        } else if (isNameCharacter(c)) {
            while (end < expression.size() && isNameCharacter(expression[end]))
                ++end;
            const std::string_view name = expression.substr(at, end - at);
            const bool isMember = at > 0 && expression[at - 1] == '.';
            const bool isKeywordArgument =
                end + 1 < expression.size() && expression[end] == '=' && expression[end + 1] != '=';
            if (!isMember && !isKeywordArgument && !(c >= '0' && c <= '9'))
                visit(name);
        }
        at = end;
    }
}

std::vector<std::string_view> namesIn(std::string_view expression)
{
    std::vector<std::string_view> names;
    forEachName(expression, [&](std::string_view name) {
        if (!std::ranges::contains(names, name))
            names.push_back(name);
    });
    return names;
}

} // namespace cutaway::sequence
