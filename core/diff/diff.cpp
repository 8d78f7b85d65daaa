// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing two graphs that may come from different programs.
//
// A node has no name that both files know, so it is recognised by what it is and by what surrounds it. What it is: its
// kind (a row of the operator table serves all dialects), the shape and some elements of the weights it reads, the
// sizes of its result. What surrounds it: an *outline* lists the nodes in the order they run, with the borders of
// regions opened; a *skeleton* is the outline without the nodes that are not looked at, so that views, constants and
// conversions, of which each exporter writes others, stand between no two nodes.
//
// 1. Three *stages*, each with the pairs of the one before as landmarks: nodes that compute with weights; all that
//    compute; all nodes, if both files are written alike.
// 2. Within a stage, first by *fingerprints*: a hash of everything above a node and one of everything below it. Nodes
//    that are equal in both are pairs, wherever they stand in the file. That is tried with labels from the strictest
//    (the weights' elements) to the loosest (the kind), so a model of which only the weights changed is matched
//    as well. A matched node's hash is its pair, which keeps a change from spoiling what is behind the next landmark.
//    Files of one dialect begin with nodes that are equal to the letter, and equal above or below alone will do: so
//    all that an edit does not touch is matched at once.
// 3. What is left then was changed or stands beside a change. Between two landmarks it is *aligned* in its order, by a
//    score of what agrees: labels, fingerprints, neighbours, and last the names.
// 4. What stands between the same partners without being of the same kind was replaced: it is matched by its *place*.
// 5. *Folded* nodes (a bias, a batch norm) belong to the node they are folded into on the other side; connected
//    remains between the same pairs are *groups*.
// 6. In each pair, *changes* are what is its own: not what follows from a difference elsewhere.
//
// Nodes that cannot be told apart (two equal branches between the same nodes) are matched in their order. A node that
// was moved behind its neighbours is found by its fingerprint or not at all. No pair is better than a wrong one: a
// score has a least value. Time is O(n log n) for hashes and the product of the lengths for what stands between two
// landmarks, in a band along the diagonal where that is long.
#include "core/diff/diff.h"

#include "core/diff/changes.h"
#include "core/diff/folded.h"
#include "core/diff/groups.h"
#include "core/diff/module_changes.h"
#include "core/diff/places.h"
#include "core/diff/totals.h"

#include <algorithm>
#include <array>

namespace cutaway::diff {

namespace {

bool isPlumbing(Role role) { return role == Role::Plumbing || role == Role::Aside; }

/// Whether the files are written by the same kind of program: most of their plumbing has a partner.
bool isWrittenAlike(const Matching &matching)
{
    constexpr std::size_t fewEnough = 16;
    std::size_t all = 0, left = 0;
    for (const Subject *side : {&matching.a(), &matching.b()})
        for (std::uint32_t i = 0; i < side->outline.items.size(); ++i)
            if (isPlumbing(side->outline.items[i].role)) {
                ++all;
                left += matching.isMatched(*side, i) ? 0 : 1;
            }
    return left <= fewEnough || 2 * left <= all;
}

std::string_view dialectOf(const Side &side)
{
    for (const ir::NodeRef node : ir::nodesOf(side.graph()))
        if (const auto dialect = node.dialect(); dialect != "prim")
            return dialect == "aten" ? "aten" : dialect.starts_with("com.microsoft") ? "onnx" : dialect;
    return {};
}

/// Returns whether the sides are written alike.
bool match(Matching &matching)
{
    const Side &a = matching.a().side, &b = matching.b().side;
    const bool isOneDialect = a.model.format == b.model.format && dialectOf(a) == dialectOf(b);
    if (isOneDialect)
        matching.runStrictly();
    matching.run(Stage::Weighted);
    absorbFolded(matching);
    matching.run(Stage::Data);
    if (!isOneDialect)
        return false;
    matching.run(Stage::Everything);
    if (!isWrittenAlike(matching))
        return false;
    matchPlaces(matching);
    return true;
}

class Outcome {
public:
    Outcome(const Matching &matching, bool isExact) : m_matching(matching) { m_difference.isExact = isExact; }

    Difference take()
    {
        addPairs();
        addGroups();
        addLeft(m_matching.a(), m_difference.onlyA);
        addLeft(m_matching.b(), m_difference.onlyB);
        m_difference.totals = totalsOf(m_matching.a().side, m_matching.b().side);
        m_difference.modules = moduleChanges(m_matching.a().side, m_matching.b().side, m_difference);
        return std::move(m_difference);
    }

private:
    void addPairs()
    {
        Changes changes(m_matching, m_difference.isExact);
        const auto &itemsA = m_matching.a().outline.items, &itemsB = m_matching.b().outline.items;
        for (std::uint32_t i = 0; i < itemsA.size(); ++i) {
            const auto &match = m_matching.partnerOfA(i);
            if (!match || !itemsA[i].node || !itemsB[match->item].node)
                continue;
            const bool isCompared = m_difference.isExact || !isPlumbing(itemsA[i].role);
            m_difference.pairs.push_back({*itemsA[i].node, *itemsB[match->item].node, match->reason, match->score,
                                          isCompared ? changes.of(i) : std::vector<Change>()});
        }
        m_difference.signature = changes.ofSignature();
    }

    void addGroups()
    {
        const auto nodesOf = [](Subject &side, std::vector<bool> &isGrouped, std::vector<std::uint32_t> items) {
            std::ranges::sort(items);
            std::vector<ir::NodeId> nodes;
            for (const std::uint32_t item : items) {
                isGrouped[item] = true;
                nodes.push_back(*side.outline.items[item].node);
            }
            return nodes;
        };
        m_isGroupedA.resize(m_matching.a().outline.items.size());
        m_isGroupedB.resize(m_matching.b().outline.items.size());
        for (const ItemGroup &group : groupsOf(m_matching))
            m_difference.groups.push_back({nodesOf(m_matching.a(), m_isGroupedA, group.a),
                                           nodesOf(m_matching.b(), m_isGroupedB, group.b), group.reason});
    }

    void addLeft(const Subject &side, std::vector<ir::NodeId> &nodes) const
    {
        const auto &isGrouped = &side == &m_matching.a() ? m_isGroupedA : m_isGroupedB;
        for (std::uint32_t i = 0; i < side.outline.items.size(); ++i) {
            const Item &item = side.outline.items[i];
            if (item.node && !m_matching.isMatched(side, i) && !isGrouped[i]
                && (m_difference.isExact || !isPlumbing(item.role)))
                nodes.push_back(*item.node);
        }
    }

    const Matching &m_matching;
    std::vector<bool> m_isGroupedA, m_isGroupedB; ///< by item
    Difference m_difference;
};

} // namespace

std::string_view name(Change::Kind kind)
{
    constexpr std::array<std::string_view, 5> names{"operator", "argument", "source", "weight", "type"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view sentence(Reason reason)
{
    constexpr std::array<std::string_view, 3> sentences{"same surroundings", "same kind and order", "same place"};
    return sentences[static_cast<std::size_t>(reason)];
}

bool Difference::isEqual() const
{
    return onlyA.empty() && onlyB.empty() && signature.empty() && (groups.empty() || !isExact)
        && std::ranges::all_of(pairs, [](const Pair &pair) { return pair.changes.empty(); });
}

Difference compare(const Side &a, const Side &b, const Options &options)
{
    Subject subjectA(a, options), subjectB(b, options);
    Matching matching(subjectA, subjectB);
    const bool isExact = match(matching);
    return Outcome(matching, isExact).take();
}

} // namespace cutaway::diff
