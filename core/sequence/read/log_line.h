// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace cutaway::sequence {

/// A line that torch's logging wrote, in the forms that its versions have had:
///
///     V1127 09:41:53.776000 2 torch/_dynamo/output_graph.py:1353] [0/0] [__graph_code] text       2.4 and later
///     V1127 10:08:56.408000 140273787061376 torch/_dynamo/output_graph.py:1353] [0/0] text        2.3
///     [2023-11-27 10:08:56,408] [0/0] torch._dynamo.output_graph.__graph_code: [DEBUG] text       2.2
///
/// each perhaps behind `[rank0]:`. A structured log has the first form with a JSON object as its text. The parts are
/// views of the line; "" where the form has none.
struct LogLine {
    std::optional<int> rank;
    std::string_view writer;    ///< the process and the source line, or the name of the logger
    std::string_view compileId; ///< "0/0_1"
    std::string_view artifact;  ///< "__graph_code"
    std::string_view text;
};

/// Returns the parts of a line that torch's logging wrote, from which colour codes were removed; nothing for other
/// lines.
std::optional<LogLine> parseLogLine(std::string_view line);

/// Whether the line is one of a structured log: a JSON object begins after its prefix.
bool isRecordHeader(const LogLine &line);

} // namespace cutaway::sequence
