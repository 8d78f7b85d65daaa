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
        Entry, ///< the point where a value enters through the upper border of the open box around the plane
        Exit,  ///< the point where a value leaves through the lower border of that box
    };
    Kind kind = Kind::Box;
    std::uint32_t box = 0;  ///< index of the box; for Entry and Exit that of the box around the plane
    std::uint32_t port = 0; ///< for Entry and Exit: the number of the port
};

/// The values that flow between two ends in one plane.
struct SceneLink {
    std::uint32_t from = 0; ///< indices of vertices of the plane
    std::uint32_t to = 0;
    std::optional<std::uint32_t> fromPort{}; ///< port of an open box: its exit in `from`, its entry in `to`
    std::optional<std::uint32_t> toPort{};
    Values values{};
    bool isQuiet = true;                 ///< see Edge::isQuiet
    bool isBridge = true;                ///< see Edge::isBridge
    std::optional<std::uint32_t> stub{}; ///< the stub that is drawn in place of the link
};

/// A short line with the name of a source, drawn in place of the long links that end at one vertex.
struct SceneStub {
    std::string source{}; ///< the name of the first source
    std::size_t links = 0;
};

/// The inside of an open box, or of the whole function.
struct ScenePlane {
    std::optional<std::uint32_t> box; ///< the open box around; none for the outermost plane
    std::uint32_t level = 0;
    std::vector<SceneVertex> vertices{};
    std::vector<SceneLink> links{};
    std::vector<SceneStub> stubs{}; ///< links with one end share a stub
    std::uint32_t entries = 0;
    std::uint32_t exits = 0;
};

/// The boxes of a diagram and the values that flow between them, plane by plane, before layout.
struct Scene {
    std::vector<Box> boxes;
    std::vector<std::optional<std::uint32_t>> planeIn; ///< by box: the plane inside; only open boxes have one
    std::vector<ScenePlane> planes;                    ///< each plane comes after the one that contains its box
    std::vector<std::string> notes;
};

/// A node or region that reads a value.
struct Read {
    ir::Use by;
    ir::ValueId as; ///< the value that `by` reads itself: another one if hidden nodes lie between
};

/// A function without its hidden nodes.
struct Remainder {
    std::vector<bool> hasPart;            ///< by part of the outline
    std::vector<std::vector<Read>> reads; ///< by ValueId: its reads, without those of hidden values and hidden readers
    std::string note;                     ///< the message about hidden nodes; "" if there are none
};

/// Returns the function without the nodes of the hidden kinds. A node with regions, a module and plumbing are hidden
/// only if nothing in them is left. The readers of a hidden node's results read its operands instead. If the node joins
/// several values, they read all of these, except for a value that comes through more than one joining node if another
/// of the values is computed from it: a chain of residual blocks stays a chain. O(nodes) for most graphs.
Remainder remainderOf(const ir::Function &function, const Outline &outline, const Hidden &hidden);

/// Makes the scene of a function. `remainder` is the function without its hidden nodes; nullptr: everything is shown.
/// O(values × uses × nesting).
Scene makeScene(const ir::Model &model, const ir::Function &function, const Outline &outline,
                const Expansion &expansion, const Knowledge &knowledge, const Remainder *remainder,
                std::stop_token stop);

} // namespace cutaway::layout
