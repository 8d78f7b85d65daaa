// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/source_lines/source_lines.h"
#include "core/formats/torchscript/code.h"

#include <map>
#include <vector>

namespace cutaway::formats::torchscript {

/// Finds the line that code comes from: the scripted or traced line, or else the line in the archive's own file.
class SourceLocations {
public:
    explicit SourceLocations(ir::Context &context) : m_context(context), m_traces(context) { }

    /// Returns the location of code. `caller` is the location of the call; a traced line has callers of its own.
    ir::LocationId at(const Unit &unit, Position position, ir::LocationId caller);

private:
    ir::LocationId inArchive(const Unit &unit, Position position, ir::LocationId caller);

    ir::Context &m_context;
    SourceLines m_traces;
    std::map<const Unit *, std::vector<std::uint32_t>> m_lineStarts;
};

} // namespace cutaway::formats::torchscript
