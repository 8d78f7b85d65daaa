// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"
#include "core/layout/expansion.h"
#include "core/layout/knowledge.h"
#include "core/layout/outline.h"

#include <map>
#include <stop_token>

namespace cutaway::layout {

/// A vertex of one plane of the scene.
struct SceneVertex {
    enum class Kind : std::uint8_t {
        Box,
        Entry, ///< where a value enters through the upper border of the open box around the plane
        Exit,  ///< where a value leaves through the lower border
    };
    Kind kind = Kind::Box;
    std::uint32_t box = 0;  ///< Box: itself. Entry and Exit: the box around
    std::uint32_t port = 0; ///< Entry, Exit: its number
};

/// The values that flow between two ends in one plane.
struct SceneLink {
    std::uint32_t from = 0; ///< vertices of the plane
    std::uint32_t to = 0;
    std::optional<std::uint32_t> fromPort{}; ///< exit or entry of an open box
    std::optional<std::uint32_t> toPort{};
    Values values{};
    bool isQuiet = true;                 ///< as Edge::isQuiet
    bool isBridge = true;                ///< as Edge::isBridge
    std::optional<std::uint32_t> stub{}; ///< the stub that is drawn instead of it
};

/// A short line with the name of a source, drawn in place of the long links that end at one vertex.
struct SceneStub {
    std::string source{}; ///< the name of the first
    std::size_t links = 0;
};

/// The inside of an open box, or of the whole function.
struct ScenePlane {
    std::optional<std::uint32_t> box; ///< the open box around; none for the outermost plane
    std::uint32_t level = 0;
    std::vector<SceneVertex> vertices{};
    std::vector<SceneLink> links{};
    std::vector<SceneStub> stubs{}; ///< links that end at the same place share one
    std::uint32_t entries = 0;
    std::uint32_t exits = 0;
};

/// The boxes of a diagram and the values that flow between them, plane by plane, before layout.
struct Scene {
    std::vector<Box> boxes;
    std::vector<std::optional<std::uint32_t>> planeIn; ///< by box; only open boxes have one
    std::vector<ScenePlane> planes;                    ///< each plane comes after the one that contains its box
    std::vector<std::string> notes;
};

/// A read of a value.
struct Read {
    ir::Use by;
    ir::ValueId as; ///< the value that is read: another one where hidden nodes stand between
};

/// A function without its hidden nodes.
struct Remainder {
    std::vector<bool> hasPart;            ///< by part of the outline
    std::vector<std::vector<Read>> reads; ///< by ValueId: its reads; hidden values and hidden readers are left out
    std::string note;                     ///< a text on what is hidden, or ""
};

/// Hides the nodes of these kinds; a node with regions, a module and plumbing only where nothing in them is left. The
/// readers of a hidden node's results read its operands instead. If the node joins several values, they read all of
/// these, but a value that comes through more than one joining node is left out if another of the values is computed
/// from it: a chain of residual blocks stays a chain. O(nodes) for most graphs.
Remainder remainderOf(const ir::Function &function, const Outline &outline, const Hidden &hidden);

/// Makes the scene of a function. `remainder`: what is left where something is hidden; nullptr: everything is shown.
/// O(values × uses × nesting).
Scene makeScene(const ir::Model &model, const ir::Function &function, const Outline &outline,
                const Expansion &expansion, const Knowledge &knowledge, const Remainder *remainder,
                std::stop_token stop);

} // namespace cutaway::layout
