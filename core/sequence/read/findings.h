// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <map>
#include <string_view>

namespace cutaway::sequence {

/// Collects the diagnostics of one file. The first few of each kind are kept and the rest is counted: a damaged log may
/// have the same fault a thousand times.
class Findings {
public:
    Findings(Document &document, std::string file) : m_document(document), m_file(std::move(file)) { }

    void note(std::string_view message, std::optional<std::uint64_t> line = {});
    /// Adds a warning. `detail` is appended to the message; warnings that differ only in `detail` are of the same kind.
    void warning(std::string_view message, std::optional<std::uint64_t> line = {}, std::string_view detail = {});
    /// Adds messages with the numbers of findings beyond the limit. To be called once, at the end.
    void finish();

private:
    void add(ir::Severity severity, std::string_view message, std::string_view detail,
             std::optional<std::uint64_t> line);

    Document &m_document;
    std::string m_file;
    std::map<std::string, std::pair<ir::Severity, std::size_t>, std::less<>> m_seen;
};

} // namespace cutaway::sequence
