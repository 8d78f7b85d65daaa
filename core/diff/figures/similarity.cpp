// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The share of the nodes of both sides that are in pairs or equivalent groups. A node with weights, a matrix product or
// an attention counts four times what another computation does, quantization and what only moves data next to nothing:
// so exporters' habits count little. A pair that changed counts less, by the largest of its changes: other elements of
// weights least, another operator most.

#include "core/diff/figures/similarity.h"

#include "core/ops/operator.h"

#include <algorithm>
#include <unordered_map>

namespace cutaway::diff {

namespace {

namespace counts {
constexpr double compute = 4, data = 1, little = 0.1;
} // namespace counts

namespace shares {
constexpr double otherElements = 0.9, otherPrecision = 0.85, otherArguments = 0.8, otherSizes = 0.5,
                 otherOperator = 0.25, almostAll = 0.999;
} // namespace shares

double countOf(const Item &item, bool isExact)
{
    if (!item.node)
        return 0;
    if (item.role == Role::Compute)
        return counts::compute;
    if (item.role == Role::Data)
        return ops::categoryOf(*item.node) == ops::Category::Quantization ? counts::little : counts::data;
    return isExact ? counts::little : 0;
}

double shareOf(const Change &change, bool isOneKind)
{
    using enum Change::Kind;
    if (change.kind == Operator)
        return isOneKind ? shares::otherArguments : shares::otherOperator;
    if (change.extent == Extent::Precision)
        return shares::otherPrecision;
    if (change.kind != Weight)
        return shares::otherArguments;
    if (change.extent == Extent::Elements)
        return shares::otherElements;
    // Returns the sizes in a type: the part from the bracket on of "float32[64]".
    const auto sizes = [](const std::string &type) { return type.substr(std::min(type.find('['), type.size())); };
    if (change.before.empty() || change.after.empty())
        return shares::otherArguments;
    return sizes(change.before) == sizes(change.after) ? shares::otherPrecision : shares::otherSizes;
}

double shareOf(const Pair &pair, bool isOneKind)
{
    double share = 1;
    for (const Change &change : pair.changes)
        share = std::min(share, shareOf(change, isOneKind));
    return share;
}

double bounded(const Difference &difference, double same, double all)
{
    if (difference.isEqual())
        return 1;
    return all > 0 ? std::min(same / all, shares::almostAll) : 0;
}

} // namespace

double similarityOf(const Difference &difference, const Subject &a, const Subject &b)
{
    double same = 0, all = 0;
    const auto count = [&](const Subject &side, ir::NodeId node) {
        const auto item = side.outline.byNode[node.index];
        return item ? countOf(side.outline.items[*item], difference.isExact) : 0;
    };
    for (const Subject *side : {&a, &b})
        for (const Item &item : side->outline.items)
            all += countOf(item, difference.isExact);
    std::unordered_map<ir::NodeId, double> shareOfA; // by node of A: its share, which the nodes that it absorbed have,
                                                     // too
    for (const Pair &pair : difference.pairs) {
        const ir::NodeRef nodeA(a.side.graph(), pair.a), nodeB(b.side.graph(), pair.b);
        const double share = shareOf(pair, ops::kindOf(nodeA) == ops::kindOf(nodeB));
        shareOfA.emplace(pair.a, share);
        same += share * (count(a, pair.a) + count(b, pair.b));
    }
    for (const Group &group : difference.groups) {
        const auto host = group.a.empty() ? shareOfA.end() : shareOfA.find(group.a.front());
        const double share = host == shareOfA.end() ? 1 : host->second;
        const std::size_t first = host == shareOfA.end() ? 0 : 1; // the pair's own nodes have been counted
        for (std::size_t i = first; i < group.a.size(); ++i)
            same += share * count(a, group.a[i]);
        for (std::size_t i = first; i < group.b.size(); ++i)
            same += share * count(b, group.b[i]);
    }
    return bounded(difference, same, all);
}

double similarityOfStates(const Difference &difference)
{
    double same = 0, all = 0;
    for (const Pair &pair : difference.pairs) {
        same += 2 * shareOf(pair, false);
        all += 2;
    }
    all += static_cast<double>(difference.onlyA.size() + difference.onlyB.size());
    return bounded(difference, same, all);
}

double similarityOfWeights(const Difference &difference, std::size_t tensorsA, std::size_t tensorsB)
{
    const WeightCounts &weights = difference.weights;
    const double equal = 2 * static_cast<double>(weights.compared - weights.differing);
    return bounded(difference, equal + 2 * shares::otherElements * static_cast<double>(weights.differing),
                   static_cast<double>(tensorsA + tensorsB));
}

} // namespace cutaway::diff
