// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ir/node_ref.h"
#include "core/ir/text/operand_printer.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"
#include "core/report/difference.h"
#include "core/report/part_changes.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace cutaway::report {

namespace {

/// Unchanged lines of context around a difference.
constexpr std::size_t linesAround = 3;

/// Names of values, by ValueId.
using Names = std::vector<ir::NameId>;

Names ownNames(const diff::Side &side)
{
    Names names;
    for (std::uint32_t i = 0; i < side.graph().valueCount(); ++i)
        names.push_back(side.graph().at(ir::ValueId{i}).name);
    return names;
}

/// Names for B's values, taken from A where they are the same: results of partners, and the weights and inputs that
/// partners read.
class SharedNames {
public:
    explicit SharedNames(const Comparison &comparison)
        : m_a(comparison.a.graph()),
          m_b(comparison.b.graph()),
          m_names(ownNames(comparison.b))
    {
        for (const diff::Pair &pair : comparison.difference.pairs) {
            const ir::NodeRef a(m_a, pair.a), b(m_b, pair.b);
            for (std::size_t i = 0; i < std::min(a.outputCount(), b.outputCount()); ++i)
                share(a.output(i), b.output(i));
            for (std::size_t i = 0; i < std::min(a->arguments.size(), b->arguments.size()); ++i)
                shareOperand(a->arguments[i].value, b->arguments[i].value);
        }
    }

    Names take() { return std::move(m_names); }

private:
    void share(const ir::ValueRef &a, ir::ValueId b) { m_names[b.index] = m_b.context().name(a.name()); }

    void shareOperand(const ir::Operand &a, const ir::Operand &b)
    {
        const auto valueA = ir::valueOf(m_a, &a), valueB = ir::valueOf(m_b, &b);
        if (valueA && valueB && !valueA->producer() && !valueB->producer())
            share(*valueA, *valueB);
    }

    const ir::Graph &m_a;
    const ir::Graph &m_b;
    Names m_names;
};

/// Prints the nodes of one side, a line each.
class NodeLines {
public:
    NodeLines(const diff::Side &side, const Names &names) : m_side(side), m_printer(m_text, side.model)
    {
        for (std::uint32_t i = 0; i < names.size(); ++i)
            m_labels.add({i}, names[i]);
        m_printer.setValues(&m_labels);
    }

    std::string line(const ir::NodeRef &node)
    {
        m_text.clear();
        for (const ir::ValueRef output : node.outputs()) {
            m_text += output == node->outputs[0] ? "" : ", ";
            m_printer.append(output.id());
            m_text += ": " + typeOf(output);
        }
        m_text += node.outputCount() == 0 ? "" : " = ";
        ir::appendOperator(m_text, node.graph().context(), node->op);
        m_printer.appendArguments(node->arguments);
        return sanitized(m_text);
    }

private:
    std::string typeOf(const ir::ValueRef &value) const
    {
        const ops::Fact &fact = m_side.analysis.shapes.of(value);
        const auto *tensor = ops::asTensor(fact);
        if (!tensor)
            return value.graph().context().printBriefly(value->type);
        return std::string(tensor->dtype ? ir::name(*tensor->dtype) : "?")
            + (tensor->shape ? ir::print(*tensor->shape) : "[*]");
    }

    const diff::Side &m_side;
    std::string m_text;
    ir::OperandPrinter m_printer;
    ir::Labels<ir::ValueId> m_labels;
};

/// One line of the diff, before its sign is added.
struct DiffLine {
    char sign = ' ';
    std::string text;
    std::string scope;
};

std::vector<ir::NodeRef> inOrder(const ir::Graph &graph)
{
    std::vector<ir::NodeRef> nodes;
    const auto walk = [&](const auto &self, ir::RegionId region) -> void {
        for (const ir::NodeRef node : ir::nodesOf(graph, region)) {
            nodes.push_back(node);
            for (const ir::RegionId inner : node->regions)
                self(self, inner);
        }
    };
    walk(walk, ir::Graph::body);
    return nodes;
}

class UnifiedDiff {
public:
    explicit UnifiedDiff(const Comparison &comparison)
        : m_comparison(comparison),
          m_linesA(comparison.a, ownNames(comparison.a)),
          m_linesB(comparison.b, SharedNames(comparison).take())
    {
        for (const diff::Pair &pair : comparison.difference.pairs) {
            m_pairOfA.emplace(pair.a, &pair);
            m_pairOfB.emplace(pair.b, &pair);
        }
        for (const ir::NodeId node : comparison.difference.onlyA)
            m_left.insert(node);
        for (const ir::NodeId node : comparison.difference.onlyB)
            m_added.insert(node);
        for (const diff::Group &group : comparison.difference.groups)
            if (comparison.difference.isExact)
                addNodes(group.a, group.b);
        for (const diff::Region &region : comparison.difference.regions)
            addNodes(region.a.nodes, region.b.nodes);
    }

    std::vector<DiffLine> lines()
    {
        const std::vector<ir::NodeRef> ofB = inOrder(m_comparison.b.graph());
        std::size_t b = 0;
        std::unordered_map<ir::NodeId, std::size_t> placeInB;
        for (std::size_t i = 0; i < ofB.size(); ++i)
            placeInB.emplace(ofB[i], i);
        for (const ir::NodeRef node : inOrder(m_comparison.a.graph())) {
            const auto pair = m_pairOfA.find(node);
            if (pair == m_pairOfA.end()) {
                if (m_left.contains(node))
                    add('-', m_linesA, node);
                continue;
            }
            for (const std::size_t place = placeInB.at(pair->second->b); b <= place; ++b)
                if (m_added.contains(ofB[b]))
                    add('+', m_linesB, ofB[b]);
            addPair(*pair->second);
        }
        for (; b < ofB.size(); ++b)
            if (m_added.contains(ofB[b]))
                add('+', m_linesB, ofB[b]);
        return std::move(m_lines);
    }

private:
    void addNodes(const std::vector<ir::NodeId> &a, const std::vector<ir::NodeId> &b)
    {
        for (const ir::NodeId node : a)
            if (!m_pairOfA.contains(node))
                m_left.insert(node);
        for (const ir::NodeId node : b)
            if (!m_pairOfB.contains(node))
                m_added.insert(node);
    }

    void add(char sign, NodeLines &lines, const ir::NodeRef &node)
    {
        m_lines.push_back({sign, lines.line(node), std::string(node.graph().context().text(node.scope().path))});
    }

    void addPair(const diff::Pair &pair)
    {
        const ir::NodeRef before(m_comparison.a.graph(), pair.a), after(m_comparison.b.graph(), pair.b);
        if (pair.changes.empty())
            return add(' ', m_linesA, before);
        add('-', m_linesA, before);
        add('+', m_linesB, after);
        for (const diff::Change &change : pair.changes)
            m_lines.push_back({'#', sanitized(change.what + ": " + change.before + " -> " + change.after), {}});
    }

    const Comparison &m_comparison;
    NodeLines m_linesA, m_linesB;
    std::unordered_map<ir::NodeId, const diff::Pair *> m_pairOfA, m_pairOfB;
    std::unordered_set<ir::NodeId> m_left, m_added;
    std::vector<DiffLine> m_lines;
};

/// "# " and a text, in as many lines as it needs.
std::string comment(std::string_view text) { return print::fittedAfter("# ", text) + "\n"; }

/// The lines near a difference, with a heading where others are left out.
std::string hunks(const std::vector<DiffLine> &lines)
{
    std::vector<bool> isShown(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (lines[i].sign != ' ')
            for (std::size_t k = i - std::min(i, linesAround); k < std::min(lines.size(), i + linesAround + 1); ++k)
                isShown[k] = true;
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!isShown[i])
            continue;
        if (i == 0 || !isShown[i - 1])
            text += "@@ "
                + print::elided(lines[i].scope.empty() ? "model" : sanitized(lines[i].scope), print::maxLine - 6)
                + " @@\n";
        text += lines[i].sign == '#' ? comment(lines[i].text)
                                     : lines[i].sign + print::elided(lines[i].text, print::maxLine - 1) + "\n";
    }
    return text;
}

std::string countsText(const diff::ModuleChanges &module)
{
    std::string text;
    const auto add = [&](std::size_t count, std::string_view what) {
        if (count > 0)
            text += (text.empty() ? "" : ", ") + std::to_string(count) + std::string(what);
    };
    add(module.changed, " changed");
    add(module.onlyA, " removed");
    add(module.onlyB, " added");
    return text;
}

/// A line for each module with differences, outer before inner; models that have little in common have hundreds.
std::string modulesText(const diff::Difference &difference)
{
    constexpr std::size_t shown = 40;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, difference.modules.size()); ++i) {
        const diff::ModuleChanges &module = difference.modules[i];
        text += comment((module.path.empty() ? "model" : sanitized(module.path)) + ": " + countsText(module));
    }
    if (difference.modules.size() > shown)
        text += "# " + std::to_string(difference.modules.size() - shown) + " more modules\n";
    return text;
}

/// A line for each part of A that was found and has differences.
std::string partsText(const Comparison &comparison)
{
    constexpr std::size_t shown = 40;
    const std::vector<PartChanges> parts = partChanges(comparison);
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, parts.size()); ++i)
        text += comment(sanitized(parts[i].name) + ": " + partText(parts[i]));
    if (parts.size() > shown)
        text += "# " + std::to_string(parts.size() - shown) + " more parts\n";
    return text;
}

/// A line for each reason: "# not compared: weight of conv1 and 3 others: the file … is missing"
std::string notComparedText(const Comparison &comparison)
{
    std::vector<std::pair<const diff::NotCompared *, std::size_t>> reasons; // with the number of others
    for (const diff::NotCompared &each : comparison.difference.notCompared) {
        const auto known = std::ranges::find(reasons, each.reason, [](const auto &r) { return r.first->reason; });
        if (known == reasons.end())
            reasons.emplace_back(&each, 0);
        else
            ++known->second;
    }
    std::string text;
    for (const auto &[first, others] : reasons) {
        std::string line = "not compared: " + sanitized(first->what);
        if (first->nodes.a)
            line += " of " + sanitized(ir::nameOf({comparison.a.graph(), *first->nodes.a}));
        text += comment(line + (others > 0 ? " and " + std::to_string(others) + " more" : "") + ": "
                        + sanitized(first->reason));
    }
    return text;
}

/// "53 aten::conv2d, 49 aten::relu_, 2 other operators"
std::string operatorsText(const diff::RegionSide &side)
{
    constexpr std::size_t shown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, side.operators.size()); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(side.operators[i].second) + " " + side.operators[i].first;
    if (const std::size_t others = side.operators.size() - std::min(shown, side.operators.size()); others > 0)
        text += ", " + quantity(others, "other operator");
    return sanitized(text);
}

/// A paragraph for each replaced region: what stood there and what stands there now.
std::string regionsText(const diff::Difference &difference)
{
    constexpr std::size_t shown = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, difference.regions.size()); ++i) {
        const diff::Region &region = difference.regions[i];
        text += comment("replaced: " + regionSideText(region.a)) + comment("  by " + regionSideText(region.b));
        text += comment("  - " + operatorsText(region.a)) + comment("  + " + operatorsText(region.b));
        if (region.sharedWeights > 0)
            text += comment("  " + quantity(region.sharedWeights, "weight")
                            + (region.sharedWeights == 1 ? " is in both" : " are in both"));
        text += comment("  not equivalent: " + sanitized(region.reason));
    }
    if (difference.regions.size() > shown)
        text += "# replaced: " + quantity(difference.regions.size() - shown, "more region") + "\n";
    return text;
}

/// "same graph in another precision: 161 weights rounded from float32 to float16, largest relative error 4.9e-04"
std::string precisionText(const diff::Difference &difference)
{
    std::string text = "same graph in another precision: ";
    for (const diff::Rounding &each : difference.roundings)
        text += (&each == difference.roundings.data() ? "" : "; ") + quantity(each.weights, "weight") + " from "
            + std::string(ir::name(each.before)) + " to " + std::string(ir::name(each.after))
            + formatted(", largest relative error {:.1e}", each.largestError);
    if (difference.weights.differing > 0)
        text += "; " + quantity(difference.weights.differing, "weight")
            + (difference.weights.differing == 1 ? " differs" : " differ") + " by more than rounding";
    return text;
}

/// "the same network quantized: 5 nodes that quantize and 15 that dequantize, around 5 nodes; 10 weights as integers,
/// each element within a step of the other side's"
std::string quantizedText(const diff::Quantized &quantized)
{
    std::string text =
        formatted("the same network {}: {} that quantize{} and {} that dequantize{}, around {}",
                  quantized.isInB ? "quantized" : "without its quantization", quantity(quantized.quantizing, "node"),
                  quantized.quantizing == 1 ? "s" : "", quantized.dequantizing, quantized.dequantizing == 1 ? "s" : "",
                  quantity(quantized.readers, "node"));
    if (quantized.weights > 0)
        text += "; " + quantity(quantized.weights, "weight")
            + " as integers, each element within a step of the other side's";
    return text;
}

std::string header(const Comparison &comparison)
{
    return "--- " + sanitized(comparison.a.model.path) + "\n+++ " + sanitized(comparison.b.model.path) + "\n";
}

} // namespace

std::string notProvenText(const Comparison &comparison)
{
    const std::vector<diff::NotProven> &all = comparison.difference.notProven;
    if (all.empty())
        return {};
    const diff::NotProven &first = all.front();
    const std::string node = first.nodes.a ? ir::nameOf({comparison.a.graph(), *first.nodes.a}) + " " : std::string();
    return quantity(all.size(), "place") + (all.size() == 1 ? " (" : " (first: ")
        + sanitized(node + first.what + ": " + first.reason) + ")";
}

std::string verdictText(const diff::Difference &difference)
{
    const std::string open =
        difference.isProven() ? "" : ", " + quantity(difference.notProven.size(), "place") + " not proven";
    if (difference.isEqual() && difference.isComplete())
        return difference.isProven() ? "no difference" : "no difference found" + open;
    if (difference.isEqual())
        return "no difference in what could be compared" + open;
    if (difference.isOtherPrecision())
        return precisionText(difference);
    if (difference.quantized)
        return quantizedText(*difference.quantized);
    if (difference.isSameGraph())
        return "same graph, other weights: " + grouped(static_cast<long long>(difference.weights.differing)) + " of "
            + grouped(static_cast<long long>(difference.weights.compared)) + " tensors differ";
    const diff::Counts counts = difference.counts();
    const auto number = [](std::size_t n) { return grouped(static_cast<long long>(n)); };
    std::string text = quantity(counts.changed, "node") + " changed, " + number(counts.onlyA) + " removed, "
        + number(counts.onlyB) + " added";
    if (counts.regions > 0)
        text += ", " + quantity(counts.regions, "region") + " replaced (" + quantity(counts.replacedA, "node") + " by "
            + number(counts.replacedB) + ")";
    if (difference.isExact && counts.groups > 0)
        text += ", " + quantity(counts.groups, "equivalent rewrite");
    if (counts.signature > 0)
        text += ", other inputs or outputs";
    return text;
}

std::string regionSideText(const diff::RegionSide &side)
{
    std::string text = quantity(side.nodes.size(), "node");
    if (ops::isKnown(side.cost.flops) && !ops::isSame(side.cost.flops, ops::zero))
        text += ", " + print::flopText(side.cost.flops);
    if (!side.weights.empty())
        text += ", " + quantity(side.weights.size(), "weight");
    return text;
}

std::string similarityText(const diff::Difference &difference) { return print::percentText(difference.similarity); }

std::string differenceText(const Comparison &comparison, WeightList weights)
{
    constexpr std::size_t fewWeights = 8;
    const diff::Difference &difference = comparison.difference;
    std::string unsure = notComparedText(comparison);
    if (const std::string places = notProvenText(comparison); !places.empty())
        unsure += comment("not proven: " + places);
    if (difference.isEqual())
        return unsure.empty() ? "" : header(comparison) + comment(verdictText(difference)) + unsure;
    const std::string verdict = comment(verdictText(difference)) + comment("similarity: " + similarityText(difference));
    std::string text = header(comparison);
    const bool isBrief = difference.isOtherPrecision() || difference.quantized
        || (difference.isSameGraph() && difference.weights.differing > fewWeights);
    if (isBrief && weights == WeightList::Brief)
        return text + verdict + unsure;
    const auto line = [](char sign, const std::string &what, const std::string &value) {
        return sign + print::elided(sanitized(what + ": " + value), print::maxLine - 1) + "\n";
    };
    for (const diff::Change &change : difference.signature)
        text += line('-', change.what, change.before) + line('+', change.what, change.after);
    text += hunks(UnifiedDiff(comparison).lines()) + verdict + regionsText(difference);
    return text + modulesText(difference) + partsText(comparison) + unsure;
}

} // namespace cutaway::report
