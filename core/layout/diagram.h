// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cow.h"
#include "core/ir/ids.h"
#include "core/ir/lists.h"
#include "core/layout/geometry.h"
#include "core/ops/category.h"

#include <string>
#include <variant>
#include <vector>

namespace cutaway::layout {

/// The things that a box of a diagram can represent. One thing has the same subject in every diagram of a function, so
/// selection and open boxes survive a new layout.
struct InputSubject {
    ir::ValueId value;
    auto operator<=>(const InputSubject &) const = default;
};
struct OutputSubject {
    std::uint32_t index = 0; ///< index among the outputs of `region`
    ir::RegionId region;
    auto operator<=>(const OutputSubject &) const = default;
};
/// A module's box within one region (a scope may extend into several branches).
struct ScopeSubject {
    ir::ScopeId scope;
    ir::RegionId region;
    auto operator<=>(const ScopeSubject &) const = default;
};
/// Consecutive siblings drawn as one box: equal modules ("× 12"), or a slice of too many to show. `first` and `last`
/// are indices into the contents of `scope` in `region`, in execution order. Drawn as a Module.
struct GroupSubject {
    ir::ScopeId scope;
    ir::RegionId region;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    auto operator<=>(const GroupSubject &) const = default;
};
/// Consecutive nodes or modules that belong together by the graph alone, see core/structure/structure.h: they were
/// found, and are not in the file. Drawn as a Module with a dashed frame.
struct FoundSubject {
    ir::ScopeId scope; ///< the scope in which the part was found
    ir::RegionId region;
    ir::NodeId first, last;  ///< the first and last node of the part, in the order of drawing
    std::uint32_t level = 0; ///< distinguishes parts with the same nodes: 0 is the outermost one
    std::uint32_t times = 0; ///< how many blocks a repetition has
    auto operator<=>(const FoundSubject &) const = default;
};
/// The plumbing of a module call, see core/structure/plumbing.h: masks, checks, sizes and constants that stand directly
/// in it, drawn as one box. Drawn as a Module.
struct PlumbingSubject {
    ir::ScopeId scope;
    ir::RegionId region;
    /// The first node of the plumbing of a found part; nothing if the plumbing is that of the whole scope.
    std::optional<ir::NodeId> first{};
    auto operator<=>(const PlumbingSubject &) const = default;
};
using Subject = std::variant<ir::NodeId, ScopeSubject, ir::RegionId, InputSubject, OutputSubject, GroupSubject,
                             FoundSubject, PlumbingSubject>;

/// One line of text on a card.
struct Line {
    enum class Style : std::uint8_t {
        Title,  ///< operator or module name, medium weight
        Muted,  ///< class, dialect and overload, summary
        Detail, ///< the main arguments
        Weight, ///< "weight 64×3×7×7", monospace
    };
    std::string text;
    Style style = Style::Detail;
};

struct Box {
    enum class Kind : std::uint8_t { Node, Module, Region, Input, Output };
    Kind kind = Kind::Node;
    Subject subject{};
    ir::RareList<Subject> others{}; ///< further inputs or outputs that the box stands for
    Rect rect{};
    ops::Category category = ops::Category::Unknown;
    std::vector<Line> lines{}; ///< from top to bottom, see card.h; an open box shows the lines of its header
    bool open = false;         ///< whether the contents of a Module, a Region or a Node with regions are drawn inside
    bool canOpen = false;
    int depth = 0;                         ///< nesting depth; 0 is outermost
    std::optional<std::uint32_t> parent{}; ///< index of the enclosing box
};

/// The values that an edge carries: mostly one.
using Values = ir::ShortList<ir::ValueId, 2>;

/// An edge between two boxes of one plane. If one of them is the open box around the plane, the edge starts at its
/// upper or ends at its lower border, and edges outside continue from there.
struct Edge {
    enum class Form : std::uint8_t {
        Line, ///< drawn over its whole length
        Stub, ///< the last piece before `to`, labelled with the source's name, for distant or much read values
    };
    Form form = Form::Line;
    bool isQuiet = false;   ///< whether it carries only sizes: numbers, or values that plumbing computes
    bool isBridge = false;  ///< whether hidden nodes lie between its ends, see Hidden
    bool goesOn = false;    ///< whether another edge continues this one beyond a border; then this one has no arrow
    std::uint32_t from = 0; ///< box indices
    std::uint32_t to = 0;
    Values values{};             ///< values that the edge carries: several where boxes are closed
    std::string label{};         ///< "float32 [1, 64, 112, 112]" of the one value, "3 values", or ""
    std::vector<Point> points{}; ///< cubic Bézier: start, then control, control, end for each segment
    Cow<Rect> labelRect{};       ///< the label's rectangle; empty: the label is not drawn
};

/// A laid-out picture of one function: plain data, computed off the UI thread, drawn by the window and the SVG writer.
struct Diagram {
    Rect bounds;
    std::vector<Box> boxes; ///< boxes, each before the boxes that it contains
    std::vector<Edge> edges;
    std::vector<std::string> notes; ///< messages about what the layout had to simplify
};

} // namespace cutaway::layout
