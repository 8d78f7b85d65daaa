// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/archive_lowering.h"
#include "core/formats/torchscript/lowering/environment.h"
#include "core/formats/torchscript/lowering/graph_builder.h"

namespace cutaway::formats::torchscript {

/// A function of the archive while its body is lowered: the meanings of its names, and where its nodes come from.
class Frame {
public:
    /// `call` is the module call that the body belongs to, with the line of the call.
    Frame(ArchiveLowering &archive, const FunctionDefinition &function, NodeOrigin call)
        : function(function),
          facts(archive.facts(function)),
          call(call),
          m_archive(archive)
    {
    }

    const FunctionDefinition &function;
    const Facts &facts;
    const NodeOrigin call;
    Environment names;

    const Tree &tree() const { return function.unit->file.tree; }
    ir::TypeId typeOf(ExpressionId syntax) const { return m_archive.types.of(tree(), syntax); }
    NodeOrigin origin(Position position) const;
    /// Returns "code/a.py, line 3".
    std::string describe(Position position) const;
    /// Notes an error and returns an unknown value.
    Term unknown(const std::string &message, Position position) const;

private:
    ArchiveLowering &m_archive;
};

} // namespace cutaway::formats::torchscript
