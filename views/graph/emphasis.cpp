// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/emphasis.h"

#include <algorithm>

namespace cutaway::views {
namespace {

class Emphasizer {
public:
    Emphasizer(Emphasis &emphasis, const Picture &picture) : m_emphasis(emphasis), m_picture(picture)
    {
        m_emphasis.boxes.resize(picture.diagram().boxes.size());
        m_emphasis.edges.resize(picture.diagram().edges.size());
    }

    void emphasize(std::uint32_t selected, std::optional<ir::ValueId> value)
    {
        const auto &boxes = m_picture.diagram().boxes;
        box(selected, true);
        for (std::uint32_t i = selected + 1; i < boxes.size(); ++i)
            if (boxes[i].parent && *boxes[i].parent >= selected && m_emphasis.boxes[*boxes[i].parent])
                box(i, false);
        for (const std::uint32_t i : m_picture.edgesOf(selected)) {
            const layout::Edge &each = m_picture.edge(i);
            const std::uint32_t other = each.from == selected ? each.to : each.from;
            if (boxes[selected].open && boxes[other].parent == selected)
                continue; // edges from an open box to the boxes inside it are not highlighted
            if (!value || std::ranges::contains(each.values, *value))
                edge(i, selected);
        }
    }

private:
    void box(std::uint32_t index, bool withEnclosing)
    {
        m_emphasis.boxes[index] = true;
        if (withEnclosing)
            for (auto parent = m_picture.box(index).parent; parent; parent = m_picture.box(*parent).parent)
                m_emphasis.boxes[*parent] = true;
    }

    /// Highlights an edge that leads away from `from`. If it ends at the border of an open box, the edges that continue
    /// there with the same values are highlighted, too.
    void edge(std::uint32_t index, std::uint32_t from)
    {
        if (m_emphasis.edges[index])
            return;
        m_emphasis.edges[index] = true;
        const layout::Edge &each = m_picture.edge(index);
        const bool downwards = each.from == from;
        const std::uint32_t end = downwards ? each.to : each.from;
        box(end, true);
        if (!m_picture.box(end).open)
            return;
        for (const std::uint32_t next : m_picture.edgesOf(end)) {
            const layout::Edge &other = m_picture.edge(next);
            if ((downwards ? other.from : other.to) == end
                && std::ranges::find_first_of(other.values, each.values) != other.values.end())
                edge(next, end);
        }
    }

    Emphasis &m_emphasis;
    const Picture &m_picture;
};

} // namespace

void emphasize(Emphasis &emphasis, const Picture *picture, std::optional<std::uint32_t> selected,
               std::optional<ir::ValueId> value)
{
    emphasis.selectedBox = picture ? selected : std::nullopt;
    emphasis.hoveredBox.reset();
    emphasis.boxes.clear();
    emphasis.edges.clear();
    if (emphasis.selectedBox)
        Emphasizer(emphasis, *picture).emphasize(*selected, value);
}

} // namespace cutaway::views
