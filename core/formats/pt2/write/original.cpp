// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/write/original.h"

#include "core/base/formatted.h"

#include <limits>
#include <string_view>

namespace cutaway::formats::pt2 {

namespace {

constexpr std::int64_t writtenMajor = 8;

void replaceAll(std::string &text, const std::string &what, const std::string &by)
{
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

} // namespace

Original::Original(const JsonDocument &document, const ir::Model &model, const ir::Function &function)
    : m_program(document.root()),
      m_model(model),
      m_function(function)
{
    collect(m_program["graph_module"]["graph"]);
}

/// Collects the graphs in the order in which GraphReader reads them: the graphs of a node follow the node.
void Original::collect(Json graph)
{
    m_graphs.push_back(graph);
    graph["nodes"].forEach([&](Json node) {
        m_nodes.push_back(node);
        node["inputs"].forEach([&](Json input) {
            if (const Json inner = input["arg"]["as_graph"]; inner.exists())
                collect(inner["graph"]);
        });
    });
}

std::int64_t Original::schemaMinor() const
{
    const Json version = m_program["schema_version"];
    const std::int64_t major = version["major"].integer().value_or(0);
    if (major != writtenMajor)
        return major > writtenMajor ? std::numeric_limits<std::int64_t>::max() : 0;
    return version["minor"].integer().value_or(0);
}

std::string Original::copied(Json part) const
{
    std::string text = part.print();
    if (schemaMinor() >= minorWithQuotedInfinity)
        return text;
    // Quotes inside a text are escaped, so that these matches can only be members.
    for (const std::string_view key : {"as_float", "min_val", "max_val"})
        for (const std::string_view word : {"Infinity", "-Infinity", "NaN"})
            replaceAll(text, formatted(R"("{}":"{}")", key, word), formatted(R"("{}":{})", key, word));
    return text;
}

} // namespace cutaway::formats::pt2
