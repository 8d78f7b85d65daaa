// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_writer.h"
#include "core/report/sequences/comparison.h"
#include "core/report/sequences/diagnostics_json.h"

namespace cutaway::report {

namespace {

class ComparisonWriter {
public:
    explicit ComparisonWriter(const SequenceComparison &comparison) : m_comparison(comparison) { }

    std::string write()
    {
        m_out.beginObject();
        m_out.member("schema", "cutaway.steps-diff/1");
        m_out.member("a", m_comparison.nameA);
        m_out.member("b", m_comparison.nameB);
        m_out.member("verdict", sequence::name(sequence::verdictOf(m_comparison.compared)));
        m_out.member("text", verdictText(m_comparison));
        m_out.list("sequences", m_comparison.compared,
                   [&](const sequence::ComparedSequence &each) { writeSequence(each); });
        m_out.key("diagnostics");
        m_out.beginObject();
        writeDiagnostics(m_out, "a", m_comparison.a.diagnostics);
        writeDiagnostics(m_out, "b", m_comparison.b.diagnostics);
        m_out.endObject();
        m_out.endObject();
        return m_out.take();
    }

private:
    void writeSequence(const sequence::ComparedSequence &each)
    {
        m_out.beginObject();
        writeSide("a", m_comparison.a, each.at.a);
        writeSide("b", m_comparison.b, each.at.b);
        m_out.member("verdict", sequence::name(each.verdict()));
        m_out.key("first_difference");
        const sequence::ComparedStep *first = each.firstDifference();
        first ? m_out.value(stepName(m_comparison, each, *first)) : m_out.null();
        m_out.list("steps", each.steps, [&](const sequence::ComparedStep &step) { writeStep(each, step); });
        writeOnly("graph_breaks", each.breaks);
        writeOnly("recompile_reasons", each.reasons);
        writeOnly("guards", each.guards);
        m_out.list("phases", phasesOf(m_comparison, each), [&](const ComparedPhase &phase) { writePhase(phase); });
        m_out.endObject();
    }

    void writeSide(std::string_view key, const sequence::Document &document, std::optional<std::size_t> at)
    {
        m_out.key(key);
        if (!at)
            return m_out.null();
        const sequence::Sequence &sequence = document.sequences[*at];
        m_out.beginObject();
        optional("compile_id", sequence.compileId);
        optional("rank", sequence.rank);
        m_out.member("part", sequence::name(sequence.part));
        m_out.member("function", sequence.function);
        m_out.member("status", sequence::name(sequence.status));
        m_out.endObject();
    }

    void writeStep(const sequence::ComparedSequence &of, const sequence::ComparedStep &step)
    {
        m_out.beginObject();
        writeAddress("a", m_comparison.a, of.at.a, step.at.a);
        writeAddress("b", m_comparison.b, of.at.b, step.at.b);
        m_out.member("name", stepName(m_comparison, of, step));
        m_out.member("verdict", sequence::name(step.verdict));
        m_out.member("nodes_a", std::uint64_t{step.nodesA});
        m_out.member("nodes_b", std::uint64_t{step.nodesB});
        m_out.member("changed", std::uint64_t{step.counts.changed});
        m_out.member("only_a", std::uint64_t{step.counts.onlyA});
        m_out.member("only_b", std::uint64_t{step.counts.onlyB});
        m_out.list("operators", step.operators, [&](const sequence::OperatorCount &each) {
            m_out.beginObject();
            m_out.member("operator", each.name);
            m_out.member("a", std::uint64_t{each.a});
            m_out.member("b", std::uint64_t{each.b});
            m_out.endObject();
        });
        m_out.member("text", detailText(step));
        m_out.endObject();
    }

    void writeAddress(std::string_view key, const sequence::Document &document, std::optional<std::size_t> of,
                      std::optional<std::size_t> step)
    {
        m_out.key(key);
        of &&step ? m_out.value(document.sequences[*of].steps[*step].address) : m_out.null();
    }

    void writeOnly(std::string_view key, const sequence::OnlyTexts &texts)
    {
        m_out.key(key);
        m_out.beginObject();
        m_out.list("only_a", texts.a);
        m_out.list("only_b", texts.b);
        m_out.endObject();
    }

    void writePhase(const ComparedPhase &phase)
    {
        constexpr double microseconds = 1e6;
        const auto inMicroseconds = [](double seconds) { return seconds * microseconds; };
        m_out.beginObject();
        m_out.member("name", phase.name);
        optional("a", phase.a.transform(inMicroseconds));
        optional("b", phase.b.transform(inMicroseconds));
        m_out.endObject();
    }

    template <class T>
    void optional(std::string_view key, const std::optional<T> &value)
    {
        m_out.key(key);
        value ? m_out.value(*value) : m_out.null();
    }

    const SequenceComparison &m_comparison;
    JsonWriter m_out;
};

} // namespace

std::string comparisonJson(const SequenceComparison &comparison) { return ComparisonWriter(comparison).write(); }

} // namespace cutaway::report
