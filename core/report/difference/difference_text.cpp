// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ir/node_ref.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"
#include "core/report/difference.h"
#include "core/report/difference/unified_diff.h"
#include "core/report/part_changes.h"

#include <algorithm>

namespace cutaway::report {

namespace {

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

/// Returns a line for each module with differences, outer modules before inner ones. Models that have little in common
/// have hundreds, so the list is cut.
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

/// Returns a line for each found part of A that has differences.
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

/// Returns a line for each reason: "# not compared: weight of conv1 and 3 more: the file … is missing".
std::string notComparedText(const Comparison &comparison)
{
    // Each entry has the first item of a reason, and the number of further items with the same reason.
    std::vector<std::pair<const diff::NotCompared *, std::size_t>> reasons;
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

/// Returns "53 aten::conv2d, 49 aten::relu_, 2 other operators".
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

/// Returns a paragraph for each replaced region, with both sides.
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

/// Returns "same graph in another precision: 161 weights rounded from float32 to float16, largest relative error
/// 4.9e-04".
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

/// Returns "the same network quantized: 5 nodes that quantize and 15 that dequantize, around 5 nodes; 10 weights as
/// integers, each element within a step of the other side's".
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
    text += unifiedDiff(comparison) + verdict + regionsText(difference);
    return text + modulesText(difference) + partsText(comparison) + unsure;
}

} // namespace cutaway::report
