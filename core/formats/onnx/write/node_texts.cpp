// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/write/node_texts.h"

#include "core/formats/source_lines/source_lines.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace cutaway::formats::onnx {

namespace {

/// Returns 2 for "region 2"; nothing for other texts.
std::optional<std::size_t> regionOf(std::string_view text)
{
    constexpr std::string_view start = "region ";
    std::size_t index = 0;
    if (!text.starts_with(start))
        return std::nullopt;
    const char *const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data() + start.size(), end, index);
    return error == std::errc{} && last == end ? std::optional(index) : std::nullopt;
}

} // namespace

NodeTexts::NodeTexts(const ir::NodeRef &node) : m_node(node)
{
    constexpr std::string_view ofAttribute = ": doc_string";
    const ir::Context &context = node.graph().context();
    for (const auto &[keyId, textId] : node->metadata) {
        const std::string_view key = context.text(keyId), text = context.text(textId);
        if (const auto region = regionOf(text); region && *region < node->regions.size())
            m_regionNames.emplace_back(*region, key);
        else if (key == "doc_string")
            m_docString = text;
        else if (key.ends_with(ofAttribute))
            m_documentations.emplace_back(key.substr(0, key.size() - ofAttribute.size()), text);
        else
            m_metadata.emplace_back(key, text);
    }
}

/// The reader keeps no names of standard graph attributes: "then_branch", "else_branch" and "body".
std::vector<std::string_view> NodeTexts::graphAttributes() const
{
    std::vector<std::string_view> names(m_node->regions.size());
    for (const auto &[region, name] : m_regionNames)
        names[region] = name;
    const bool isIf = m_node.opName() == "If" || std::ranges::count(names, std::string_view()) > 1;
    bool isFirst = true;
    for (std::string_view &name : names)
        if (name.empty())
            name = !isIf ? "body" : std::exchange(isFirst, false) ? "then_branch" : "else_branch";
    return names;
}

std::string_view NodeTexts::documentationOf(std::string_view attribute) const
{
    const auto found = std::ranges::find(m_documentations, attribute, [](const auto &pair) { return pair.first; });
    return found == m_documentations.end() ? std::string_view() : found->second;
}

/// Whether the node's source position is written as its doc string, because it has no source lines.
bool NodeTexts::placeIsDocString() const
{
    return m_docString.empty() && !hasSourceLines(m_node.graph().context(), m_node->location);
}

std::string NodeTexts::docString() const
{
    return placeIsDocString() ? printDocString(m_node.graph().context(), m_node->location) : std::string(m_docString);
}

std::string NodeTexts::traceback() const
{
    return placeIsDocString() ? std::string() : printTraceback(m_node.graph().context(), m_node->location);
}

} // namespace cutaway::formats::onnx
