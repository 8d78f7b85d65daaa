// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/findings.h"

#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/sequence/limits.h"

namespace cutaway::sequence {

void Findings::note(std::string_view message, std::optional<std::uint64_t> line)
{
    add(ir::Severity::Info, message, {}, line);
}

void Findings::warning(std::string_view message, std::optional<std::uint64_t> line, std::string_view detail)
{
    add(ir::Severity::Warning, message, detail, line);
}

void Findings::add(ir::Severity severity, std::string_view message, std::string_view detail,
                   std::optional<std::uint64_t> line)
{
    const auto seen = m_seen.try_emplace(std::string(message), severity, 0).first;
    if (++seen->second.second <= limits::maxDiagnosticsPerKind)
        m_document.diagnostics.push_back(
            {severity, detail.empty() ? std::string(message) : formatted("{}: {}", message, detail), m_file, line});
}

void Findings::finish()
{
    for (const auto &[message, seen] : m_seen)
        if (seen.second > limits::maxDiagnosticsPerKind)
            m_document.diagnostics.push_back(
                {seen.first,
                 formatted("{}: {}", message, quantity(seen.second - limits::maxDiagnosticsPerKind, "more line")),
                 m_file,
                 {}});
}

} // namespace cutaway::sequence
