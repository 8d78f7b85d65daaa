// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/outline.h"

#include "core/base/checked.h"
#include "core/sequence/printed.h"
#include "core/sequence/results.h"
#include "core/sequence/statements.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

// A graph's text is read statement by statement. Each statement that is part of the graph adds its hash in order, so
// that two texts of one graph have the same sum. Statements that assign a computed value are nodes.

namespace cutaway::sequence {

namespace {

constexpr std::uint64_t hashPrime = 0x9e3779b97f4a7c15;

std::uint64_t mixed(std::uint64_t sum, std::string_view text)
{
    return (sum ^ std::hash<std::string_view>{}(text)) * hashPrime + (sum >> 29);
}

/// A class of the text: the graph, or a subgraph in it.
struct Body {
    std::string name;
    std::size_t indentation = 0, parent = 0;
    std::uint64_t nodes = 0;                    ///< number of nodes of this graph, without those of subgraphs
    std::map<std::string, std::string> aliases; ///< by name of a value: the attribute that it is, perhaps a subgraph
    std::map<std::string, std::uint64_t> uses;  ///< by attribute: the number of nodes that use it
    PrintedResults results = {};
};

std::uint64_t saturated(std::optional<std::uint64_t> number)
{
    return number.value_or(std::numeric_limits<std::uint64_t>::max());
}

class CodeOutline {
public:
    void add(std::string_view line)
    {
        m_statements.add(line, [this](std::string_view text) { take(text, statementIn(text)); });
    }

    Outline finish()
    {
        m_outline.nodes = totalNodes();
        return m_outline;
    }

private:
    void take(std::string_view text, const Statement &statement)
    {
        switch (statement.meaning) {
        case Statement::Meaning::Nothing:
            return;
        case Statement::Meaning::Class:
            if (begin(statement.value))
                return; // the name of the outermost class does not count for the graph
            break;
        case Statement::Meaning::Function:
            m_outline.fingerprint = mixed(m_outline.fingerprint, statement.value);
            return;
        case Statement::Meaning::Results:
            m_outline.isWhole |= m_statements.indentation() <= m_bodies.front().indentation + bodyIndentation;
            break;
        case Statement::Meaning::Attribute:
            takeAttribute(statement);
            break;
        case Statement::Meaning::Item:
        case Statement::Meaning::Node:
            takeNode(statement);
            break;
        default:
            break;
        }
        m_outline.fingerprint = mixed(m_outline.fingerprint, text);
    }

    /// Begins a class. Returns true if it is the outermost one.
    bool begin(std::string_view text)
    {
        const std::size_t indentation = m_statements.indentation();
        const bool isFirst = !std::exchange(m_hasClass, true);
        if (isFirst) {
            m_bodies.front().indentation = indentation;
            return true;
        }
        while (m_current > 0 && m_bodies[m_current].indentation >= indentation)
            m_current = m_bodies[m_current].parent;
        constexpr std::string_view keyword = "class ";
        const std::string_view name = text.substr(std::min(keyword.size(), text.size()));
        m_bodies.push_back({.name = std::string(name.substr(0, name.find('('))),
                            .indentation = indentation,
                            .parent = std::exchange(m_current, m_bodies.size()),
                            .aliases = {},
                            .uses = {}});
        return false;
    }

    void takeAttribute(const Statement &statement)
    {
        constexpr std::string_view self = "self.";
        if (statement.value.starts_with(self))
            m_bodies[m_current].aliases.insert_or_assign(std::string(statement.name),
                                                         std::string(statement.value.substr(self.size())));
    }

    /// Counts a node. It has a region for each subgraph that it names or calls.
    void takeNode(const Statement &statement)
    {
        Body &body = m_bodies[m_current];
        body.nodes += body.results.isNode(statement);
        constexpr std::string_view self = "self.";
        if (statement.value.starts_with(self))
            ++body.uses[std::string(statement.value.substr(self.size(), statement.value.find('(') - self.size()))];
        if (!body.aliases.empty())
            forEachName(statement.value, [&](std::string_view name) {
                if (const auto alias = body.aliases.find(std::string(name)); alias != body.aliases.end())
                    ++body.uses[alias->second];
            });
    }

    /// Counts all nodes, those of a subgraph once for each of its uses. Subgraphs come after the graphs that use them.
    std::uint64_t totalNodes() const
    {
        std::vector<std::uint64_t> totals(m_bodies.size());
        for (std::size_t i = m_bodies.size(); i-- > 0;) {
            totals[i] = saturated(checkedAdd(totals[i], m_bodies[i].nodes));
            const Body &parent = m_bodies[m_bodies[i].parent];
            const auto uses = parent.uses.find(m_bodies[i].name);
            if (i > 0 && uses != parent.uses.end())
                totals[m_bodies[i].parent] = saturated(
                    checkedAdd(totals[m_bodies[i].parent], saturated(checkedMultiply(totals[i], uses->second))));
        }
        return totals.front();
    }

    /// The number of columns by which a function's body is indented more than its class.
    static constexpr std::size_t bodyIndentation = 8;

    Statements m_statements;
    Outline m_outline;
    std::vector<Body> m_bodies = std::vector<Body>(1);
    std::size_t m_current = 0; ///< the class that the current statement is in
    bool m_hasClass = false;
};

/// Counts a node of a list: `    %addmm : [num_users=1] = call_function[target=torch.ops.aten.addmm.default](args =
/// (%a, %b), kwargs = {})`, or a row of a table, `call_function  addmm  aten.addmm.default  (a, b)  {}`.
void addListed(Outline &outline, std::string_view line)
{
    const std::size_t start = line.find_first_not_of(' ');
    if (start == std::string_view::npos)
        return;
    line.remove_prefix(start);
    outline.isWhole |= line.starts_with("return ") || line.starts_with("output ");
    outline.fingerprint = mixed(outline.fingerprint, line);
    const std::size_t equals = line.find(" = ");
    outline.nodes += line.starts_with("call_");
    outline.nodes +=
        line.starts_with('%') && equals != std::string_view::npos && line.substr(equals + 3).starts_with("call_");
}

/// Whether a line is the graph signature, which comes after the graph.
bool isSignature(std::string_view line)
{
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line.starts_with("Graph signature:");
}

} // namespace

Outline outlineOf(const Excerpt &text)
{
    Outline listed;
    CodeOutline code;
    std::string storage;
    bool isList = false;
    text.forEachLine([&](std::string_view raw) {
        const std::string_view line = plainLine(raw, storage);
        if (isSignature(line))
            return false;
        if (line.starts_with("graph():") || line.starts_with("opcode "))
            isList = true;
        else if (isList)
            addListed(listed, line);
        else if (!line.starts_with("ExportedProgram:"))
            code.add(line);
        return true;
    });
    return isList ? listed : code.finish();
}

} // namespace cutaway::sequence
