// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/card.h"

#include <QPainterPath>
#include <QRectF>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace cutaway::views {

/// A diagram prepared for drawing and hit testing. Paths and lines of text are made on demand, since few are drawn at a
/// time: those of a hundred thousand boxes would take more memory than the diagram. Boxes and edges are addressed by
/// their index in the diagram.
class Picture {
public:
    explicit Picture(std::shared_ptr<const layout::Diagram> diagram);

    const layout::Diagram &diagram() const { return *m_diagram; }
    const std::shared_ptr<const layout::Diagram> &sharedDiagram() const { return m_diagram; }
    const layout::Box &box(std::uint32_t i) const { return m_diagram->boxes[i]; }
    const layout::Edge &edge(std::uint32_t i) const { return m_diagram->edges[i]; }
    QRectF bounds() const;
    /// Returns the centre of the box that a user sees first: an input near the top, or else the highest box.
    QPointF start() const;

    std::optional<std::uint32_t> find(const layout::Subject &subject) const;
    /// Returns the innermost box at a point. O(boxes).
    std::optional<std::uint32_t> boxAt(layout::Point point) const;
    /// Returns the edge that passes nearest to a point, within `reach`; nothing if none does. O(edges).
    std::optional<std::uint32_t> edgeAt(layout::Point point, double reach) const;
    /// Returns the triangle that opens and closes a box; empty if the box cannot be opened.
    QRectF disclosure(std::uint32_t box) const;

    /// Calls visit(i) for each box, or each edge, that may intersect an area, in order. The time depends on the number
    /// of visited items, apart from one test per chunk of 64.
    void forEachBoxNear(const QRectF &area, auto &&visit) const
    {
        forEachNear(m_boxChunks, m_diagram->boxes.size(), area, visit);
    }
    void forEachEdgeNear(const QRectF &area, auto &&visit) const
    {
        forEachNear(m_edgeChunks, m_diagram->edges.size(), area, visit);
    }

    QPainterPath path(std::uint32_t edge) const;
    /// A point where two segments of an edge meet; from far, an edge is drawn as straight lines between its knots.
    struct Knot {
        float x = 0, y = 0;
    };
    std::span<const Knot> knots(std::uint32_t edge) const
    {
        return std::span(m_knots).subspan(m_knotsBegin[edge], m_knotsBegin[edge + 1] - m_knotsBegin[edge]);
    }
    QRectF edgeBounds(std::uint32_t edge) const
    {
        const Bounds &b = m_edgeBounds[edge];
        return {QPointF(b.left, b.top), QPointF(b.right, b.bottom)};
    }
    std::span<const std::uint32_t> edgesOf(std::uint32_t box) const
    {
        return std::span(m_edgesOf).subspan(m_edgesBegin[box], m_edgesBegin[box + 1] - m_edgesBegin[box]);
    }
    /// Returns the lines of text of a box. They are placed on first use, so this is not thread-safe.
    const std::vector<layout::PlacedLine> &lines(std::uint32_t box) const;

private:
    static constexpr std::size_t chunkSize = 64; ///< neighbours in the list are mostly neighbours in the picture

    static void forEachNear(const std::vector<QRectF> &chunks, std::size_t count, const QRectF &area, auto &&visit)
    {
        for (std::size_t c = 0; c < chunks.size(); ++c)
            if (chunks[c].intersects(area))
                for (std::size_t i = c * chunkSize; i < count && i < (c + 1) * chunkSize; ++i)
                    visit(std::uint32_t(i));
    }

    void indexBoxes();
    void indexEdges();

    std::shared_ptr<const layout::Diagram> m_diagram;
    std::vector<QRectF> m_boxChunks, m_edgeChunks; ///< the area that each chunk covers
    struct Place {
        layout::Subject subject;
        std::uint32_t box = 0;
        auto operator<=>(const Place &) const = default;
    };
    std::vector<Place> m_boxes; ///< sorted by subject, for find()
    struct Bounds {
        float left = 0, top = 0, right = 0, bottom = 0;
    };
    std::vector<Bounds> m_edgeBounds; ///< the area of each edge's lines, label and arrow heads
    std::vector<Knot> m_knots;
    std::vector<std::uint32_t> m_knotsBegin;
    /// `m_edgesOf` has the edges of all boxes, box after box; `m_edgesBegin` has, by box, the index of its first edge
    /// there.
    std::vector<std::uint32_t> m_edgesOf, m_edgesBegin;
    mutable std::unordered_map<std::uint32_t, std::vector<layout::PlacedLine>> m_lines; ///< by box that was drawn
};

} // namespace cutaway::views
