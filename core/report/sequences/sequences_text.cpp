// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"
#include "core/report/sequences/headings.h"
#include "core/report/sequences/sequences.h"
#include "core/report/sequences/step_patterns.h"
#include "core/sequence/facts/guards.h"
#include "core/sequence/kernel_bytes.h"
#include "core/sequence/saved.h"
#include "core/sequence/training.h"

#include <algorithm>

namespace cutaway::report {

namespace {

std::string notesOf(const sequence::Sequence &each)
{
    std::string notes;
    if (!each.recompileReason.empty())
        notes += "  compiled again: " + firstLine(each.recompileReason) + "\n";
    for (const sequence::GraphBreak &broken : each.graphBreaks)
        notes += formatted("  graph break at {}: {}\n",
                           sanitized(codePlaceText(broken.file.value_or("?"), broken.line)), firstLine(broken.reason));
    return notes;
}

std::string guardsText(const sequence::Sequence &each, bool isWhole)
{
    const auto guards = sequence::guardsOf(each);
    if (guards.empty())
        return {};
    std::string text = formatted("  {}\n", quantity(guards.size(), "guard"));
    if (!isWhole)
        return text;
    print::TextTable table({{.maxWidth = 30}, {.maxWidth = 80}, {}});
    for (const sequence::Guard &guard : guards)
        table.addRow({sanitized(guard.kind), sanitized(guard.check), sanitized(guard.place)});
    return text + table.print(4);
}

/// Returns what else the log says about the compilation.
std::string factsOf(const sequence::Sequence &each, bool isWhole)
{
    std::string text;
    for (const sequence::SizeSymbol &symbol : each.symbols)
        text += print::fitted("  size " + symbolText(symbol)) + "\n";
    text += guardsText(each, isWhole);
    if (const std::string caches = cachesText(each); !caches.empty())
        text += print::fitted("  caches: " + caches) + "\n";
    if (const std::string phases = phasesText(each.phases); !phases.empty())
        text += print::fitted("  compile time: " + phases) + "\n";
    return text;
}

/// Returns in a word how a step differs from the one before.
std::string changeText(const sequence::Step &step, const sequence::Step *before)
{
    if (step.outline && !step.outline->isWhole)
        return "cut off";
    if (!step.previous)
        return "";
    if (!step.changed)
        return "?";
    if (!*step.changed)
        return "same";
    if (!before || !before->outline || !step.outline)
        return "changed";
    const auto difference =
        static_cast<std::int64_t>(step.outline->nodes) - static_cast<std::int64_t>(before->outline->nodes);
    return difference == 0 ? "changed" : formatted("{:+}", difference);
}

std::string stepsOf(const sequence::Sequence &each, const SequenceOptions &options)
{
    using Align = print::TextTable::Align;
    print::TextTable table(
        {{.maxWidth = 60}, {}, {Align::Right}, {Align::Right}, {Align::Right}, {.maxWidth = 80, .isProse = true}});
    const StepPatterns patterns = options.hasPatterns ? patternsOf(each) : StepPatterns(each.steps.size());
    std::size_t hidden = 0;
    for (std::size_t i = 0; i < each.steps.size(); ++i) {
        const sequence::Step &step = each.steps[i];
        if (!options.isWhole && step.changed == false) {
            ++hidden;
            continue;
        }
        table.addRow({sanitized(step.name), std::string(sequence::name(step.kind)),
                      step.outline ? quantity(step.outline->nodes, "node") : "?",
                      changeText(step, i > 0 ? &each.steps[i - 1] : nullptr),
                      step.line ? formatted("line {}", *step.line) : "", sanitized(diff::lineOf(patterns[i]))});
    }
    std::string text = table.print(2);
    if (hidden > 0)
        text += formatted("  {} changed nothing.\n", quantity(hidden, "step"));
    return text;
}

std::string bytesText(const ir::Dim &bytes)
{
    const auto number = ops::number(bytes);
    return number ? byteCount(static_cast<double>(*number)) : ops::isKnown(bytes) ? ir::print(bytes) + " B" : "?";
}

/// Returns "3 kernels; fusion saves 12 KiB of reads and writes", with a row for each kernel if `isWhole`.
std::string kernelsText(const sequence::Sequence &each, const SequenceOptions &options, const Task &task)
{
    const auto kernels = sequence::kernelsOf(each, options.useProvenance);
    if (kernels.empty())
        return {};
    const auto bytes = sequence::kernelBytes(each, kernels, task);
    using Align = print::TextTable::Align;
    print::TextTable table({{.maxWidth = 60}, {Align::Right}, {Align::Right}, {Align::Right}, {Align::Right}});
    ir::Dim saved = std::int64_t{0};
    std::size_t unknown = 0;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const bool isKnown = ops::isKnown(bytes[i].saved);
        saved = isKnown ? ops::plus(saved, bytes[i].saved) : saved;
        unknown += isKnown ? 0 : 1;
        table.addRow({sanitized(kernels[i].name), quantity(kernels[i].nodes.size(), "node"),
                      "reads " + bytesText(bytes[i].read), "writes " + bytesText(bytes[i].written),
                      "saves " + bytesText(bytes[i].saved)});
    }
    std::string text =
        formatted("  {}; fusion saves {} of reads and writes", quantity(kernels.size(), "kernel"), bytesText(saved));
    if (unknown > 0)
        text += formatted(", without {} of which it is not known", unknown);
    return text + "\n" + (options.isWhole ? table.print(4) : "");
}

/// Returns "float32[32, 64]".
std::string typeText(const sequence::PrintedType &type)
{
    std::vector<std::string> sizes;
    for (const sequence::PrintedSize &size : type.shape)
        sizes.push_back(std::visit([](const auto &each) { return formatted("{}", each); }, size));
    return formatted("{}[{}]", ir::name(type.dtype), joined(sizes, ", "));
}

/// Returns a row for each value, in the order of the backward's inputs.
std::string savedTable(const std::vector<sequence::SavedValue> &saved)
{
    using Align = print::TextTable::Align;
    print::TextTable table({{.maxWidth = 40}, {}, {Align::Right}, {.maxWidth = 60}, {.maxWidth = 80}});
    for (const sequence::SavedValue &value : saved) {
        const auto bytes = value.type.and_then([](const auto &type) { return type.byteCount(); });
        table.addRow({sanitized(value.name), value.type ? sanitized(typeText(*value.type)) : "?",
                      bytes ? byteCount(static_cast<double>(*bytes)) : "?",
                      sanitized("made by " + value.madeBy.value_or("?")),
                      sanitized("needed by " + joined(value.neededBy, ", "))});
    }
    return table.print(4);
}

std::string savedText(const std::vector<sequence::SavedValue> &saved, bool isWhole)
{
    if (saved.empty())
        return {};
    std::int64_t bytes = 0;
    bool isKnown = true;
    for (const sequence::SavedValue &value : saved) {
        const auto size = value.type.and_then([](const auto &type) { return type.byteCount(); });
        isKnown &= size.has_value();
        bytes += size.value_or(0);
    }
    return formatted("  {} {} saved for the backward: {}{}\n", quantity(saved.size(), "value"),
                     saved.size() == 1 ? "is" : "are", isKnown ? "" : "at least ",
                     byteCount(static_cast<double>(bytes)))
        + (isWhole ? savedTable(saved) : "");
}

std::string recomputedText(const std::vector<sequence::Recomputed> &nodes)
{
    ops::Cost cost;
    ir::Dim bytes = std::int64_t{0};
    for (const sequence::Recomputed &node : nodes) {
        cost = ops::plus(cost, node.cost);
        bytes = ops::plus(bytes, node.bytes);
    }
    const auto flops = ops::number(ops::plus(cost.flops, cost.otherFlops));
    return formatted("  {} {} computed again in the backward: {}, in place of {} saved\n",
                     quantity(nodes.size(), "node"), nodes.size() == 1 ? "is" : "are",
                     flops ? print::withUnit(static_cast<double>(*flops), "FLOPs") : "? FLOPs", bytesText(bytes));
}

/// Returns the peak and, if `isWhole`, its storages.
std::string memoryText(const sequence::TrainingMemory &memory, bool isWhole)
{
    if (!memory.peakStep)
        return "  memory of forward and backward: not known\n";
    const sequence::TrainingMemory::Step &step = memory.steps[*memory.peakStep];
    const auto alive = memory.aliveAt(*memory.peakStep);
    ir::Dim saved = std::int64_t{0};
    print::TextTable table({{.maxWidth = 40}, {print::TextTable::Align::Right}, {}});
    for (const auto *storage : alive) {
        saved = storage->isSaved ? ops::plus(saved, storage->bytes) : saved;
        table.addRow({sanitized(storage->name), bytesText(storage->bytes),
                      storage->isSaved                               ? "saved"
                          : storage->part == sequence::Part::Forward ? "forward"
                                                                     : "backward"});
    }
    return formatted("  memory of forward and backward: at most {}, in the {}{}; {} of it saved\n",
                     bytesText(memory.peak), sequence::name(step.part),
                     step.node.empty() ? "" : " at " + sanitized(step.node), bytesText(saved))
        + (isWhole ? table.print(4) : "");
}

std::string trainingText(const sequence::Sequence &forward, const sequence::Sequence &backward, bool isWhole,
                         const Task &task)
{
    std::string text = savedText(sequence::savedValues(forward, backward), isWhole);
    const auto training = sequence::trainingOf(forward, backward, task);
    if (!training)
        return text;
    if (!training->recomputed.empty())
        text += recomputedText(training->recomputed);
    if (!training->memory.steps.empty())
        text += memoryText(training->memory, isWhole);
    for (const std::string &note : training->notes)
        text += "  " + sanitized(note) + "\n";
    return text;
}

std::string figuresText(const sequence::Document &document, const sequence::Sequence &each,
                        const SequenceOptions &options, const Task &task)
{
    const sequence::Sequence *backward = sequence::backwardOf(document, each);
    return kernelsText(each, options, task) + (backward ? trainingText(each, *backward, options.isWhole, task) : "");
}

} // namespace

std::string figuresText(const sequence::Document &document, const sequence::Sequence &each, const Task &task)
{
    return figuresText(document, each, {.isWhole = true}, task);
}

std::string sequencesText(const sequence::Document &document, const SequenceOptions &options)
{
    std::string text;
    for (const sequence::Sequence &each : document.sequences)
        text += headingOf(each, document) + "\n" + notesOf(each) + stepsOf(each, options)
            + figuresText(document, each, options, {}) + factsOf(each, options.isWhole) + "\n";
    for (const sequence::Diagnostic &diagnostic : document.diagnostics)
        text += diagnosticText(diagnostic) + "\n";
    return text;
}

} // namespace cutaway::report
