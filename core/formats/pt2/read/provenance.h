// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/read/reading.h"
#include "core/formats/source_lines/source_lines.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace cutaway::formats::pt2 {

/// Reads where nodes come from, that is their modules and source lines, from the texts that the exporter writes into
/// a node's metadata. Equal texts are read only once; they must live as long as the reader.
class ProvenanceReader {
public:
    /// `modulePrefix` ("decoder." or "") is put before paths in the model's module tree.
    ProvenanceReader(Reading &reading, std::string modulePrefix)
        : m_reading(reading),
          m_modulePrefix(std::move(modulePrefix)),
          m_lines(reading.context())
    {
    }

    /// Returns the scope of "key,path,class;…", outermost first; a key that ends in "@2" is that module's third call.
    ir::ScopeId scope(std::string_view moduleStack);
    /// Returns the location of a Python traceback: its last line of a real file; the lines before it are the callers.
    ir::LocationId location(std::string_view stackTrace) { return m_lines.fromTraceback(stackTrace); }

    /// Returns the module of this path in the model's tree; the root if the path is absurdly deep.
    ir::ModuleId module(std::string_view path);

private:
    ir::ScopeId enter(ir::ScopeId parent, std::string_view entry);

    Reading &m_reading;
    std::string m_modulePrefix;
    std::unordered_map<std::string_view, ir::ScopeId> m_scopes;
    SourceLines m_lines;
};

/// Returns "layer1.0" for `layer1.0`, `L['self'].layer1[0]` or `getattr(L['self'].layer1, '0')`.
std::string plainModulePath(std::string_view written);

} // namespace cutaway::formats::pt2
