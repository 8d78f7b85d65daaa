// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The network simplex algorithm, as Gansner, Koutsofios, North and Vo describe it for drawing graphs (1993).
//
// A spanning tree of tight spans, which are as short as they may be, determines all positions. Cutting a span of the
// tree divides the vertices into two sides. If the sides are moved apart, the spans that lead one way get longer, and
// those that lead the other way get shorter. While there is a cut that reduces the total, the sides are moved apart
// until another span between them is tight. That span replaces the cut one in the tree.
//
// The gain of a cut is the sum of the weights of spans that leave one side, less those that enter it. Spans within a
// side cancel out, so it is a sum over the vertices of the side. The tree has a root and keeps this sum for each
// subtree; an exchange of spans changes only the sums on the path between the two.

#include "core/layout/layered/network_simplex.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace cutaway::layout {

namespace {

constexpr std::uint32_t noVertex = ~0U;
constexpr int cutsCompared = 30; ///< the number of cuts that reduce the total and are compared, to take the best

class SpanTree {
public:
    SpanTree(std::vector<std::int32_t> &positions, std::span<const Span> spans)
        : m_x(positions),
          m_spans(spans),
          m_begin(positions.size() + 1, 0),
          m_vertices(positions.size()),
          m_isBelow(positions.size(), false)
    {
        for (const Span &span : spans) {
            ++m_begin[span.from + 1];
            ++m_begin[span.to + 1];
            m_vertices[span.from].gain += span.weight;
            m_vertices[span.to].gain -= span.weight;
        }
        for (std::size_t i = 1; i < m_begin.size(); ++i)
            m_begin[i] += m_begin[i - 1];
        m_incident.resize(m_begin.back());
        std::vector<std::uint32_t> next(m_begin.begin(), m_begin.end() - 1);
        for (std::uint32_t i = 0; i < spans.size(); ++i) {
            m_incident[next[spans[i].from]++] = i;
            m_incident[next[spans[i].to]++] = i;
        }
    }

    void improve(std::size_t work)
    {
        grow();
        while (m_looked < work) {
            const std::uint32_t child = cut();
            if (child == noVertex)
                return;
            exchange(child);
        }
    }

private:
    struct Vertex {
        std::uint32_t parent = noVertex;
        std::uint32_t span = noVertex; ///< the span to the parent
        std::uint32_t firstChild = noVertex, next = noVertex, previous = noVertex;
        std::int64_t gain = 0; ///< the weights of spans that leave the subtree, less those that enter it
    };

    std::span<const std::uint32_t> incident(std::uint32_t vertex) const
    {
        return std::span(m_incident).subspan(m_begin[vertex], m_begin[vertex + 1] - m_begin[vertex]);
    }
    std::int32_t slack(const Span &span) const { return m_x[span.to] - m_x[span.from] - span.least; }
    bool leadsUp(std::uint32_t child) const { return m_spans[m_vertices[child].span].from == child; }

    void hang(std::uint32_t child, std::uint32_t parent, std::uint32_t span);
    void takeOff(std::uint32_t child);
    void grow();
    void growFrom(std::uint32_t root, std::vector<bool> &isIn);
    std::uint32_t cut();
    void exchange(std::uint32_t child);
    std::vector<std::uint32_t> below(std::uint32_t child);

    std::vector<std::int32_t> &m_x;
    const std::span<const Span> m_spans;
    std::vector<std::uint32_t> m_begin, m_incident; ///< where each vertex's spans begin in m_incident; their indices
    std::vector<Vertex> m_vertices;
    std::vector<bool> m_isBelow;
    std::uint32_t m_at = 0; ///< the position at which the search for a cut continues
    std::size_t m_looked = 0;
};

void SpanTree::hang(std::uint32_t child, std::uint32_t parent, std::uint32_t span)
{
    Vertex &v = m_vertices[child];
    v.parent = parent;
    v.span = span;
    v.previous = noVertex;
    v.next = std::exchange(m_vertices[parent].firstChild, child);
    if (v.next != noVertex)
        m_vertices[v.next].previous = child;
}

void SpanTree::takeOff(std::uint32_t child)
{
    const Vertex &v = m_vertices[child];
    (v.previous == noVertex ? m_vertices[v.parent].firstChild : m_vertices[v.previous].next) = v.next;
    if (v.next != noVertex)
        m_vertices[v.next].previous = v.previous;
}

/// Makes a tree for each connected part, and sums the gains of vertices over each subtree.
void SpanTree::grow()
{
    std::vector<bool> isIn(m_x.size(), false);
    for (std::uint32_t root = 0; root < m_x.size(); ++root)
        if (!isIn[root])
            growFrom(root, isIn);
}

/// Grows a tree from the root. Each step adds the nearest vertex, after moving the whole tree so that the span between
/// them is tight. The movement of a vertex is the final `moved` less the value of `moved` when the vertex was added.
void SpanTree::growFrom(std::uint32_t root, std::vector<bool> &isIn)
{
    using Way = std::pair<std::int64_t, std::uint32_t>; // the distance of a span less `moved`, and the span
    std::priority_queue<Way, std::vector<Way>, std::greater<>> down, up;
    std::vector<std::pair<std::uint32_t, std::int64_t>> taken;
    std::int64_t moved = 0;
    const auto take = [&](std::uint32_t vertex) {
        isIn[vertex] = true;
        taken.emplace_back(vertex, moved);
        for (const std::uint32_t i : incident(vertex)) {
            const Span &span = m_spans[i];
            if (span.from == vertex && !isIn[span.to])
                down.emplace(slack(span) + moved, i);
            else if (span.to == vertex && !isIn[span.from])
                up.emplace(slack(span) - moved, i);
        }
    };
    take(root);
    while (true) {
        while (!down.empty() && isIn[m_spans[down.top().second].to])
            down.pop();
        while (!up.empty() && isIn[m_spans[up.top().second].from])
            up.pop();
        if (down.empty() && up.empty())
            break;
        const bool isDown = up.empty() || (!down.empty() && down.top().first - moved <= up.top().first + moved);
        const auto [key, i] = isDown ? down.top() : up.top();
        (isDown ? down : up).pop();
        moved = isDown ? key : -key;
        const Span &span = m_spans[i];
        hang(isDown ? span.to : span.from, isDown ? span.from : span.to, i);
        take(isDown ? span.to : span.from);
    }
    for (std::size_t i = taken.size(); i-- > 0;) {
        const auto [vertex, before] = taken[i];
        m_x[vertex] += static_cast<std::int32_t>(moved - before);
        if (const Vertex &v = m_vertices[vertex]; v.parent != noVertex)
            m_vertices[v.parent].gain += v.gain;
    }
}

/// Returns the vertex whose span to its parent is to be cut, since that reduces the total; noVertex if no cut does.
std::uint32_t SpanTree::cut()
{
    const auto count = static_cast<std::uint32_t>(m_vertices.size());
    std::uint32_t best = noVertex;
    std::int64_t least = 0;
    int found = 0;
    for (std::uint32_t k = 0; k < count && found < cutsCompared; ++k, m_at = m_at + 1 == count ? 0 : m_at + 1) {
        ++m_looked;
        if (m_vertices[m_at].parent == noVertex)
            continue;
        const std::int64_t gain = leadsUp(m_at) ? m_vertices[m_at].gain : -m_vertices[m_at].gain;
        if (gain >= 0)
            continue;
        ++found;
        if (gain < least) {
            least = gain;
            best = m_at;
        }
    }
    return best;
}

std::vector<std::uint32_t> SpanTree::below(std::uint32_t child)
{
    std::vector<std::uint32_t> all{child};
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::uint32_t c = m_vertices[all[i]].firstChild; c != noVertex; c = m_vertices[c].next)
            all.push_back(c);
    m_looked += all.size();
    return all;
}

void SpanTree::exchange(std::uint32_t child)
{
    const bool isUp = leadsUp(child);
    const std::vector<std::uint32_t> side = below(child);
    for (const std::uint32_t vertex : side)
        m_isBelow[vertex] = true;
    std::uint32_t entering = noVertex;
    for (const std::uint32_t vertex : side)
        for (const std::uint32_t i : incident(vertex)) {
            const Span &span = m_spans[i];
            const std::uint32_t inside = isUp ? span.to : span.from, outside = isUp ? span.from : span.to;
            if (inside == vertex && !m_isBelow[outside]
                && (entering == noVertex || slack(span) < slack(m_spans[entering])))
                entering = i;
        }
    const std::int32_t distance = slack(m_spans[entering]);
    for (const std::uint32_t vertex : side) {
        m_isBelow[vertex] = false;
        m_x[vertex] += isUp ? -distance : distance;
    }
    const std::int64_t gain = m_vertices[child].gain;
    for (std::uint32_t v = m_vertices[child].parent; v != noVertex; v = m_vertices[v].parent)
        m_vertices[v].gain -= gain;
    takeOff(child);
    // Vertices that were above the new root within the side now hang below it.
    std::uint32_t vertex = isUp ? m_spans[entering].to : m_spans[entering].from;
    std::uint32_t parent = isUp ? m_spans[entering].from : m_spans[entering].to;
    for (std::uint32_t v = parent; v != noVertex; v = m_vertices[v].parent)
        m_vertices[v].gain += gain;
    std::int64_t passed = 0;
    for (std::uint32_t span = entering; true;) {
        const Vertex old = m_vertices[vertex];
        if (vertex != child)
            takeOff(vertex);
        m_vertices[vertex].gain = gain - passed;
        passed = old.gain;
        hang(vertex, parent, span);
        if (vertex == child)
            return;
        parent = vertex;
        vertex = old.parent;
        span = old.span;
    }
}

} // namespace

void shortenSpans(std::vector<std::int32_t> &positions, std::span<const Span> spans, std::size_t work)
{
    if (positions.empty())
        return;
    SpanTree(positions, spans).improve(work);
    const std::int32_t least = std::ranges::min(positions);
    for (std::int32_t &position : positions)
        position -= least;
}

} // namespace cutaway::layout
