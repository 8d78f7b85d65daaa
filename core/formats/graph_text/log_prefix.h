// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::formats::graph_text {

/// The words that torch's logger writes before the text of each line:
///
///     [rank0]:V1127 09:41:53.776000 2 torch/_dynamo/output_graph.py:1353] [0/0] [__graph_code] TEXT
///     [2023-11-27 09:41:53,776] [0/0] torch._dynamo.output_graph: [DEBUG] TEXT
struct LogPrefix {
    std::size_t length = 0;    ///< up to the text
    std::string_view rank;     ///< "0", or ""
    std::string_view place;    ///< "torch/_dynamo/output_graph.py:1353", "torch._dynamo.output_graph"
    std::string_view compile;  ///< "0/0_1", or ""
    std::string_view artifact; ///< "__graph_code", or ""
};

/// Nothing for a line without such a prefix. Colours before it count as part of it.
std::optional<LogPrefix> logPrefix(std::string_view line);

/// The text with as many lines, but without prefixes of a log and without a terminal's colours; nothing where it has
/// neither.
std::optional<std::string> withoutLogMarks(std::string_view text);

} // namespace cutaway::formats::graph_text
