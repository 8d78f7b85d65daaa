// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/source_lines/source_lines.h"
#include "core/formats/torchscript/code.h"

#include <map>
#include <vector>

namespace cutaway::formats::torchscript {

/// Finds the line that code comes from: the one that was scripted or traced, else that of the archive's own file.
class SourceLocations {
public:
    explicit SourceLocations(ir::Context &context) : m_context(context), m_traces(context) { }

    /// `caller` is where the code was called from; a traced line has its own callers.
    ir::LocationId at(const Unit &unit, Position position, ir::LocationId caller);

private:
    ir::LocationId inArchive(const Unit &unit, Position position, ir::LocationId caller);

    ir::Context &m_context;
    SourceLines m_traces;
    std::map<const Unit *, std::vector<std::uint32_t>> m_lineStarts;
};

} // namespace cutaway::formats::torchscript
