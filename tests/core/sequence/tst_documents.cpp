// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Logs and texts, and what is read of them, tests/data/sequence/*.graph. `MD5` in a log stands for the digest of the
// payload below it.
#include "core/analysis/counts.h"
#include "core/base/digests/md5.h"
#include "core/base/formatted.h"
#include "core/base/temporary_folder.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/ir/node_ref.h"
#include "core/ir/text/text.h"
#include "core/sequence/address.h"
#include "core/sequence/facts/cache_use.h"
#include "core/sequence/facts/guards.h"
#include "core/sequence/kernel_bytes.h"
#include "core/sequence/kernel_modules.h"
#include "core/sequence/saved.h"
#include "core/sequence/sequence.h"
#include "core/sequence/training.h"
#include "tests/core/graph_cases.h"
#include "tests/core/sequence/small_log.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace cutaway::test {
namespace {

using sequence::Document;
using sequence::Sequence;
using sequence::Step;

std::string replaced(std::string text, std::string_view what, std::string_view by)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

/// The lines behind `at` that a tab begins, without it.
std::string payloadBehind(const std::string &log, std::size_t at)
{
    std::string payload;
    for (at = log.find('\n', at); at + 1 < log.size() && log[at + 1] == '\t'; at = log.find('\n', at + 1))
        payload += log.substr(at + 2, log.find('\n', at + 1) - at - 2) + "\n";
    return payload.substr(0, payload.empty() ? 0 : payload.size() - 1);
}

std::string withDigests(std::string log)
{
    constexpr std::string_view mark = "\"MD5\"";
    for (std::size_t at = log.find(mark); at != std::string::npos; at = log.find(mark, at)) {
        Md5 sum;
        sum.add(payloadBehind(log, at));
        log.replace(at, mark.size(), "\"" + sum.finish() + "\"");
    }
    return replaced(std::move(log), "<ESC>", "\x1b");
}

/// The log of a case, without the comments of its file in front of it.
std::string logOf(std::string_view text)
{
    while (text.starts_with("//") || text.starts_with("\n"))
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return withDigests(std::string(text));
}

template <class T>
std::string shown(const std::optional<T> &value)
{
    return value ? formatted("{}", *value) : "?";
}

/// The number of nodes as it is listed, and as a model of the graph has it if that is another one.
std::string nodesOf(const Step &step)
{
    const std::uint64_t listed = step.outline ? step.outline->nodes : 0;
    const auto model = sequence::openStep(step);
    const auto opened =
        model ? static_cast<std::uint64_t>(analysis::countNodes(model->functions.front().graph)) : listed;
    return opened == listed ? formatted("{} nodes", listed) : formatted("{} nodes, {} when opened", listed, opened);
}

std::string textOf(const Step &step)
{
    std::string text = formatted("  {} | {} {} | {}", step.address, sequence::name(step.kind),
                                 step.direction ? sequence::name(*step.direction) : "-", nodesOf(step));
    if (step.line)
        text += formatted(" | line {}", *step.line);
    if (step.seconds > 0)
        text += formatted(" | {} s", step.seconds);
    if (step.previous)
        text += formatted(" | {} {}", step.changed ? *step.changed ? "differs from" : "is equal to" : "perhaps as",
                          *step.previous);
    for (const std::string &note : step.notes)
        text += "\n    note: " + note;
    if (step.origins)
        text += "\n    origins: " + step.origins->text();
    return text + "\n";
}

std::string headingOf(const Sequence &each)
{
    std::string text =
        formatted("{} {} {}", each.compileId.value_or("-"), sequence::name(each.part), sequence::name(each.status));
    if (each.rank)
        text += formatted(" rank {}", *each.rank);
    if (each.attempt > 0)
        text += formatted(" attempt {}", each.attempt);
    if (!each.function.empty())
        text += formatted(" | {} {}:{}", each.function, each.file, shown(each.line));
    if (!each.recompileReason.empty())
        text += " | " + each.recompileReason;
    for (const sequence::GraphBreak &broken : each.graphBreaks)
        text += formatted(" | break at {}:{}: {}", broken.file.value_or("?"), shown(broken.line), broken.reason);
    return text + "\n";
}

/// The modules of the last graph, with their nodes.
std::string modulesText(const Sequence &each)
{
    const auto model = sequence::openInKernels(each.steps.back().address);
    if (!model)
        return "  " + model.error().text() + "\n";
    std::map<std::string, std::string> nodes;
    for (const ir::NodeRef node : ir::nodesOf(model->functions.front().graph))
        nodes[std::string(model->context->text(node.scope().path))] += formatted(" {}", node.name());
    std::string text;
    for (const auto &[path, names] : nodes)
        text += formatted("  in {}:{}; {}\n", path.empty() ? "no module" : path, names,
                          sequence::trafficText(*model, model->context->name(path)));
    return text;
}

/// The graphs as they are opened: with what the other graphs of the compilation tell of them.
std::string graphsText(const Sequence &each)
{
    std::string text;
    for (const Step &step : each.steps) {
        const auto model = sequence::openStep(step);
        text += model ? ir::printText(*model, ir::FunctionId{0}, ir::TextForm::Reading) : model.error().text() + "\n";
        for (const ir::FunctionOutput &output : model ? model->functions[0].outputs : std::vector<ir::FunctionOutput>())
            if (const std::string_view target = model->context->text(output.target); !target.empty())
                text += formatted("output {} is for the {}\n", model->context->text(output.name), target);
    }
    return text;
}

std::string kernelsText(const Sequence &each)
{
    std::string text;
    const auto kernels = sequence::kernelsOf(each);
    const auto bytes = sequence::kernelBytes(each, kernels);
    for (std::size_t i = 0; i < kernels.size(); ++i)
        text += formatted("  kernel {}:{} of {}: {} ({}{}), line {}, reads {}, writes {}, saves {}\n", kernels[i].name,
                          shown(kernels[i].call), kernels[i].step, joined(kernels[i].nodes, ", "),
                          sequence::name(kernels[i].how), kernels[i].isSure ? "" : ", not sure", shown(kernels[i].line),
                          ir::print(bytes[i].read), ir::print(bytes[i].written), ir::print(bytes[i].saved));
    return text + modulesText(each);
}

/// Everything that the log says of a compilation beside its graphs.
std::string factsText(const Sequence &each)
{
    std::string text;
    for (const sequence::Guard &guard : sequence::guardsOf(each))
        text += formatted("  guard {} | {} | {} | {}\n", guard.kind, guard.check, guard.code, guard.place);
    for (const sequence::SizeSymbol &symbol : each.symbols)
        text += formatted("  size {} = {} | {} in {} | fixed to {} {} | {}:{}\n", symbol.name, symbol.source,
                          symbol.example, symbol.range, symbol.fixedTo.value_or("-"), symbol.reason, symbol.file,
                          shown(symbol.line));
    for (const sequence::CacheUse &use : sequence::cachesOf(each))
        text += formatted("  cache {} {}\n", use.cache, use.outcome);
    for (const sequence::Phase &phase : each.phases)
        text += formatted("  phase {} {} s\n", phase.name, phase.seconds);
    return text;
}

std::string trainingText(const Document &document, const Sequence &each)
{
    const Sequence *backward = sequence::backwardOf(document, each);
    const auto training = backward ? sequence::trainingOf(each, *backward) : std::nullopt;
    if (!training)
        return {};
    std::string text;
    for (const sequence::Recomputed &node : training->recomputed)
        text += formatted("  again {}: {} bytes, {} FLOPs\n", node.name, ir::print(node.bytes),
                          ir::print(node.cost.otherFlops));
    const sequence::TrainingMemory &memory = training->memory;
    for (const auto &step : memory.steps)
        text += formatted("  {} {}: {}\n", sequence::name(step.part), step.node.empty() ? "-" : step.node,
                          ir::print(step.alive));
    if (memory.peakStep)
        text += formatted("  peak {} at step {}:", ir::print(memory.peak), *memory.peakStep);
    for (const auto *storage :
         memory.peakStep ? memory.aliveAt(*memory.peakStep) : std::vector<const sequence::TrainingMemory::Storage *>())
        text += formatted(" {}{} {}", storage->isSaved ? "saved " : "", storage->name, ir::print(storage->bytes));
    text += memory.peakStep ? "\n" : "";
    for (const std::string &note : training->notes)
        text += "  " + note + "\n";
    return text;
}

std::string connectionsOf(const Document &document, const Sequence &each, const std::string &wanted)
{
    std::string text;
    if (wanted == "kernels")
        text += kernelsText(each);
    if (wanted == "graphs")
        text += graphsText(each);
    if (wanted == "facts")
        text += factsText(each);
    if (wanted == "training")
        text += trainingText(document, each);
    const Sequence *backward = wanted == "saved" ? sequence::backwardOf(document, each) : nullptr;
    if (backward)
        for (const sequence::SavedValue &value : sequence::savedValues(each, *backward))
            text += formatted("  saved {} {} {} bytes, made by {}, needed by {}\n", value.name,
                              value.type ? ir::name(value.type->dtype) : "?",
                              shown(value.type.and_then([](const auto &type) { return type.byteCount(); })),
                              value.madeBy.value_or("?"), joined(value.neededBy, ", "));
    if (wanted == "records")
        for (const sequence::Record &record : each.records)
            text += formatted("  record {}\n", record.name);
    return text;
}

std::string textOf(const Document &document, const std::string &wanted)
{
    std::string text;
    for (const Sequence &each : document.sequences) {
        text += headingOf(each);
        for (const Step &step : each.steps)
            text += textOf(step);
        text += connectionsOf(document, each, wanted);
    }
    for (const sequence::Diagnostic &diagnostic : document.diagnostics)
        text += formatted("{}{}: {}\n",
                          diagnostic.severity == ir::Severity::Info        ? "note"
                              : diagnostic.severity == ir::Severity::Error ? "error"
                                                                           : "warning",
                          diagnostic.line ? formatted(", line {}", *diagnostic.line) : "", diagnostic.message);
    return text;
}

/// The names of a case's files: those that it gives, "a b/c", else its name with numbers in front.
std::vector<std::string> namesOf(const GraphCase &given)
{
    std::istringstream words(given.option("files"));
    std::vector<std::string> names{std::istream_iterator<std::string>(words), {}};
    const std::string name = given.option("name");
    for (std::size_t i = names.size(); i < given.graphs.size(); ++i)
        names.push_back((i > 0 ? formatted("{}-", i) : "") + (name.empty() ? "log" : name));
    return names;
}

std::string listingOf(const GraphCase &given)
{
    const auto folder = TemporaryFolder::make();
    if (!folder)
        return folder.error().text();
    const std::vector<std::string> names = namesOf(given);
    std::vector<std::string> files;
    for (std::size_t i = 0; i < given.graphs.size(); ++i) {
        const auto path = folder->path() / names[i];
        std::string content = logOf(given.graphs[i]);
        if (given.option("ends") == "at-once") // without the end of its last line
            content.resize(content.find_last_not_of('\n') + 1);
        std::filesystem::create_directories(path.parent_path());
        if (const auto written = writeWholeFile(path, content); !written)
            return written.error().text();
        files.push_back(path.string());
    }
    if (const std::string name = given.option("opens"); !name.empty())
        files = {(folder->path() / name).string()};
    const auto document = sequence::read(files);
    const std::string text = document ? textOf(*document, given.option("with")) : document.error().text();
    return replaced(text, folder->path().string() + "/", "");
}

const bool hasCases = forEachCase("Sequences", "sequence", listingOf);

std::vector<sequence::Diagnostic> diagnosticsOf(const std::string &log)
{
    const auto folder = TemporaryFolder::make();
    const std::string path = folder ? folder->path() / "run.log" : "";
    if (!folder || !writeWholeFile(path, log))
        return {};
    auto document = sequence::read(std::span(&path, 1));
    return document ? std::move(document->diagnostics) : std::vector<sequence::Diagnostic>();
}

TEST(Sequences, messagesOfOneKindAreCountedBehindTheFirst)
{
    std::string log;
    for (int i = 0; i < 15; ++i) // damaged in two ways
        log += "V1127 09:42:10.020000 2 torch/a.py:1] {\"artifact\": \n" + record("\"rank\": 1", "\"attempt\": 0");
    const auto diagnostics = diagnosticsOf(log + smallLog());
    ASSERT_EQ(diagnostics.size(), 21);
    EXPECT_EQ(diagnostics.front().message,
              "this record is damaged: expected an object of JSON after the prefix of the line");
    EXPECT_EQ(diagnostics.back().message, "this record is damaged: 10 more lines");
}

TEST(Sequences, recordedStepsWithoutAGraphAreOfOneKindWhateverTheyAreCalled)
{
    std::string log;
    for (int i = 0; i < 25; ++i)
        log += record(formatted(R"("cutaway_step": {{"name": "step {}"}})", i), "\"rank\": 0");
    const auto diagnostics = diagnosticsOf(log + smallLog());
    ASSERT_EQ(diagnostics.size(), 21);
    EXPECT_EQ(diagnostics.back().message, "a recorded step is left out: 5 more lines");
}

} // namespace
} // namespace cutaway::test
