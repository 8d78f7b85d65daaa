// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/formatted.h"
#include "core/base/temporary_folder.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/trace/trace.h"

#include <sstream>

namespace cutaway::test {

// Traces as tests write them: a line that is no JSON is an event, LANE START DURATION CATEGORY NAME, perhaps with its
// arguments as an object of JSON behind.

/// "2/2 10 5 cpu_op aten::relu {…}" as an event of a trace.
inline std::string eventOf(const std::string &line)
{
    std::istringstream words(line);
    std::string lane, start, duration, category;
    words >> lane >> start >> duration >> category;
    std::string rest;
    std::getline(words >> std::ws, rest);
    const std::size_t brace = rest.find(" {");
    const std::size_t slash = lane.find('/');
    return formatted(R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {}, "dur": {}{}}})",
                     category, rest.substr(0, brace), lane.substr(0, slash), lane.substr(slash + 1), start, duration,
                     brace == std::string::npos ? "" : R"(, "args": )" + rest.substr(brace + 1));
}

/// The trace behind the text of the case's file.
inline std::string traceOf(const std::string &text)
{
    std::istringstream lines(text);
    std::vector<std::string> events;
    std::string json;
    for (std::string line; std::getline(lines, line);)
        if (!json.empty() || line.starts_with('{'))
            json += line + "\n";
        else if (line.starts_with('-') || (line >= "0" && line < ":"))
            events.push_back(eventOf(line));
    return json.empty() ? R"({"schemaVersion": 1, "traceEvents": [)" + joined(events, ",\n") + "]}" : json;
}

inline Result<trace::Trace> readTrace(const std::string &content, const char *fileName = "run.json")
{
    const auto folder = TemporaryFolder::make();
    if (!folder)
        return std::unexpected(folder.error());
    const std::string path = folder->path() / fileName;
    CUTAWAY_RETURN_IF_ERROR(writeWholeFile(path, content));
    return trace::read(path);
}

} // namespace cutaway::test
