// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_writer.h"
#include "core/print/dim_json.h"
#include "core/report/history/patterns_json.h"
#include "core/report/sequences/diagnostics_json.h"
#include "core/report/sequences/sequences.h"
#include "core/report/sequences/step_patterns.h"
#include "core/sequence/facts/cache_use.h"
#include "core/sequence/facts/guards.h"
#include "core/sequence/kernel_bytes.h"
#include "core/sequence/saved.h"
#include "core/sequence/training.h"

#include <ranges>

namespace cutaway::report {

namespace {

class SequencesWriter {
public:
    SequencesWriter(const sequence::Document &document, const SequenceOptions &options)
        : m_document(document),
          m_options(options)
    {
    }

    std::string write()
    {
        m_out.beginObject();
        m_out.member("schema", "cutaway.steps/1");
        m_out.list("sources", m_document.sources);
        m_out.list("sequences", m_document.sequences, [&](const sequence::Sequence &each) { writeSequence(each); });
        writeDiagnostics(m_out, "diagnostics", m_document.diagnostics);
        m_out.endObject();
        return m_out.take();
    }

private:
    template <class T>
    void optional(std::string_view key, const std::optional<T> &value)
    {
        m_out.key(key);
        value ? m_out.value(*value) : m_out.null();
    }

    void text(std::string_view key, std::string_view text)
    {
        m_out.key(key);
        text.empty() ? m_out.null() : m_out.value(text);
    }

    void writeSequence(const sequence::Sequence &each)
    {
        const auto patterns = m_options.hasPatterns ? patternsOf(each) : StepPatterns(each.steps.size());
        m_out.beginObject();
        optional("compile_id", each.compileId);
        optional("rank", each.rank);
        m_out.member("attempt", each.attempt);
        m_out.member("part", sequence::name(each.part));
        text("function", each.function);
        text("file", each.file);
        optional("line", each.line);
        m_out.member("status", sequence::name(each.status));
        text("recompile_reason", each.recompileReason);
        m_out.list("graph_breaks", each.graphBreaks, [&](const sequence::GraphBreak &broken) { writeBreak(broken); });
        writeFacts(each);
        m_out.list("steps", std::views::zip(each.steps, patterns),
                   [&](const auto &step) { writeStep(std::get<0>(step), std::get<1>(step)); });
        writeKernels(each);
        const sequence::Sequence *backward = sequence::backwardOf(m_document, each);
        m_out.list("saved", backward ? sequence::savedValues(each, *backward) : std::vector<sequence::SavedValue>(),
                   [&](const sequence::SavedValue &value) { writeSaved(value); });
        writeTraining(backward ? sequence::trainingOf(each, *backward) : std::nullopt);
        m_out.endObject();
    }

    void writeTraining(const std::optional<sequence::Training> &training)
    {
        if (!training)
            return;
        m_out.list("recomputed", training->recomputed, [&](const sequence::Recomputed &node) {
            m_out.beginObject();
            m_out.member("name", node.name);
            writeDim("flops", node.cost.flops);
            writeDim("other_flops", node.cost.otherFlops);
            writeDim("bytes", node.bytes);
            m_out.endObject();
        });
        m_out.key("memory");
        writeMemory(training->memory);
    }

    void writeMemory(const sequence::TrainingMemory &memory)
    {
        m_out.beginObject();
        writeDim("peak", memory.peak);
        optional("peak_step", memory.peakStep.transform([](std::size_t step) { return std::uint64_t{step}; }));
        m_out.list("at_peak",
                   memory.peakStep ? memory.aliveAt(*memory.peakStep)
                                   : std::vector<const sequence::TrainingMemory::Storage *>(),
                   [&](const auto *storage) {
                       m_out.beginObject();
                       m_out.member("name", storage->name);
                       m_out.member("part", sequence::name(storage->part));
                       m_out.member("saved", storage->isSaved);
                       writeDim("bytes", storage->bytes);
                       m_out.endObject();
                   });
        m_out.list("steps", memory.steps, [&](const sequence::TrainingMemory::Step &step) {
            m_out.beginObject();
            m_out.member("part", sequence::name(step.part));
            text("node", step.node);
            writeDim("bytes", step.alive);
            m_out.endObject();
        });
        m_out.endObject();
    }

    void writeFacts(const sequence::Sequence &each)
    {
        m_out.list("guards", sequence::guardsOf(each), [&](const sequence::Guard &guard) {
            m_out.beginObject();
            m_out.member("kind", guard.kind);
            m_out.member("check", guard.check);
            text("code", guard.code);
            text("place", guard.place);
            m_out.endObject();
        });
        m_out.list("symbols", each.symbols, [&](const sequence::SizeSymbol &symbol) { writeSymbol(symbol); });
        m_out.list("caches", sequence::cachesOf(each), [&](const sequence::CacheUse &use) {
            m_out.beginObject();
            m_out.member("cache", use.cache);
            m_out.member("outcome", use.outcome);
            m_out.endObject();
        });
        m_out.list("phases", each.phases, [&](const sequence::Phase &phase) {
            constexpr double microseconds = 1e6;
            m_out.beginObject();
            m_out.member("name", phase.name);
            m_out.member("duration", phase.seconds * microseconds);
            m_out.endObject();
        });
    }

    void writeSymbol(const sequence::SizeSymbol &symbol)
    {
        m_out.beginObject();
        m_out.member("name", symbol.name);
        text("source", symbol.source);
        text("example", symbol.example);
        text("range", symbol.range);
        optional("fixed_to", symbol.fixedTo);
        text("reason", symbol.reason);
        text("file", symbol.file);
        optional("line", symbol.line);
        m_out.endObject();
    }

    void writeBreak(const sequence::GraphBreak &broken)
    {
        m_out.beginObject();
        text("reason", broken.reason);
        optional("file", broken.file);
        optional("line", broken.line);
        m_out.endObject();
    }

    void writeStep(const sequence::Step &step, const std::vector<diff::StepPattern> &patterns)
    {
        m_out.beginObject();
        m_out.member("address", step.address);
        m_out.member("name", step.name);
        m_out.member("kind", sequence::name(step.kind));
        optional("direction", step.direction.transform([](auto direction) { return sequence::name(direction); }));
        optional("nodes", step.outline.transform([](const auto &outline) { return outline.nodes; }));
        optional("changed", step.changed);
        optional("previous", step.previous);
        m_out.member("source", step.source);
        optional("position", step.line);
        if (m_options.hasPatterns)
            writePatterns(m_out, patterns);
        m_out.endObject();
    }

    void writeKernels(const sequence::Sequence &each)
    {
        const auto kernels = sequence::kernelsOf(each, m_options.useProvenance);
        const auto bytes = sequence::kernelBytes(each, kernels);
        m_out.key("kernels");
        m_out.beginArray();
        for (std::size_t i = 0; i < kernels.size(); ++i)
            writeKernel(kernels[i], bytes[i]);
        m_out.endArray();
    }

    void writeDim(std::string_view key, const ir::Dim &dim)
    {
        m_out.key(key);
        print::writeDim(m_out, dim);
    }

    void writeKernel(const sequence::Kernel &kernel, const sequence::KernelBytes &bytes)
    {
        m_out.beginObject();
        m_out.member("name", kernel.name);
        m_out.member("kind", sequence::kindOf(kernel));
        optional("call", kernel.call);
        m_out.member("step", kernel.step);
        m_out.list("nodes", kernel.nodes);
        m_out.member("how", sequence::name(kernel.how));
        m_out.member("sure", kernel.isSure);
        writeDim("bytes_read", bytes.read);
        writeDim("bytes_written", bytes.written);
        writeDim("bytes_saved", bytes.saved);
        m_out.endObject();
    }

    void writeSaved(const sequence::SavedValue &value)
    {
        m_out.beginObject();
        m_out.member("name", value.name);
        optional("dtype", value.type.transform([](const auto &type) { return ir::name(type.dtype); }));
        m_out.key("shape");
        if (value.type)
            writeShape(value.type->shape);
        else
            m_out.null();
        optional("bytes", value.type.and_then([](const auto &type) { return type.byteCount(); }));
        optional("made_by", value.madeBy);
        m_out.list("needed_by", value.neededBy);
        m_out.endObject();
    }

    void writeShape(const std::vector<sequence::PrintedSize> &shape)
    {
        m_out.beginArray();
        for (const sequence::PrintedSize &size : shape)
            std::visit([&](const auto &each) { m_out.value(each); }, size);
        m_out.endArray();
    }

    const sequence::Document &m_document;
    const SequenceOptions &m_options;
    JsonWriter m_out;
};

} // namespace

std::string sequencesJson(const sequence::Document &document, const SequenceOptions &options)
{
    return SequencesWriter(document, options).write();
}

} // namespace cutaway::report
