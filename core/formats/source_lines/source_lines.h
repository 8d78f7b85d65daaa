// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace cutaway::formats {

/// Reads source positions from the texts that torch's exporters leave at nodes, in every format: the innermost frame,
/// linked to its callers. Equal texts are read once; they must live as long as the reader.
class SourceLines {
public:
    explicit SourceLines(ir::Context &context) : m_context(context) { }

    /// Reads a Python traceback, outermost frame first (`File "f.py", line 3, in forward` and the line's text). Frames
    /// of generated code (`<eval_with_key>.3`, `<string>`), which has no file to look at, are left out.
    ir::LocationId fromTraceback(std::string_view text);
    /// Reads a doc string with `file.py(3): forward` lines, innermost first. No position if the text is something else.
    ir::LocationId fromDocString(std::string_view text);

private:
    ir::LocationId readTraceback(std::string_view text);
    ir::LocationId readDocString(std::string_view text);

    ir::Context &m_context;
    std::unordered_map<std::string_view, ir::LocationId> m_known; ///< whole texts: neighbours repeat them
};

/// The texts that SourceLines reads as this position: a traceback, and a doc string, which has no source lines.
std::string printTraceback(const ir::Context &context, ir::LocationId location);
std::string printDocString(const ir::Context &context, ir::LocationId location);
/// Whether a frame of the chain has its source line.
bool hasSourceLines(const ir::Context &context, ir::LocationId location);

} // namespace cutaway::formats
