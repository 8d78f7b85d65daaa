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
    std::size_t length = 0;    ///< the offset of the text after the prefix
    std::string_view rank;     ///< "0", or ""
    std::string_view place;    ///< "torch/_dynamo/output_graph.py:1353", "torch._dynamo.output_graph"
    std::string_view compile;  ///< "0/0_1", or ""
    std::string_view artifact; ///< "__graph_code", or ""
};

/// Returns the prefix of a line; nothing if it has none. Colour codes before the prefix are part of it.
std::optional<LogPrefix> logPrefix(std::string_view line);

/// Returns the text without log prefixes and a terminal's colour codes in its lines; nothing if it has neither.
std::optional<std::string> withoutLogMarks(std::string_view text);

} // namespace cutaway::formats::graph_text
