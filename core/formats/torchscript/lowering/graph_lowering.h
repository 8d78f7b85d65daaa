// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/archive_lowering.h"
#include "core/formats/torchscript/lowering/constant_folder.h"
#include "core/formats/torchscript/lowering/graph_builder.h"

namespace cutaway::formats::torchscript {

/// The state of the functions that are lowered into one graph: a root function and those that are inlined into it.
struct GraphLowering {
    enum class Calls : std::uint8_t { Inlined, Kept };

    GraphLowering(ArchiveLowering &archive, const FunctionDefinition &root, Calls calls)
        : archive(archive),
          calls(calls),
          builder(archive.model, archive.objects, archive.types),
          stack(root),
          folder(archive.model, archive.types, builder.graph, stack)
    {
    }
    GraphLowering(const GraphLowering &) = delete;
    GraphLowering &operator=(const GraphLowering &) = delete;

    ArchiveLowering &archive;
    const Calls calls;
    GraphBuilder builder;
    CallStack stack;
    ConstantFolder folder;
    int depth = 0; ///< the nesting depth of expressions and statements, summed over all functions of the stack

    /// Counts a level of depth during its lifetime.
    class Level {
    public:
        explicit Level(GraphLowering &graph) : m_depth(graph.depth) { ++m_depth; }
        ~Level() { --m_depth; }
        Level(const Level &) = delete;
        Level &operator=(const Level &) = delete;

    private:
        int &m_depth;
    };
};

} // namespace cutaway::formats::torchscript
