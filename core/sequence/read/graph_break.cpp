// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/graph_break.h"

#include <charconv>

namespace cutaway::sequence {

GraphBreak graphBreakIn(const std::string &text)
{
    GraphBreak found{text, {}, {}};
    constexpr std::string_view at = "user code at ", reason = "Reason: ";
    const std::size_t start = text.find(at), end = text.find('\n', start);
    const std::size_t colon = text.rfind(':', end);
    if (start != std::string::npos && colon != std::string::npos && colon > start + at.size()) {
        std::uint64_t line = 0;
        if (std::from_chars(text.data() + colon + 1, text.data() + text.size(), line).ec == std::errc()) {
            found.file = text.substr(start + at.size(), colon - start - at.size());
            found.line = line;
        }
    }
    if (const std::size_t why = text.find(reason); why != std::string::npos)
        found.reason = text.substr(why + reason.size());
    if (const std::size_t trace = found.reason.find("\nUser code traceback"); trace != std::string::npos)
        found.reason.resize(trace);
    return found;
}

} // namespace cutaway::sequence
