// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/weights/weight_changes.h"

#include "core/base/formatted.h"
#include "core/diff/weights/folded_weights.h"
#include "core/diff/weights/rounding.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/arguments/matrix_product_arguments.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

namespace cutaway::diff {

namespace {

/// Weights of up to this many elements may be attributes on the other side: axes, scales, a clamp's limits.
constexpr std::int64_t attributeElements = 16;
/// The rank up to which all orders of the dimensions of a weight are tried.
constexpr std::size_t maxRank = 5;

std::vector<std::vector<std::uint32_t>> absorbedBy(const std::vector<std::optional<std::uint32_t>> &absorbed)
{
    std::vector<std::vector<std::uint32_t>> lists(absorbed.size());
    for (std::uint32_t i = 0; i < absorbed.size(); ++i)
        if (absorbed[i])
            lists[*absorbed[i]].push_back(i);
    return lists;
}

/// Returns the weights of some items, each once, in the order in which they are read.
std::vector<ir::TensorId> weightsOf(const Subject &side, std::span<const std::uint32_t> items)
{
    std::vector<ir::TensorId> weights;
    for (const std::uint32_t item : items)
        for (const ir::TensorId weight : side.outline.items[item].weights)
            if (!std::ranges::contains(weights, weight))
                weights.push_back(weight);
    return weights;
}

std::optional<ir::TensorId> largest(const ir::Model &model, const std::vector<ir::TensorId> &weights)
{
    const auto found =
        std::ranges::max_element(weights, {}, [&](ir::TensorId id) { return elementCount(model.at(id)).value_or(0); });
    return found == weights.end() ? std::nullopt : std::optional(*found);
}

/// Returns true if a matrix product sums along the last dimension of its weight, false if it sums along the first one;
/// nothing if the node is no product with this weight.
std::optional<bool> sumsAlongLast(Operands &side, const ir::NodeRef &node, ir::TensorId weight)
{
    if (ops::categoryOf(node) != ops::Category::MatrixProduct)
        return {};
    const ops::MatrixProductArguments given = ops::matrixProductArguments(side.call(node));
    const auto reads = [&](ops::Position position) {
        const ir::Operand *operand = side.argument(node, position);
        const auto read = operand ? side.readWeight(*operand) : std::nullopt;
        return read && read->tensor == weight ? read : std::nullopt;
    };
    if (const auto first = reads(given.a); first && given.transposeA)
        return !(*given.transposeA != first->isTransposed);
    if (const auto second = reads(given.b); second && given.transposeB)
        return *given.transposeB != second->isTransposed;
    return {};
}

} // namespace

WeightChanges::WeightChanges(const Matching &matching, Operands &a, Operands &b)
    : m_matching(matching),
      m_a(a),
      m_b(b),
      m_contents(a.model(), b.model()),
      m_absorbedA(absorbedBy(matching.absorbedOf(matching.a()))),
      m_absorbedB(absorbedBy(matching.absorbedOf(matching.b())))
{
}

void WeightChanges::compare(const std::optional<NodePair> &nodes, const std::string &name, ir::TensorId a,
                            ir::TensorId b, std::vector<Change> &changes)
{
    const std::string before = m_a.weightText(a), after = m_b.weightText(b);
    if (m_a.model().at(a).shape != m_b.model().at(b).shape)
        changes.push_back({Change::Kind::Weight, name, before, after});
    else if (before != after)
        reportDTypes(name, a, b, changes);
    else
        report(nodes.value_or(NodePair{}), name, a, b, m_contents.compare(a, b), changes);
}

void WeightChanges::report(const NodePair &nodes, const std::string &what, ir::TensorId a, ir::TensorId b,
                           const ContentComparison &comparison, std::vector<Change> &changes)
{
    if (const auto *unknown = std::get_if<NotComparable>(&comparison)) {
        m_notCompared.push_back({nodes, what, unknown->reason});
        return;
    }
    const auto &differing = std::get<Differing>(comparison);
    const bool isNew = m_counted.emplace(a, b).second;
    m_counts.compared += isNew ? 1 : 0;
    m_counts.differing += isNew && differing.count > 0 ? 1 : 0;
    if (differing.count > 0)
        changes.push_back(
            {Change::Kind::Weight, what, m_a.weightText(a),
             formatted("{} with other values ({} of {})", m_b.weightText(b), differing.count, differing.of),
             Extent::Elements});
}

void WeightChanges::reportDTypes(const std::string &what, ir::TensorId a, ir::TensorId b, std::vector<Change> &changes)
{
    Change change{Change::Kind::Weight, what, m_a.weightText(a), m_b.weightText(b)};
    if (const auto error = m_contents.roundingError(a, b)) {
        const Rounding rounding{m_a.model().at(a).dtype, m_b.model().at(b).dtype, 1, *error};
        change.extent = extentOf(rounding);
        if (change.extent == Extent::Elements)
            change.after += formatted(" with other values (relative error up to {:.2g})", *error);
        if (m_counted.emplace(a, b).second) {
            ++m_counts.compared;
            m_counts.differing += change.extent == Extent::Elements ? 1 : 0;
            addRounding(m_roundings, rounding);
        }
    }
    changes.push_back(std::move(change));
}

NodePair WeightChanges::nodesOf(std::span<const std::uint32_t> itemsA, std::span<const std::uint32_t> itemsB) const
{
    const auto first = [](const Subject &side, std::span<const std::uint32_t> items) -> std::optional<ir::NodeId> {
        const auto &node = side.outline.items[items.front()].node;
        return node ? std::optional<ir::NodeId>(node->id()) : std::nullopt;
    };
    return {first(m_matching.a(), itemsA), first(m_matching.b(), itemsB)};
}

WeightChanges::Partners WeightChanges::partners(std::span<const std::uint32_t> itemsA,
                                                std::span<const std::uint32_t> itemsB) const
{
    std::vector<ir::TensorId> ofA = weightsOf(m_matching.a(), itemsA), ofB = weightsOf(m_matching.b(), itemsB);
    auto &printsA = m_matching.a().labeller.weights(), &printsB = m_matching.b().labeller.weights();
    Partners partners;
    const auto keep = [](const ir::Model &model, ir::TensorId weight, std::vector<ir::TensorId> &left) {
        if (elementCount(model.at(weight)).value_or(attributeElements + 1) > attributeElements)
            left.push_back(weight);
    };
    std::vector<std::optional<ir::TensorId>> ofEach(ofA.size());
    const auto pairUp = [&](const auto &fit) {
        for (std::size_t i = 0; i < ofA.size(); ++i) {
            const auto b = std::ranges::find_if(ofB, [&](ir::TensorId id) {
                return !ofEach[i] && printsA.shape(ofA[i]) == printsB.shape(id) && fit(ofA[i], id);
            });
            if (b != ofB.end()) {
                ofEach[i] = *b;
                ofB.erase(b);
            }
        }
    };
    // If one side has more tensors of a size than the other, such as scales of quantized weights beside a bias, their
    // order shows nothing.
    const auto countOf = [](const std::vector<ir::TensorId> &weights, const WeightPrints &prints, Hash shape) {
        return std::ranges::count(weights, shape, [&](ir::TensorId id) { return prints.shape(id); });
    };
    std::set<Hash> uneven;
    for (const ir::TensorId a : ofA)
        if (const Hash shape = printsA.shape(a); countOf(ofA, printsA, shape) != countOf(ofB, printsB, shape))
            uneven.insert(shape);
    pairUp([&](ir::TensorId a, ir::TensorId b) {
        const auto content = uneven.contains(printsA.shape(a)) ? printsA.content(a) : std::nullopt;
        return content && content == printsB.content(b);
    });
    pairUp([&](ir::TensorId a, ir::TensorId b) {
        return uneven.contains(printsA.shape(a)) && m_a.nameOf(a) == m_b.nameOf(b);
    });
    pairUp([](ir::TensorId, ir::TensorId) { return true; });
    for (std::size_t i = 0; i < ofA.size(); ++i)
        if (ofEach[i])
            partners.pairs.emplace_back(ofA[i], *ofEach[i]);
        else
            keep(m_a.model(), ofA[i], partners.leftOfA);
    for (const ir::TensorId b : ofB)
        keep(m_b.model(), b, partners.leftOfB);
    return partners;
}

ContentComparison WeightChanges::compared(std::uint32_t itemA, std::uint32_t itemB, ir::TensorId a, ir::TensorId b)
{
    const auto sizesA = squeezed(m_a.model().at(a).shape), sizesB = squeezed(m_b.model().at(b).shape);
    if (sizesA == sizesB && sizesA.size() == 2) {
        const auto sumsA = sumsAlongLast(m_a, *m_matching.a().outline.items[itemA].node, a);
        const auto sumsB = sumsAlongLast(m_b, *m_matching.b().outline.items[itemB].node, b);
        constexpr std::array<std::size_t, 2> exchanged{1, 0};
        if (sumsA && sumsB && sumsA != sumsB)
            return m_contents.compare(a, b, exchanged);
    }
    if (sizesA == sizesB)
        return m_contents.compare(a, b);
    if (sizesA.size() > maxRank)
        return NotComparable{"their dimensions are in another order"};
    std::vector<std::size_t> order(sizesA.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    ContentComparison best = NotComparable{"their sizes differ"};
    do {
        if (!std::ranges::equal(order, sizesA, {}, [&](std::size_t d) { return sizesB[d]; }))
            continue;
        ContentComparison found = m_contents.compare(a, b, order);
        if (!std::holds_alternative<Differing>(best) || areEqual(found))
            best = std::move(found);
    } while (!areEqual(best) && std::ranges::next_permutation(order).found);
    return best;
}

/// Returns the batch norm among the items that a convolution absorbed.
std::optional<ir::NodeId> WeightChanges::foldedNormalization(const Subject &side, const Items &items)
{
    for (const std::uint32_t item : std::span(items).subspan(1))
        if (const auto &node = side.outline.items[item].node;
            node && ops::categoryOf(*node) == ops::Category::Normalization)
            return node->id();
    return {};
}

/// Compares the weights of a convolution into which a batch norm is folded on one side only. Returns false, and
/// compares nothing, if neither side's convolution absorbed a batch norm.
bool WeightChanges::compareFolded(const Items &itemsA, const Items &itemsB, std::vector<Change> &changes)
{
    const auto normA = foldedNormalization(m_matching.a(), itemsA), normB = foldedNormalization(m_matching.b(), itemsB);
    if (!normA && !normB)
        return false;
    const auto weights = [](Operands &side, const Subject &subject, const Items &items,
                            std::optional<ir::NodeId> norm) {
        const ir::NodeRef &convolution = *subject.outline.items[items.front()].node;
        return norm ? foldedWeights(side, convolution, {side.graph(), *norm}) : diff::weightsOf(side, convolution);
    };
    const auto a = weights(m_a, m_matching.a(), itemsA, normA), b = weights(m_b, m_matching.b(), itemsB, normB);
    const NodePair nodes = nodesOf(itemsA, itemsB);
    if (!a || !b) {
        m_notCompared.push_back({nodes, "folded weights", (a ? b : a).error().text()});
        return true;
    }
    const ir::DType was = m_a.model().at(a->tensor).dtype, is = m_b.model().at(b->tensor).dtype;
    if (was != is)
        changes.push_back(
            {Change::Kind::Weight, "weight dtype", std::string(ir::name(was)), std::string(ir::name(is))});
    if (a->weight.size() != b->weight.size()) {
        changes.push_back(
            {Change::Kind::Weight, std::string(otherWeights), m_a.weightText(a->tensor), m_b.weightText(b->tensor)});
        return true;
    }
    const ir::DType dtype = std::max(m_a.model().at(a->tensor).dtype, m_b.model().at(b->tensor).dtype,
                                     [](ir::DType x, ir::DType y) { return ir::bitWidth(x) > ir::bitWidth(y); });
    const Differing differing{countDiffering(*a, *b, dtype), a->weight.size() + a->bias.size()};
    report(nodes, "folded weights", a->tensor, b->tensor, differing, changes);
    return true;
}

bool WeightChanges::areStackedDifferently(std::uint32_t itemA, std::uint32_t itemB) const
{
    const ir::NodeRef a = *m_matching.a().outline.items[itemA].node, b = *m_matching.b().outline.items[itemB].node;
    return ops::categoryOf(a) == ops::Category::Recurrent && a.isOnnx() != b.isOnnx();
}

/// Whether both files have folded what followed into the convolutions, so that their weights differ by roundings alone.
bool WeightChanges::areFoldedOnBothSides(std::uint32_t itemA, std::uint32_t itemB)
{
    const Item &a = m_matching.a().outline.items[itemA], &b = m_matching.b().outline.items[itemB];
    const auto isConvolution = [](const Item &item) {
        return ops::categoryOf(*item.node) == ops::Category::Convolution && item.weights.size() == 2;
    };
    if (!isConvolution(a) || !isConvolution(b))
        return false;
    const auto ofA = diff::weightsOf(m_a, *a.node), ofB = diff::weightsOf(m_b, *b.node);
    const auto isSingle = [](const Operands &side, const Item &item) {
        return std::ranges::all_of(
            item.weights, [&](ir::TensorId weight) { return side.model().at(weight).dtype == ir::DType::Float32; });
    };
    if (!ofA || !ofB || !isSingle(m_a, a) || !isSingle(m_b, b) || ofA->bias == ofB->bias || !areFoldedAlike(*ofA, *ofB))
        return false;
    for (std::size_t i = 0; i < a.weights.size(); ++i)
        m_counts.compared += m_counted.emplace(a.weights[i], b.weights[i]).second ? 1 : 0;
    return true;
}

/// Whether both weights are one attribute: a scale or limit that one file has in double precision, or as an integer,
/// and the other in float32.
bool WeightChanges::areOneAttribute(ir::TensorId a, ir::TensorId b) const
{
    if (elementCount(m_a.model().at(a)).value_or(attributeElements + 1) > attributeElements)
        return false;
    const auto floats = [](const ir::Model &model, ir::TensorId id) -> std::optional<std::vector<float>> {
        const auto numbers = ir::numbersOf(model, id);
        std::vector<float> found;
        if (numbers)
            std::visit(
                [&](const auto &each) {
                    std::ranges::transform(each, std::back_inserter(found),
                                           [](auto x) { return static_cast<float>(x); });
                },
                *numbers);
        return numbers ? std::optional(std::move(found)) : std::nullopt;
    };
    const auto ofA = floats(m_a.model(), a), ofB = floats(m_b.model(), b);
    return ofA && ofA == ofB;
}

void WeightChanges::compareAll(std::uint32_t itemA, std::vector<Change> &changes)
{
    const std::uint32_t itemB = m_matching.partnerOfA(itemA)->item;
    Items itemsA{itemA}, itemsB{itemB};
    std::ranges::copy(m_absorbedA[itemA], std::back_inserter(itemsA));
    std::ranges::copy(m_absorbedB[itemB], std::back_inserter(itemsB));
    if (compareFolded(itemsA, itemsB, changes))
        return;
    if (areStackedDifferently(itemA, itemB) || areFoldedOnBothSides(itemA, itemB))
        return;
    const Partners found = partners(itemsA, itemsB);
    const NodePair nodes = nodesOf(itemsA, itemsB);
    const auto main = largest(m_a.model(), weightsOf(m_matching.a(), itemsA));
    for (const auto &[a, b] : found.pairs) {
        const std::string what = a == main ? "weight" : "weight " + m_a.nameOf(a);
        const bool isOneDType = m_a.model().at(a).dtype == m_b.model().at(b).dtype;
        if (!isOneDType && areOneAttribute(a, b))
            continue;
        if (!isOneDType)
            reportDTypes(what, a, b, changes);
        else
            report(nodes, what, a, b, compared(itemA, itemB, a, b), changes);
    }
    const auto text = [](const Operands &side, const std::vector<ir::TensorId> &left) {
        std::string all;
        for (const ir::TensorId weight : left)
            all += (all.empty() ? "" : ", ") + side.weightText(weight);
        return all;
    };
    if (!found.leftOfA.empty() || !found.leftOfB.empty())
        changes.push_back(
            {Change::Kind::Weight, std::string(otherWeights), text(m_a, found.leftOfA), text(m_b, found.leftOfB)});
}

} // namespace cutaway::diff
