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
// 2. A stage begins with *fingerprints*: a hash of everything above a node and one of everything below it. Nodes of the
//    two sides that are equal in both hashes are pairs, wherever they are in the file. This is repeated with labels
//    from the strictest (elements of weights) to the loosest (the kind), so a model with other weights is matched as
//    well. The hash of a matched node depends on its pair only, so a change does not alter hashes beyond the next
//    landmark. Files of one dialect are first matched strictly: there an equal hash above or below suffices, so
//    everything that an edit does not touch is matched.
// 3. Nodes that remain were changed or are next to a change. Between two landmarks they are *aligned* in their order,
//    by a score of what agrees: labels, fingerprints, neighbours, and last the names.
// 4. A remaining node whose producers and consumers are all matched was replaced: it is paired with the node of another
//    kind at the same *placement*.
// 5. *Folded* nodes (a bias, a batch norm) belong to the node that contains them on the other side.
// 6. What each pair reads is *checked*: the way from the pairs before it is cut out on both sides and computed on the
//    same random numbers, so that views and conversions count although they are not matched. Remaining nodes on the two
//    ways stand for each other: a *group* if both ways give the same, else, or where that cannot be computed, a
//    replaced *region*.
// 7. Nodes that were matched by their kind may lie in parts that compute the same in different ways: one file scales
//    the queries of an attention, the other its scores. A pair without weights that differs, or that reads different
//    values, is given up if its nodes then become part of a proven group.
// 8. The *changes* of a pair are its own differences, not those that follow from a difference elsewhere. Files that are
//    written differently have few arguments in common, so pairs are computed as well, where that is little work.
//
// Nodes that are indistinguishable (two equal branches between the same nodes) are matched in their order. A node that
// was moved past its neighbours is found only by its fingerprint. No pair is better than a wrong one, so a pair needs a
// minimum score. Time is O(n log n) for the hashes, and between two landmarks the product of the lengths, restricted to
// a band along the diagonal if they are long.

#include "core/diff/diff.h"

#include "core/base/formatted.h"
#include "core/diff/changes.h"
#include "core/diff/figures/module_changes.h"
#include "core/diff/figures/quantized.h"
#include "core/diff/figures/similarity.h"
#include "core/diff/figures/totals.h"
#include "core/diff/folded.h"
#include "core/diff/named_weights.h"
#include "core/diff/places.h"
#include "core/diff/proof/sizes.h"
#include "core/ir/weights_only.h"
#include "core/ops/compute/value.h"
#include "core/ops/operator.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <unordered_set>

namespace cutaway::diff {

namespace {

bool isPlumbing(Role role) { return role == Role::Plumbing || role == Role::Aside; }

/// Whether the same kind of program wrote both files: most nodes that only move data have a partner.
bool isWrittenAlike(const Matching &matching)
{
    constexpr std::size_t fewEnough = 16;
    std::size_t all = 0, left = 0;
    // Nodes that quantize or dequantize do not count, since a quantized file has them and its original has none.
    for (const Subject *side : {&matching.a(), &matching.b()})
        for (std::uint32_t i = 0; i < side->outline.items.size(); ++i)
            if (const Item &item = side->outline.items[i];
                isPlumbing(item.role) && !(item.node && isRounding(*item.node))) {
                ++all;
                left += matching.isMatched(*side, i) ? 0 : 1;
            }
    return left <= fewEnough || 2 * left <= all;
}

std::string_view dialectOf(const Side &side)
{
    for (const ir::NodeRef node : ir::nodesOf(side.graph()))
        // Nodes that quantize or dequantize are skipped: in torch they have a dialect of their own.
        if (const auto dialect = node.dialect(); dialect != "prim" && !isRounding(node))
            return dialect == "aten" ? "aten" : dialect.starts_with("com.microsoft") ? "onnx" : dialect;
    return {};
}

bool isTraced(const Side &side)
{
    return std::ranges::any_of(ir::nodesOf(side.graph()), [](const ir::NodeRef &node) {
        const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
        return row && row->traits.isOfTracing;
    });
}

/// Returns the number of layers and directions of a recurrence, according to its weights; nothing if they do not show
/// it.
std::optional<std::int64_t> stackedIn(const Subject &side, const Item &item)
{
    std::int64_t matrices = 0, directions = 0;
    for (const ir::TensorId weight : item.weights) {
        const auto &shape = side.side.model.at(weight).shape;
        matrices += shape.size() == 2 ? 1 : 0;
        directions = shape.size() == 3 ? std::max(directions, shape[0]) : directions;
    }
    const std::int64_t found = item.node->isOnnx() ? directions : matrices / 2;
    return found > 0 ? std::optional(found) : std::nullopt;
}

/// Separates pairs of recurrent nodes with different numbers of layers: ONNX has a node for each layer of a network
/// that is one node in torch.
void separateStacked(Matching &matching)
{
    const auto &itemsA = matching.a().outline.items, &itemsB = matching.b().outline.items;
    for (std::uint32_t i = 0; i < itemsA.size(); ++i) {
        const auto &partner = matching.partnerOfA(i);
        if (!partner || !itemsA[i].node || !itemsB[partner->item].node
            || ops::categoryOf(*itemsA[i].node) != ops::Category::Recurrent)
            continue;
        const auto ofA = stackedIn(matching.a(), itemsA[i]), ofB = stackedIn(matching.b(), itemsB[partner->item]);
        if (ofA && ofB && ofA != ofB)
            matching.separate(i);
    }
}

/// Whether a node only converts from one floating dtype to another.
bool convertsPrecision(const Subject &subject, ir::NodeId id)
{
    const Side &side = subject.side;
    const ir::NodeRef node(side.graph(), id);
    const auto item = subject.outline.byNode[id.index];
    const auto dtypeOf = [&](ir::ValueId value) {
        const auto *tensor = ops::asTensor(side.analysis.shapes.of(value));
        return tensor ? tensor->dtype : std::nullopt;
    };
    const auto *read = node->arguments.empty() ? nullptr : node->arguments.front().value.as<ir::ValueId>();
    if (!item || subject.outline.items[*item].role != Role::Plumbing || !read || node->outputs.size() != 1)
        return false;
    const auto from = dtypeOf(*read), to = dtypeOf(node->outputs[0]);
    return from && to && from != to && ir::isFloating(*from) && ir::isFloating(*to);
}

/// Matches the items, stage by stage. Returns whether both sides are written alike.
bool match(Matching &matching)
{
    const Side &a = matching.a().side, &b = matching.b().side;
    const bool isOneDialect =
        a.model.format == b.model.format && dialectOf(a) == dialectOf(b) && isTraced(a) == isTraced(b);
    if (isOneDialect)
        matching.runStrictly();
    matching.run(Stage::Weighted);
    absorbFolded(matching);
    matching.run(Stage::Data);
    if (!isOneDialect) {
        separateStacked(matching);
        return false;
    }
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
          m_functions(functions),
          m_sizes(matching.a().side, matching.b().side),
          m_partsA(matching, matching.a(), m_sizes.a(), isExact),
          m_partsB(matching, matching.b(), m_sizes.b(), isExact),
          m_checks(m_partsA, m_partsB),
          m_reads(compareReads(matching, m_checks, isExact))
    {
        m_difference.isExact = isExact;
    }

    Difference take()
    {
        m_isTakenA.resize(m_matching.a().outline.items.size());
        m_isTakenB.resize(m_matching.b().outline.items.size());
        addPairs();
        for (const ItemGroup &group : foldedGroups(m_matching))
            addGroup(group, "nodes folded into the one before them, with their weights");
        for (const ItemGroup &group : m_reads.groups)
            addRewritten(group);
        addLeft(m_partsA, m_isTakenA, m_difference.onlyA);
        addLeft(m_partsB, m_isTakenB, m_difference.onlyB);
        const auto countConversions = [&](const Subject &side, const std::vector<ir::NodeId> &nodes) {
            return static_cast<std::size_t>(
                std::ranges::count_if(nodes, [&](ir::NodeId node) { return convertsPrecision(side, node); }));
        };
        m_difference.conversions =
            countConversions(m_matching.a(), m_difference.onlyA) + countConversions(m_matching.b(), m_difference.onlyB);
        m_difference.totals = totalsOf(m_matching.a().side, m_matching.b().side);
        m_difference.modules = moduleChanges(m_matching.a().side, m_matching.b().side, m_difference);
        m_difference.similarity = similarityOf(m_difference, m_matching.a(), m_matching.b());
        if (m_difference.isExact)
            m_difference.quantized = quantizedOf(m_matching.a().side, m_matching.b().side, m_difference);
        return std::move(m_difference);
    }

    /// Returns the items of A whose pairs have no weights, and differ or have operands that are not known to be the
    /// same. To be called after take().
    const std::vector<std::uint32_t> &suspects() const { return m_suspects; }

private:
    void addPairs()
    {
        Changes changes(m_matching, m_difference.isExact, m_functions, m_reads, m_checks);
        const auto &itemsA = m_matching.a().outline.items, &itemsB = m_matching.b().outline.items;
        for (std::uint32_t i = 0; i < itemsA.size(); ++i) {
            const auto &match = m_matching.partnerOfA(i);
            if (!match || !itemsA[i].node || !itemsB[match->item].node)
                continue;
            const bool isCompared = m_difference.isExact || !isPlumbing(itemsA[i].role);
            const bool hasWeights = !itemsA[i].weights.empty() && !itemsB[match->item].weights.empty();
            m_difference.pairs.push_back({*itemsA[i].node, *itemsB[match->item].node, match->reason, match->score,
                                          isCompared ? changes.of(i) : std::vector<Change>()});
            const bool isSame = m_difference.pairs.back().changes.empty() && m_reads.readsSame[i];
            if (isCompared && !isSame && !(hasWeights && itemsA[i].role == Role::Compute))
                m_suspects.push_back(i);
        }
        m_difference.signature = changes.ofSignature();
        addOutputs();
        m_difference.notCompared = changes.takeNotCompared();
        addNotProven(changes.takeNotProven());
        m_difference.roundings = changes.takeRoundings();
        m_difference.weights = changes.weightCounts();
    }

    /// Adds the parts that were not proven equal. Files that are written alike are compared by their graphs alone.
    void addNotProven(std::vector<NotProven> results)
    {
        if (m_difference.isExact)
            return;
        const auto &itemsA = m_matching.a().outline.items, &itemsB = m_matching.b().outline.items;
        const auto idOf = [](const Item &item) {
            return item.node ? std::optional<ir::NodeId>(item.node->id()) : std::nullopt;
        };
        const std::size_t firstOutput = itemsA.size() - m_matching.a().side.graph().at(ir::Graph::body).outputs.size();
        for (const ReadsCompared::Unknown &each : m_reads.unknown) {
            const Item &a = itemsA[each.itemA], &b = itemsB[m_matching.partnerOfA(each.itemA)->item];
            const std::string what =
                a.node ? "input " + std::to_string(each.place) : "output " + std::to_string(each.itemA - firstOutput);
            m_difference.notProven.push_back({{idOf(a), idOf(b)}, what, each.reason});
        }
        std::ranges::move(results, std::back_inserter(m_difference.notProven));
    }

    /// Adds the outputs that return a different result, although every node has a partner.
    void addOutputs()
    {
        const auto &items = m_matching.a().outline.items;
        const std::size_t first = items.size() - m_matching.a().side.graph().at(ir::Graph::body).outputs.size();
        for (std::size_t i = first; i < items.size(); ++i)
            if (m_reads.otherReads[i] && !m_difference.isExact)
                m_difference.signature.push_back({Change::Kind::Source, "output " + std::to_string(i - first), "",
                                                  "the same elements in another order, or others"});
    }

    /// Adds a group as equivalent if that is proven, else as a replaced region. A group without nodes on one side is
    /// skipped, unless it is proven and the files are written differently.
    void addRewritten(const ItemGroup &group)
    {
        const bool isOfBoth = !group.a.empty() && !group.b.empty();
        if (group.kind == Verdict::Kind::Equal && (isOfBoth || !m_difference.isExact)) {
            addGroup(group,
                     formatted("computed on the same random numbers: largest error {:.2g}, allowed {:.2g}",
                               group.largestError, group.allowed));
        } else if (isOfBoth) {
            const std::string reason = group.kind == Verdict::Kind::Differs && group.reason.empty()
                ? formatted("the results differ by up to {:.3g}", group.largestError)
                : group.reason;
            Region region{sideOf(m_matching.a(), m_isTakenA, group.a), sideOf(m_matching.b(), m_isTakenB, group.b),
                          reason};
            region.sharedWeights = sharedWeights(region);
            m_difference.regions.push_back(std::move(region));
        }
    }

    void addGroup(const ItemGroup &group, std::string proof)
    {
        m_difference.groups.push_back({nodesOf(m_matching.a(), m_isTakenA, group.a),
                                       nodesOf(m_matching.b(), m_isTakenB, group.b), std::move(proof)});
    }

    static std::vector<ir::NodeId> nodesOf(const Subject &side, std::vector<bool> &isTaken,
                                           const std::vector<std::uint32_t> &items)
    {
        std::vector<ir::NodeId> nodes;
        for (const std::uint32_t item : items) {
            isTaken[item] = true;
            nodes.push_back(*side.outline.items[item].node);
        }
        return nodes;
    }

    static RegionSide sideOf(const Subject &side, std::vector<bool> &isTaken, const std::vector<std::uint32_t> &items)
    {
        RegionSide region{nodesOf(side, isTaken, items)};
        std::map<std::string, std::size_t> counts;
        for (const std::uint32_t item : items) {
            const Item &at = side.outline.items[item];
            ++counts[at.node->fullName()];
            region.cost = ops::plus(region.cost, side.side.analysis.costOf(*at.node));
            for (const ir::TensorId weight : at.weights)
                if (!std::ranges::contains(region.weights, weight))
                    region.weights.push_back(weight);
        }
        region.operators.assign(counts.begin(), counts.end());
        std::ranges::stable_sort(region.operators, std::greater(), [](const auto &each) { return each.second; });
        return region;
    }

    std::size_t sharedWeights(const Region &region)
    {
        std::map<Hash, std::vector<ir::TensorId>> ofB;
        for (const ir::TensorId weight : region.b.weights)
            if (const auto content = m_matching.b().labeller.weights().content(weight))
                ofB[*content].push_back(weight);
        Contents contents(m_matching.a().side.model, m_matching.b().side.model);
        return static_cast<std::size_t>(std::ranges::count_if(region.a.weights, [&](ir::TensorId weight) {
            const auto content = m_matching.a().labeller.weights().content(weight);
            const auto found = content ? ofB.find(*content) : ofB.end();
            return found != ofB.end() && std::ranges::any_of(found->second, [&](ir::TensorId other) {
                       const ir::Tensor &x = m_matching.a().side.model.at(weight),
                                        &y = m_matching.b().side.model.at(other);
                       return x.dtype == y.dtype && x.shape == y.shape && areEqual(contents.compare(weight, other));
                   });
        }));
    }

    /// Whether a node's results are known once sizes are numbers: in files that are written differently, such a node is
    /// a constant of its readers.
    bool isKnown(const Parts &parts, const ir::NodeRef &node) const
    {
        return !m_difference.isExact && std::ranges::all_of(node->outputs, [&](ir::ValueId output) {
            return compute::valueOf(parts.factOf(output)).has_value();
        });
    }

    void addLeft(const Parts &parts, const std::vector<bool> &isTaken, std::vector<ir::NodeId> &nodes) const
    {
        const Subject &side = parts.subject();
        for (std::uint32_t i = 0; i < side.outline.items.size(); ++i) {
            const Item &item = side.outline.items[i];
            if (item.node && !m_matching.isMatched(side, i) && !isTaken[i]
                && (m_difference.isExact || !isPlumbing(item.role)) && !isKnown(parts, *item.node))
                nodes.push_back(*item.node);
        }
    }

    const Matching &m_matching;
    CalledFunctions &m_functions;
    NumberedSizes m_sizes;
    Parts m_partsA, m_partsB;
    Checks m_checks;
    ReadsCompared m_reads;
    std::vector<bool> m_isTakenA, m_isTakenB; ///< by item: whether it is in a group or region
    std::vector<std::uint32_t> m_suspects;
    Difference m_difference;
};

/// Returns the difference without suspected pairs whose nodes are in equivalent groups once all of them are separated.
Difference withoutWrongPairs(const Matching &matching, const std::vector<std::uint32_t> &suspects, Difference found,
                             CalledFunctions &functions)
{
    if (suspects.empty())
        return found;
    const auto without = [&](const std::vector<std::uint32_t> &pairs) {
        Matching loose = matching;
        for (const std::uint32_t item : pairs)
            loose.separate(item);
        return Outcome(loose, false, functions).take();
    };
    Difference other = without(suspects);
    std::unordered_set<ir::NodeId> provenA, provenB;
    for (const Group &group : other.groups) {
        provenA.insert(group.a.begin(), group.a.end());
        provenB.insert(group.b.begin(), group.b.end());
    }
    std::vector<std::uint32_t> proven;
    std::ranges::copy_if(suspects, std::back_inserter(proven), [&](std::uint32_t item) {
        return provenA.contains(*matching.a().outline.items[item].node)
            && provenB.contains(*matching.b().outline.items[matching.partnerOfA(item)->item].node);
    });
    if (proven.empty())
        return found;
    return proven.size() == suspects.size() ? other : without(proven);
}

} // namespace

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
    Outcome outcome(matching, isExact, functions);
    Difference found = outcome.take();
    if (isExact || found.isEqual())
        return found;
    return withoutWrongPairs(matching, outcome.suspects(), std::move(found), functions);
}

} // namespace cutaway::diff
