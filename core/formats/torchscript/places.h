// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/source_lines/source_lines.h"
#include "core/formats/torchscript/code.h"

#include <map>
#include <vector>

namespace cutaway::formats::torchscript {

/// Where code comes from: the line that was scripted or traced, else the line of the archive's own file.
class Places {
public:
    explicit Places(ir::Context &context) : m_context(context), m_traces(context) { }

    /// `caller` is where the code was called from; a traced line has its own callers.
    ir::LocationId at(const Unit &unit, Place place, ir::LocationId caller);

private:
    ir::LocationId inArchive(const Unit &unit, Place place, ir::LocationId caller);

    ir::Context &m_context;
    SourceLines m_traces;
    std::map<const Unit *, std::vector<std::uint32_t>> m_lineStarts;
};

} // namespace cutaway::formats::torchscript
