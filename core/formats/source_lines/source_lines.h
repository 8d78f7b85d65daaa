// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace cutaway::formats {

/// Reads source positions from the texts that torch's exporters attach to nodes in every format. A position is the
/// innermost frame, linked to its callers. Equal texts are read only once; they must live as long as the reader.
class SourceLines {
public:
    explicit SourceLines(ir::Context &context) : m_context(context) { }

    /// Reads a Python traceback, outermost frame first (`File "f.py", line 3, in forward` and the text of the line).
    /// Frames of generated code (`<eval_with_key>.3`, `<string>`) are skipped, because there is no file to look at.
    ir::LocationId fromTraceback(std::string_view text);
    /// Reads a doc string with lines `file.py(3): forward`, innermost first. Other texts give no position.
    ir::LocationId fromDocString(std::string_view text);

private:
    ir::LocationId readTraceback(std::string_view text);
    ir::LocationId readDocString(std::string_view text);

    ir::Context &m_context;
    std::unordered_map<std::string_view, ir::LocationId> m_known; ///< by text: neighbouring nodes repeat it
};

/// Prints a position as a text that SourceLines reads again: a traceback. printDocString() prints a doc string, which
/// has no source lines.
std::string printTraceback(const ir::Context &context, ir::LocationId location);
std::string printDocString(const ir::Context &context, ir::LocationId location);
/// Whether any frame of the chain has the text of its source line.
bool hasSourceLines(const ir::Context &context, ir::LocationId location);

} // namespace cutaway::formats
