// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/notes/notes.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/limits.h"

namespace cutaway::formats {

void Notes::info(std::string_view code, std::string message) { add(ir::Severity::Info, code, std::move(message)); }

void Notes::warning(std::string_view code, std::string message)
{
    add(ir::Severity::Warning, code, std::move(message));
}

void Notes::error(std::string_view code, std::string message) { add(ir::Severity::Error, code, std::move(message)); }

void Notes::finish()
{
    for (const auto &[code, seen] : m_seen)
        if (const int more = seen.second - limits::maxNotesPerKind; more > 0)
            m_model.diagnose(seen.first, code, formatted("and {} more of this kind", more));
}

void Notes::add(ir::Severity severity, std::string_view code, std::string message)
{
    auto [entry, isNew] = m_seen.try_emplace(std::string(code), severity, 0);
    if (++entry->second.second <= limits::maxNotesPerKind)
        m_model.diagnose(severity, std::string(code), std::move(message));
}

std::string shown(std::string_view name)
{
    constexpr std::size_t maxLength = 120;
    if (name.size() <= maxLength)
        return "\"" + sanitized(name) + "\"";
    return "\"" + sanitized(name.substr(0, maxLength)) + "…\"";
}

std::string shown(const ir::NodeRef &node) { return node.fullName() + " node " + sanitized(node.name()); }

} // namespace cutaway::formats
