// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/write/kept_texts.h"

#include <utility>

namespace cutaway::formats::onnx {

namespace {

std::string prefixOf(std::string_view kind, std::string_view name)
{
    std::string prefix(kind);
    if (kind != "model" && kind != "main graph") // a file has one model and one main graph, which need no name
        prefix.append(" ").append(name);
    return prefix + ": ";
}

} // namespace

KeptTexts::KeptTexts(const ir::Model &model)
{
    for (const ir::Attachment &attachment : model.attachments)
        if (attachment.text)
            m_entries.emplace(attachment.name, Entry{*attachment.text});
}

KeptTexts::Texts KeptTexts::take(std::string_view kind, std::string_view name)
{
    Texts texts;
    if (m_entries.empty())
        return texts;
    const std::string prefix = prefixOf(kind, name);
    for (auto entry = m_entries.lower_bound(prefix); entry != m_entries.end() && entry->first.starts_with(prefix);
         ++entry) {
        const std::string_view key = entry->first.substr(prefix.size());
        if (entry->second.taken || (!texts.empty() && texts.back().first == key))
            continue;
        entry->second.taken = true;
        texts.emplace_back(key, entry->second.text);
    }
    return texts;
}

bool KeptTexts::has(std::string_view kind, std::string_view name) const
{
    if (m_entries.empty())
        return false;
    const std::string prefix = prefixOf(kind, name);
    for (auto entry = m_entries.lower_bound(prefix); entry != m_entries.end() && entry->first.starts_with(prefix);
         ++entry)
        if (!entry->second.taken)
            return true;
    return false;
}

std::string_view KeptTexts::take(std::string_view kind, std::string_view name, std::string_view key)
{
    const auto [first, last] = m_entries.equal_range(prefixOf(kind, name).append(key));
    for (auto entry = first; entry != last; ++entry)
        if (!std::exchange(entry->second.taken, true))
            return entry->second.text;
    return {};
}

std::vector<std::string_view> KeptTexts::valuesWith(std::string_view key) const
{
    constexpr std::string_view start = "value ";
    std::vector<std::string_view> names;
    const std::string end = ": " + std::string(key);
    for (const auto &[name, entry] : m_entries)
        if (!entry.taken && name.starts_with(start) && name.ends_with(end) && name.size() >= start.size() + end.size())
            names.push_back(name.substr(start.size(), name.size() - start.size() - end.size()));
    return names;
}

} // namespace cutaway::formats::onnx
