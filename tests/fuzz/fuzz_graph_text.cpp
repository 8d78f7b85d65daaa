// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/extent.h"
#include "core/formats/graph_text/log_prefix.h"
#include "core/formats/graph_text/reader.h"
#include "core/ir/verify.h"

#include <cstdint>
#include <cstdlib>

/// A graph that can be read becomes a valid model, whatever stands before it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    namespace graph_text = cutaway::formats::graph_text;
    std::string_view text(reinterpret_cast<const char *>(data), size);
    const auto plain = graph_text::withoutLogMarks(text);
    text = plain ? *plain : text;
    for (const graph_text::GraphExtent &graph : graph_text::graphsIn(text, 3)) {
        const auto model = graph_text::readText(text.substr(graph.offset, graph.length), "fuzz.txt", {}, graph.line);
        if (model && !cutaway::ir::verify(*model).empty())
            std::abort();
    }
    return 0;
}
