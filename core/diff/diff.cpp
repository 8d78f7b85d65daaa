// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Comparing two graphs that may come from different programs.
//
// Nodes have no ids that both files share, so a node is recognised by what it is and by what surrounds it. What it is:
// its kind (a row of the operator table serves all dialects), the shape and some elements of its weights, the sizes of
// its result. What surrounds it: an *outline* lists the nodes in execution order, with the contents of regions inline;
// a *skeleton* is the outline without the nodes that are not compared. So views, constants and conversions, which every
// exporter writes differently, do not separate two nodes.
//
// 1. Three *stages* match, each with the pairs of the previous one as landmarks: nodes that compute with weights; all
//    nodes that compute; all nodes, if both files are written alike.
// 2. A stage begins with *fingerprints*: a hash of everything above a node and one of everything below it. Nodes that
//    are equal in both are pairs, wherever they are in the file. This is repeated with labels from the strictest
//    (elements of weights) to the loosest (the kind), so a model with other weights is matched as well. The hash of a
//    matched node depends on its pair only, so a change does not alter hashes beyond the next landmark. Files of one
//    dialect are first matched strictly: there an equal hash above or below suffices, so everything that an edit does
//    not touch is matched.
// 3. Nodes that remain were changed or are next to a change. Between two landmarks they are *aligned* in their order,
//    by a score of what agrees: labels, fingerprints, neighbours, and last the names.
// 4. A remaining node whose producers and consumers are all matched was replaced: it is paired with the node of another
//    kind at the same *placement*.
// 5. *Folded* nodes (a bias, a batch norm) belong to the node that contains them on the other side; connected remaining
//    nodes between the same pairs are *groups*.
// 6. The *changes* of a pair are its own differences, not those that follow from a difference elsewhere.
//
// Nodes that are indistinguishable (two equal branches between the same nodes) are matched in their order. A node that
// was moved past its neighbours is found only by its fingerprint. No pair is better than a wrong one, so a pair needs a
// minimum score. Time is O(n log n) for the hashes, and between two landmarks the product of the lengths, restricted to
// a band along the diagonal if they are long.

#include "core/diff/diff.h"

#include "core/diff/changes.h"
#include "core/diff/folded.h"
#include "core/diff/groups.h"
#include "core/diff/module_changes.h"
#include "core/diff/named_weights.h"
#include "core/diff/places.h"
#include "core/diff/totals.h"
#include "core/ir/weights_only.h"

#include <algorithm>
#include <array>

namespace cutaway::diff {

namespace {

bool isPlumbing(Role role) { return role == Role::Plumbing || role == Role::Aside; }

/// Whether the same kind of program wrote both files: most nodes that only move data have a partner.
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

/// Returns whether both sides are written alike.
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
    Outcome(const Matching &matching, bool isExact, CalledFunctions &functions)
        : m_matching(matching),
          m_functions(functions)
    {
        m_difference.isExact = isExact;
    }

    Difference take()
    {
        const std::vector<ItemGroup> groups = groupsOf(m_matching);
        addPairs(groups);
        addGroups(groups);
        addLeft(m_matching.a(), m_difference.onlyA);
        addLeft(m_matching.b(), m_difference.onlyB);
        m_difference.totals = totalsOf(m_matching.a().side, m_matching.b().side);
        m_difference.modules = moduleChanges(m_matching.a().side, m_matching.b().side, m_difference);
        return std::move(m_difference);
    }

private:
    void addPairs(const std::vector<ItemGroup> &groups)
    {
        Changes changes(m_matching, m_difference.isExact, m_functions);
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
        m_difference.notCompared = changes.notCompared(groups);
    }

    void addGroups(const std::vector<ItemGroup> &groups)
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
        for (const ItemGroup &group : groups)
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
    CalledFunctions &m_functions;
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
    CalledFunctions functions;
    return compare(a, b, options, functions);
}

Difference compare(const Side &a, const Side &b, const Options &options, CalledFunctions &functions)
{
    if (ir::isWeightsOnly(a.model) && ir::isWeightsOnly(b.model))
        return compareNamedWeights(a, b);
    Subject subjectA(a, options), subjectB(b, options);
    Matching matching(subjectA, subjectB);
    const bool isExact = match(matching);
    return Outcome(matching, isExact, functions).take();
}

} // namespace cutaway::diff
