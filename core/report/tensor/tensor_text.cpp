// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tensor/tensor_report.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/names.h"
#include "core/ir/tensors/sizes.h"
#include "core/ir/tensors/tensor_data.h"
#include "core/print/text_table.h"
#include "core/report/tensor/tensor_lines.h"
#include "core/tensor/slice.h"

#include <algorithm>
#include <cmath>

namespace cutaway::report {

namespace {

using print::TextTable;

constexpr std::size_t indentOfRows = 2;
constexpr std::size_t histogramRows = 16;
constexpr std::size_t histogramWidth = 40;
constexpr std::size_t channelRows = 40;
constexpr std::size_t cellsPerLine = 8;

std::string groupedDigits(std::uint64_t n) { return grouped(static_cast<long long>(n)); }

std::string headText(const TensorFacts &facts)
{
    const ir::Tensor &tensor = facts.model.at(facts.tensor);
    TextTable table({{}, {.align = TextTable::Align::Left, .maxWidth = 100}});
    table.addRow({"kind", std::string(ir::name(tensor.kind))});
    table.addRow({"dtype", std::string(ir::name(tensor.dtype))});
    table.addRow({"shape", ir::printSizes(tensor.shape)});
    if (tensor.strides)
        table.addRow({"strides", ir::printSizes(*tensor.strides)});
    if (const auto elements = ir::elementCount(tensor))
        table.addRow({"elements", grouped(*elements)});
    if (const auto bytes = ir::byteSize(tensor))
        table.addRow({"size", byteCount(static_cast<double>(*bytes))});
    table.addRow({"stored", placeText(facts.model, tensor)});
    if (facts.quantization)
        table.addRow({"quantized", quantizationText(*facts.quantization)});
    for (const std::string &reason : facts.notKnown)
        table.addRow({"not known", sanitized(reason)});
    return sanitized(facts.model.context->text(tensor.name)) + "\n" + table.print(indentOfRows);
}

std::string statisticsText(const TensorFacts &facts)
{
    const tensor::Statistics &whole = facts.summary->whole;
    TextTable table({{}, {.align = TextTable::Align::Right}});
    table.addRow({"min", numberText(whole.min)});
    table.addRow({"max", numberText(whole.max)});
    table.addRow({"mean", numberText(whole.mean)});
    table.addRow({"std", numberText(whole.deviation())});
    table.addRow({"zeros", groupedDigits(whole.zeros)});
    if (facts.model.at(facts.tensor).layout != ir::Layout::Strided && whole.count > 0) {
        const std::uint64_t others = whole.count - whole.zeros;
        table.addRow({"non-zeros", groupedDigits(others)});
        table.addRow({"density", numberText(100.0 * double(others) / double(whole.count)) + " %"});
    }
    table.addRow({"NaN", groupedDigits(whole.nans)});
    table.addRow({"Inf", groupedDigits(whole.positiveInfinities)});
    table.addRow({"-Inf", groupedDigits(whole.negativeInfinities)});
    const std::string_view of = facts.areMagnitudes ? " of the magnitudes"
        : facts.areDequantized                      ? " of what the elements stand for"
                                                    : "";
    return formatted("\nStatistics{}\n", of) + table.print(indentOfRows);
}

/// Returns a histogram with fewer and wider intervals than were counted.
std::string histogramText(const tensor::Histogram &histogram)
{
    if (histogram.counts.empty())
        return "";
    const std::size_t each = (histogram.counts.size() + histogramRows - 1) / histogramRows;
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        if (i % each == 0)
            counts.push_back(0);
        counts.back() += histogram.counts[i];
    }
    const double share = static_cast<double>(each) / static_cast<double>(histogram.counts.size());
    const std::uint64_t highest = std::max<std::uint64_t>(std::ranges::max(counts), 1);
    TextTable table({{.align = TextTable::Align::Right}, {.align = TextTable::Align::Right}, {}});
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double left = static_cast<double>(i) * share;
        const double from = histogram.first * (1 - left) + histogram.last * left;
        const double length = static_cast<double>(counts[i]) / static_cast<double>(highest) * histogramWidth;
        table.addRow({numberText(from), groupedDigits(counts[i]),
                      std::string(static_cast<std::size_t>(std::lround(length)), '#')});
    }
    return "\nHistogram (from, elements)\n" + table.print(indentOfRows);
}

std::string channelsText(const tensor::Channels &channels)
{
    TextTable table({{.align = TextTable::Align::Right},
                     {.align = TextTable::Align::Right},
                     {.align = TextTable::Align::Right},
                     {.align = TextTable::Align::Right},
                     {.align = TextTable::Align::Right},
                     {.align = TextTable::Align::Right},
                     {.align = TextTable::Align::Right}});
    table.addRow({"index", "min", "max", "mean", "std", "zeros", "NaN"});
    const std::size_t rows = std::min(channels.each.size(), channelRows);
    for (std::size_t i = 0; i < rows; ++i) {
        const tensor::Statistics &channel = channels.each[i];
        table.addRow({std::to_string(i), numberText(channel.min), numberText(channel.max), numberText(channel.mean),
                      numberText(channel.deviation()), groupedDigits(channel.zeros), groupedDigits(channel.nans)});
    }
    const std::size_t left = channels.each.size() - rows;
    return formatted("\nChannels of dimension {}\n", channels.dim) + table.print(indentOfRows)
        + (left > 0 ? formatted("  … and {} more; --json has all\n", left) : "");
}

std::string partText(const TensorFacts::Part &part)
{
    const std::size_t last = part.shape.empty() ? 1 : static_cast<std::size_t>(part.shape.back());
    const std::size_t columns = std::clamp<std::size_t>(last, 1, cellsPerLine);
    TextTable table(std::vector<TextTable::Column>(columns, {.align = TextTable::Align::Right}));
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < part.elements.size(); ++i) {
        cells.push_back(sanitized(part.elements[i]));
        if (cells.size() == columns || (i + 1) % last == 0)
            table.addRow(std::exchange(cells, {}));
    }
    return formatted("\nElements {} {}\n", sanitized(part.text), ir::printSizes(part.shape))
        + table.print(indentOfRows);
}

} // namespace

std::string tensorText(const TensorFacts &facts)
{
    std::string text = headText(facts);
    if (facts.summary) {
        text += statisticsText(facts) + histogramText(facts.summary->histogram);
        if (facts.summary->channels)
            text += channelsText(*facts.summary->channels);
    }
    return text + (facts.part ? partText(*facts.part) : "");
}

std::string tensorListText(const ir::Model &model)
{
    TextTable table({{}, {}, {}, {}, {.align = TextTable::Align::Right}});
    for (const ir::Tensor &tensor : model.tensors) {
        const auto bytes = ir::byteSize(tensor);
        table.addRow({sanitized(model.context->text(tensor.name)), std::string(ir::name(tensor.kind)),
                      std::string(ir::name(tensor.dtype)), ir::printSizes(tensor.shape),
                      bytes ? byteCount(static_cast<double>(*bytes)) : "?"});
    }
    return table.print(0);
}

std::string tensorComparisonText(const TensorComparison &compared)
{
    const tensor::Comparison &comparison = compared.comparison;
    const ir::Tensor &a = compared.modelA.at(compared.a), &b = compared.modelB.at(compared.b);
    TextTable table({{}, {.align = TextTable::Align::Left, .maxWidth = 100}});
    const auto described = [](const ir::Model &model, const ir::Tensor &tensor) {
        return formatted("{} {}{} ({})", sanitized(model.context->text(tensor.name)), ir::name(tensor.dtype),
                         ir::printSizes(tensor.shape), sanitized(model.path));
    };
    table.addRow({"A", described(compared.modelA, a)});
    table.addRow({"B", described(compared.modelB, b)});
    table.addRow(
        {"differing",
         formatted("{} of {} elements", groupedDigits(comparison.differing), groupedDigits(comparison.elements))});
    if (!comparison.firstDifference)
        return table.print(0);
    const auto at = [&](std::string_view what, std::uint64_t place) {
        const std::uint64_t places[] = {place};
        const auto before = ir::elementsAt(compared.modelA, compared.a, places, ir::Digits::All);
        const auto after = ir::elementsAt(compared.modelB, compared.b, places, ir::Digits::All);
        return formatted("{}at {}: {} and {}", what, indexText(a.shape, place), before ? before->front() : "?",
                         after ? after->front() : "?");
    };
    table.addRow({"first", at("", *comparison.firstDifference)});
    table.addRow({"max abs", at(numberText(comparison.maxAbsolute) + " ", comparison.maxAbsoluteAt)});
    table.addRow({"max rel", at(numberText(comparison.maxRelative) + " ", comparison.maxRelativeAt)});
    return table.print(0);
}

} // namespace cutaway::report
