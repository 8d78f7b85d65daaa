// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/read/reading.h"
#include "core/formats/source_lines/source_lines.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace cutaway::formats::pt2 {

/// Reads where nodes come from, modules and source lines, from the texts that the exporter leaves in a node's metadata.
/// Equal texts are read once; they must live as long as the reader.
class ProvenanceReader {
public:
    /// `modulePrefix` ("decoder." or "") is put before paths in the model's module tree.
    ProvenanceReader(Reading &reading, std::string modulePrefix)
        : m_reading(reading),
          m_modulePrefix(std::move(modulePrefix)),
          m_lines(reading.context())
    {
    }

    /// "key,path,class;key,path,class", outermost first; a key that ends in "@2" is the third call of that module.
    ir::ScopeId scope(std::string_view moduleStack);
    /// A Python traceback; the last line of a real file is the node's own, those before it are its callers.
    ir::LocationId location(std::string_view stackTrace) { return m_lines.fromTraceback(stackTrace); }

    /// The module of this path in the model's tree; the root for one that is absurdly deep.
    ir::ModuleId module(std::string_view path);

private:
    ir::ScopeId enter(ir::ScopeId parent, std::string_view entry);

    Reading &m_reading;
    std::string m_modulePrefix;
    std::unordered_map<std::string_view, ir::ScopeId> m_scopes;
    SourceLines m_lines;
};

/// "layer1.0" of the ways exporters write it: `layer1.0`, `L['self'].layer1[0]`, `getattr(L['self'].layer1, '0')`.
std::string plainModulePath(std::string_view written);

} // namespace cutaway::formats::pt2
