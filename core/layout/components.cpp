// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/components.h"

#include "core/layout/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace cutaway::layout {

namespace {

/// Disjoint sets of vertices.
class Sets {
public:
    explicit Sets(std::size_t count) : m_parents(count) { std::iota(m_parents.begin(), m_parents.end(), 0); }
    std::uint32_t find(std::uint32_t i)
    {
        while (m_parents[i] != i)
            i = m_parents[i] = m_parents[m_parents[i]];
        return i;
    }
    /// Merges two sets. The representative of the merged set is the smaller one of both.
    void unite(std::uint32_t a, std::uint32_t b)
    {
        const auto [low, high] = std::minmax({find(a), find(b)});
        m_parents[high] = low;
    }

private:
    std::vector<std::uint32_t> m_parents;
};

} // namespace

std::vector<Component> componentsOf(const Plane &plane)
{
    Sets sets(plane.vertices.size());
    for (const PlaneEdge &edge : plane.edges)
        sets.unite(edge.from, edge.to);
    std::optional<std::uint32_t> border;
    for (std::uint32_t i = 0; i < plane.vertices.size(); ++i)
        if (plane.vertices[i].rank != PlaneVertex::Rank::Free) {
            sets.unite(i, border.value_or(i));
            border = sets.find(i);
        }
    std::vector<Component> components;
    std::vector<std::optional<std::uint32_t>> numbers(plane.vertices.size());
    const auto componentOf = [&](std::uint32_t vertex) -> Component & {
        std::optional<std::uint32_t> &number = numbers[sets.find(vertex)];
        if (!number) {
            number = static_cast<std::uint32_t>(components.size());
            components.push_back({});
            components.back().plane.alignTops = plane.alignTops;
        }
        return components[*number];
    };
    if (border)
        componentOf(*border);
    std::vector<std::uint32_t> places(plane.vertices.size());
    for (std::uint32_t i = 0; i < plane.vertices.size(); ++i) {
        Component &component = componentOf(i);
        places[i] = static_cast<std::uint32_t>(component.vertices.size());
        component.vertices.push_back(i);
        component.plane.vertices.push_back(plane.vertices[i]);
    }
    for (std::uint32_t i = 0; i < plane.edges.size(); ++i) {
        Component &component = componentOf(plane.edges[i].from);
        component.edges.push_back(i);
        component.plane.edges.push_back(plane.edges[i]);
        component.plane.edges.back().from = places[plane.edges[i].from];
        component.plane.edges.back().to = places[plane.edges[i].to];
    }
    return components;
}

PlaneLayout packed(const Plane &plane, const std::vector<Component> &components,
                   const std::vector<PlaneLayout> &layouts)
{
    if (layouts.size() == 1)
        return layouts.front();
    double area = 0;
    double widest = 0;
    for (const PlaneLayout &layout : layouts) {
        area += (layout.size.width + metrics::nodeGap) * (layout.size.height + metrics::rankGap);
        widest = std::max(widest, layout.size.width);
    }
    const double width = std::max(widest, std::sqrt(area * metrics::wantedAspect));
    PlaneLayout whole;
    whole.centers.resize(plane.vertices.size());
    whole.curves.resize(plane.edges.size());
    Point at;
    double rowHeight = 0;
    for (std::size_t i = 0; i < components.size(); ++i) {
        const PlaneLayout &layout = layouts[i];
        if (at.x > 0 && at.x + layout.size.width > width) {
            at = {0, at.y + rowHeight + metrics::rankGap};
            rowHeight = 0;
        }
        for (std::size_t k = 0; k < layout.centers.size(); ++k)
            whole.centers[components[i].vertices[k]] = {layout.centers[k].x + at.x, layout.centers[k].y + at.y};
        for (std::size_t k = 0; k < layout.curves.size(); ++k)
            for (const Point &point : layout.curves[k])
                whole.curves[components[i].edges[k]].push_back({point.x + at.x, point.y + at.y});
        at.x += layout.size.width + metrics::nodeGap;
        rowHeight = std::max(rowHeight, layout.size.height);
    }
    normalize(plane, whole);
    return whole;
}

} // namespace cutaway::layout
