// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/figures/quantized.h"

#include "core/base/checked.h"
#include "core/diff/weights/contents.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/network/quantization.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_map>

// Each value that a node of the quantized side reads is followed upwards through pairs of Quantize and Dequantize with
// one scale. The value found there has to be the one that the node's partner reads: the same result of the partner of
// its producer, the same input, the same weight. A weight that the file keeps as integers is dequantized here, and each
// element has to lie within one step of the other side's.

namespace cutaway::diff {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;
using ir::ValueRef;

bool isOneOf(const NodeRef &node, const std::array<ops::OperatorKind, 3> &kinds)
{
    return std::ranges::contains(kinds, ops::kindOf(node));
}

bool quantizes(const NodeRef &node)
{
    return isOneOf(node, {ops::kind::quantizeLinear, ops::kind::quantizePerTensor, ops::kind::quantizePerChannel});
}

bool dequantizes(const NodeRef &node)
{
    return isOneOf(node,
                   {ops::kind::dequantizeLinear, ops::kind::dequantizePerTensor, ops::kind::dequantizePerChannel});
}

std::optional<ValueRef> firstRead(const NodeRef &node)
{
    return node->arguments.empty() ? std::nullopt : ir::valueOf(node.graph(), &node->arguments.front().value);
}

/// Returns the scale (1) or the zero point (2) of a node that quantizes or dequantizes; nullptr if it has none.
const Operand *parameterOf(const NodeRef &node, std::size_t position)
{
    if (node.isOnnx())
        return node.input(position);
    return position < node->arguments.size() ? &node->arguments[position].value : nullptr;
}

/// Returns a number among a node's arguments, or the elements of a weight, as floats.
std::optional<std::vector<double>> floatsOf(const ir::Model &model, const ir::Graph &graph, const Operand *operand)
{
    if (const auto *number = operand ? operand->as<double>() : nullptr)
        return std::vector{*number};
    if (const auto *number = operand ? operand->as<std::int64_t>() : nullptr)
        return std::vector{static_cast<double>(*number)};
    const auto value = ir::valueOf(graph, operand);
    const auto weight = value ? value->weight() : std::nullopt;
    const auto numbers = weight ? std::optional(ir::numbersOf(model, *weight)) : std::nullopt;
    if (!numbers || !*numbers)
        return std::nullopt;
    return std::visit([](const auto &each) { return std::vector<double>(each.begin(), each.end()); }, **numbers);
}

/// A weight that a file keeps as integers, with the scales and zero points that dequantize it.
struct KeptWeight {
    std::vector<std::int64_t> integers;
    std::vector<double> scale, zero; ///< one number, or one for each channel; a missing zero point is 0
    std::size_t inner = 1;           ///< the number of consecutive elements of one channel

    std::size_t channel(std::size_t i) const { return scale.size() == 1 ? 0 : i / inner % scale.size(); }
    double at(std::size_t i) const
    {
        const std::size_t c = channel(i);
        return (static_cast<double>(integers[i]) - (zero.empty() ? 0 : zero[c])) * scale[c];
    }
};

std::vector<ValueId> valuesIn(const Operand &operand)
{
    std::vector<ValueId> values;
    ir::forEachValue(operand, [&](ValueId value) { values.push_back(value); });
    return values;
}

class Following {
public:
    Following(const Side &plain, const Side &rounded, const Difference &difference, bool isInB)
        : m_plain(plain),
          m_rounded(rounded),
          m_contents(plain.model, rounded.model)
    {
        for (const Pair &pair : difference.pairs)
            m_partners.emplace(isInB ? pair.b : pair.a, isInB ? pair.a : pair.b);
        m_found.isInB = isInB;
    }

    std::optional<Quantized> find(const std::vector<ir::NodeId> &added)
    {
        for (const ir::NodeId node : added)
            (quantizes({graph(), node}) ? m_found.quantizing : m_found.dequantizing) += 1;
        for (const auto &[rounded, plain] : m_partners) {
            const auto &read = graph().at(rounded).arguments, &wanted = m_plain.graph().at(plain).arguments;
            if (read.size() != wanted.size())
                return std::nullopt;
            bool isReader = false;
            for (std::size_t i = 0; i < read.size(); ++i)
                if (!areSame(read[i].value, wanted[i].value, isReader))
                    return std::nullopt;
            m_found.readers += isReader ? 1 : 0;
            const auto &regions = graph().at(rounded).regions, &others = m_plain.graph().at(plain).regions;
            for (std::size_t i = 0; i < regions.size(); ++i)
                if (i >= others.size() || !giveTheSame(regions[i], others[i]))
                    return std::nullopt;
        }
        if (!giveTheSame(ir::Graph::body, ir::Graph::body))
            return std::nullopt;
        m_found.weights = m_weights.size();
        return m_found;
    }

private:
    const ir::Graph &graph() const { return m_rounded.graph(); }

    bool giveTheSame(ir::RegionId rounded, ir::RegionId plain)
    {
        const auto &results = graph().at(rounded).outputs, &wanted = m_plain.graph().at(plain).outputs;
        bool areAll = results.size() == wanted.size(), isReader = false;
        for (std::size_t i = 0; areAll && i < results.size(); ++i)
            areAll = areSame(results[i], wanted[i], isReader);
        return areAll;
    }

    bool areSame(const Operand &rounded, const Operand &plain, bool &isReader)
    {
        const std::vector<ValueId> read = valuesIn(rounded), wanted = valuesIn(plain);
        bool areAll = read.size() == wanted.size();
        for (std::size_t i = 0; areAll && i < read.size(); ++i)
            areAll = isRoundingOf({graph(), read[i]}, {m_plain.graph(), wanted[i]}, isReader);
        return areAll;
    }

    bool isRoundingOf(ValueRef value, const ValueRef &wanted, bool &isReader)
    {
        bool isRounded = false;
        for (auto maker = value.producer(); maker && dequantizes(*maker); maker = value.producer()) {
            isReader = isRounded = true;
            const auto integers = firstRead(*maker);
            const auto before = integers ? integers->producer() : std::nullopt;
            if (integers && integers->weight())
                return isWeightWithinAStep(*maker, *integers->weight(), wanted.weight());
            const auto real = before && quantizes(*before) ? firstRead(*before) : std::nullopt;
            if (!real || !haveOneScale(*before, *maker))
                return false;
            value = *real;
        }
        return isSame(value, wanted, isRounded);
    }

    bool isSame(const ValueRef &value, const ValueRef &wanted, bool isRounded)
    {
        const auto maker = value.producer(), other = wanted.producer();
        if (maker && other) {
            const auto partner = m_partners.find(*maker);
            return partner != m_partners.end() && partner->second == other->id()
                && std::ranges::find(m_rounded.graph().at(*maker).outputs, value.id())
                    - m_rounded.graph().at(*maker).outputs.begin()
                == std::ranges::find(m_plain.graph().at(*other).outputs, wanted.id())
                    - m_plain.graph().at(*other).outputs.begin();
        }
        // Weights that are read without rounding have been compared before.
        if (value.weight() && wanted.weight())
            return !isRounded || isSameWeight(*wanted.weight(), *value.weight());
        const auto *input = std::get_if<ir::RegionInput>(&value->definition);
        const auto *otherInput = std::get_if<ir::RegionInput>(&wanted->definition);
        return input && otherInput && input->index == otherInput->index;
    }

    bool isSameWeight(ir::TensorId plain, ir::TensorId rounded)
    {
        const ir::Tensor &a = m_plain.model.at(plain), &b = m_rounded.model.at(rounded);
        return a.dtype == b.dtype && a.shape == b.shape && areEqual(m_contents.compare(plain, rounded));
    }

    /// Whether both nodes have the same scale, zero point and axis.
    bool haveOneScale(const NodeRef &quantizing, const NodeRef &dequantizing) const
    {
        for (const std::size_t i : {1u, 2u}) {
            const Operand *a = parameterOf(quantizing, i), *b = parameterOf(dequantizing, i);
            const bool isOne = (!a && !b) || (a && b && *a == *b);
            const auto x = isOne ? std::nullopt : floatsOf(m_rounded.model, graph(), a);
            if (!isOne && (!x || x != floatsOf(m_rounded.model, graph(), b)))
                return false;
        }
        const Operand *axis = quantizing.argument("axis"), *other = dequantizing.argument("axis");
        return (axis == nullptr) == (other == nullptr) && (!axis || *axis == *other);
    }

    /// Whether each element of a weight that is kept as integers lies within one step of the element of `wanted`.
    bool isWeightWithinAStep(const NodeRef &dequantizing, ir::TensorId integers, std::optional<ir::TensorId> wanted)
    {
        const auto kept = keptWeight(dequantizing, integers);
        const auto plain = wanted ? std::optional(ir::numbersOf(m_plain.model, *wanted)) : std::nullopt;
        const auto *real = plain && *plain ? std::get_if<std::vector<double>>(&**plain) : nullptr;
        if (!kept || !real || kept->integers.size() != real->size()
            || m_rounded.model.at(integers).shape != m_plain.model.at(*wanted).shape)
            return false;
        constexpr double roundingOfScale = 1 + 1e-6;
        for (std::size_t i = 0; i < real->size(); ++i)
            if (!(std::abs(kept->at(i) - (*real)[i]) <= std::abs(kept->scale[kept->channel(i)]) * roundingOfScale))
                return false;
        m_weights.insert(integers);
        return true;
    }

    /// Returns the integers of a weight with the scales that the node applies to them; nothing if the scales are not
    /// known or belong to blocks.
    std::optional<KeptWeight> keptWeight(const NodeRef &dequantizing, ir::TensorId id) const
    {
        const auto numbers = ir::numbersOf(m_rounded.model, id);
        const auto *integers = numbers ? std::get_if<std::vector<std::int64_t>>(&*numbers) : nullptr;
        const auto scale = floatsOf(m_rounded.model, graph(), parameterOf(dequantizing, 1));
        const Operand *zeroOperand = parameterOf(dequantizing, 2), *blocks = dequantizing.argument("block_size");
        const bool hasZero = zeroOperand && !zeroOperand->as<ir::None>();
        const auto zero = hasZero ? floatsOf(m_rounded.model, graph(), zeroOperand) : std::vector<double>();
        const bool areOfBlocks = blocks && *blocks != Operand(std::int64_t{0});
        if (!integers || !scale || scale->empty() || areOfBlocks || !zero || (hasZero && zero->size() != scale->size()))
            return std::nullopt;
        KeptWeight kept{*integers, *scale, *zero};
        return scale->size() == 1 || setChannels(kept, dequantizing, m_rounded.model.at(id).shape)
            ? std::optional(std::move(kept))
            : std::nullopt;
    }

    /// Sets which elements share a scale; returns false if the number of scales is not the size of the axis.
    static bool setChannels(KeptWeight &kept, const NodeRef &dequantizing, const std::vector<std::int64_t> &shape)
    {
        const Operand *given = dequantizing.argument("axis");
        const auto *axis = given ? given->as<std::int64_t>() : nullptr;
        const auto at = pythonIndex(axis ? *axis : 1, shape.size());
        if (!at || shape[*at] != std::ssize(kept.scale))
            return false;
        for (std::size_t d = *at + 1; d < shape.size(); ++d)
            kept.inner *= static_cast<std::size_t>(shape[d]);
        return true;
    }

    const Side &m_plain, &m_rounded;
    Contents m_contents;
    std::unordered_map<ir::NodeId, ir::NodeId> m_partners; ///< by node of the quantized side: its partner
    std::set<ir::TensorId> m_weights;                      ///< weights that the quantized side keeps as integers
    Quantized m_found;
};

/// Whether all changes are changes of the node's operands.
bool areOfSources(const std::vector<Change> &changes)
{
    return std::ranges::all_of(changes, [](const Change &change) { return change.kind == Change::Kind::Source; });
}

} // namespace

bool isRounding(const NodeRef &node) { return quantizes(node) || dequantizes(node); }

std::optional<Quantized> quantizedOf(const Side &a, const Side &b, const Difference &difference)
{
    const bool isInB = difference.onlyA.empty();
    const std::vector<ir::NodeId> &added = isInB ? difference.onlyB : difference.onlyA;
    const Side &rounded = isInB ? b : a;
    const bool isOne = !added.empty() && (isInB || difference.onlyB.empty()) && difference.regions.empty()
        && difference.groups.empty() && difference.isComplete() && difference.isProven()
        && areOfSources(difference.signature) && std::ranges::all_of(difference.pairs, areOfSources, &Pair::changes)
        && std::ranges::all_of(added, [&](ir::NodeId node) { return isRounding({rounded.graph(), node}); });
    return isOne ? Following(isInB ? a : b, rounded, difference, isInB).find(added) : std::nullopt;
}

} // namespace cutaway::diff
