// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/outline.h"

#include "core/sequence/printed.h"
#include "core/sequence/statements.h"

#include <algorithm>
#include <functional>

// A graph's text is taken statement by statement. Each one that says something of the graph adds its hash in order, so
// that two texts of one graph have the same sum, and those that assign what is computed are nodes.

namespace cutaway::sequence {

namespace {

constexpr std::uint64_t hashPrime = 0x9e3779b97f4a7c15;

std::uint64_t mixed(std::uint64_t sum, std::string_view text)
{
    return (sum ^ std::hash<std::string_view>{}(text)) * hashPrime + (sum >> 29);
}

class CodeOutline {
public:
    void add(std::string_view line)
    {
        m_statements.add(line, [this](std::string_view text) { take(text, statementIn(text)); });
    }
    const Outline &outline() const { return m_outline; }

private:
    void take(std::string_view text, const Statement &statement)
    {
        switch (statement.meaning) {
        case Statement::Meaning::Nothing:
            return;
        case Statement::Meaning::Class:
            if (m_classes++ > 0)
                break;
            m_outermost = m_statements.indentation();
            return; // the name of the outermost class says nothing of the graph
        case Statement::Meaning::Function:
            m_outline.fingerprint = mixed(m_outline.fingerprint, statement.value);
            return;
        case Statement::Meaning::Results:
            m_outline.isWhole |= m_statements.indentation() <= m_outermost + bodyIndentation;
            break;
        case Statement::Meaning::Node:
            ++m_outline.nodes;
            break;
        default:
            break;
        }
        m_outline.fingerprint = mixed(m_outline.fingerprint, text);
    }

    /// The columns of a function's body behind those of its class.
    static constexpr std::size_t bodyIndentation = 8;

    Statements m_statements;
    Outline m_outline;
    std::size_t m_classes = 0, m_outermost = 0;
};

/// `    %addmm : [num_users=1] = call_function[target=torch.ops.aten.addmm.default](args = (%a, %b), kwargs = {})`
void addListed(Outline &outline, std::string_view line)
{
    const std::size_t start = line.find_first_not_of(' ');
    if (start == std::string_view::npos)
        return;
    line.remove_prefix(start);
    outline.isWhole |= line.starts_with("return ");
    outline.fingerprint = mixed(outline.fingerprint, line);
    const std::size_t equals = line.find(" = ");
    outline.nodes +=
        line.starts_with('%') && equals != std::string_view::npos && line.substr(equals + 3).starts_with("call_");
}

/// The graph is in front of it.
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
        if (line.starts_with("graph():"))
            isList = true;
        else if (isList)
            addListed(listed, line);
        else if (!line.starts_with("ExportedProgram:"))
            code.add(line);
        return true;
    });
    return isList ? listed : code.outline();
}

} // namespace cutaway::sequence
