// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/structured_log.h"

#include "core/base/digests/md5.h"
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/sequence/limits.h"
#include "core/sequence/read/compilations.h"
#include "core/sequence/read/envelope.h"
#include "core/sequence/read/findings.h"
#include "core/sequence/read/lines.h"
#include "core/sequence/read/log_line.h"
#include "core/sequence/read/model_file.h"
#include "core/sequence/read/rank.h"
#include "core/sequence/read/stages.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace cutaway::sequence {

namespace {

/// Kinds of records that make up most of a log and have no graphs; their JSON is not parsed.
constexpr std::array<std::string_view, 7> skippedKinds{"chromium_event",  "expression_created", "describe_storage",
                                                       "describe_tensor", "describe_source",    "guard_added",
                                                       "guard_added_fast"};

/// The version of recordings of the Python module that this program knows.
constexpr std::int64_t knownRecording = 1;

/// Reads records one after the other. The payload of a record is all the lines after it that begin with a tab.
class StructuredLog {
public:
    StructuredLog(File file, Document &document, const Task &task)
        : m_file(std::move(file)),
          m_task(task),
          m_rank(rankIn(m_file->path())),
          m_findings(document, m_file->path().string()),
          m_lines(textOf(*m_file))
    {
    }

    Compilations read()
    {
        while (m_lines.next() && !m_task.stopRequested()) {
            if ((m_lines.number() & 0xffff) == 0)
                m_task.report("reading the log", m_lines.offset(), textOf(*m_file).size());
            if (m_lines.line().starts_with('\t'))
                m_findings.warning("a line of a payload without a record that announces one", m_lines.number());
            else
                readRecord();
        }
        if (m_isCut)
            m_compilations.cutLast();
        m_findings.finish();
        return std::move(m_compilations);
    }

private:
    void readRecord()
    {
        const std::uint64_t number = m_lines.number();
        const auto line = parseLogLine(m_lines.line());
        if (!line || !isRecordHeader(*line)) {
            if (m_lines.line().find_first_not_of(" \r") != std::string_view::npos)
                m_findings.warning("expected a record of a structured log, found another line", number);
            return;
        }
        if (std::ranges::contains(skippedKinds, firstKey(line->text)))
            return (void)takePayload();
        const auto envelope = parseEnvelope(line->text, m_interned);
        const Excerpt payload = takePayload();
        if (envelope)
            return use(*envelope, payload, number);
        m_isCut = m_lines.isAtEnd();
        if (m_isCut)
            m_findings.warning("the log ends inside this record", number);
        else
            m_findings.warning("this record is damaged", number, envelope.error().text());
    }

    Excerpt takePayload()
    {
        const std::uint64_t start = m_lines.nextOffset();
        while (m_lines.peek() == '\t')
            m_lines.next();
        const std::uint64_t end = m_lines.nextOffset();
        Excerpt payload{m_file, {}, true};
        if (end > start) // without the last line feed
            payload.pieces.push_back({start, end - start - (m_lines.endsWithLineFeed() ? 1 : 0)});
        return payload;
    }

    void use(const Envelope &record, const Excerpt &payload, std::uint64_t number)
    {
        if (record.recordingVersion && *record.recordingVersion != knownRecording)
            m_findings.warning(
                formatted("the recording is of version {}, and version {} is known: what is new in it is left out",
                          *record.recordingVersion, knownRecording),
                number);
        if (record.interned)
            m_interned.insert_or_assign(record.interned->first, record.interned->second);
        const std::string digest = record.payloadMd5 ? checkPayload(record, payload, number) : std::string();
        Compilation &compilation = m_compilations.at(record.rank ? record.rank : m_rank, record.compileId, number);
        compilation.frame = record.frame;
        compilation.forward.attempt = record.attempt;
        if (record.step)
            return addRecorded(record, payload, digest, number, compilation);
        if (record.payloadMd5 && isGraph(payload))
            return compilation.addGraph(stepOf(record, payload, digest, number));
        if (record.kind == "cutaway_origins") { // the record follows that of its step
            if (!compilation.forward.steps.empty())
                compilation.forward.steps.back().origins = payload;
            return;
        }
        useFacts(record, compilation);
        if (record.payloadMd5)
            compilation.addRecord({record.name, number, payload});
    }

    /// Checks the payload against the record, and returns its digest.
    std::string checkPayload(const Envelope &record, const Excerpt &payload, std::uint64_t number)
    {
        Md5 sum;
        bool isFirst = true;
        payload.forEachLine([&](std::string_view line) {
            if (!std::exchange(isFirst, false))
                sum.add("\n");
            sum.add(line);
            return true;
        });
        std::string digest = sum.finish();
        if (digest != *record.payloadMd5) {
            m_isCut = m_lines.isAtEnd();
            m_findings.warning(damageOf(payload), number);
        }
        return digest;
    }

    /// Returns why a payload is not the one that its record announces.
    std::string_view damageOf(const Excerpt &payload) const
    {
        if (m_isCut)
            return "the log ends inside the payload of this record";
        if (payload.pieces.empty())
            return "this record announces a payload, and another record follows: it is lost, or the lines of several "
                   "processes are mixed";
        return "the payload of this record is not the one that was written: its MD5 differs";
    }

    Step stepOf(const Envelope &record, const Excerpt &payload, const std::string &digest, std::uint64_t number)
    {
        const auto [found, isNew] = m_outlines.try_emplace(digest);
        if (isNew)
            found->second = outlineOf(payload);
        if (!found->second.isWhole)
            m_findings.warning("the text of this graph ends before its results", number);
        return {.name = record.name,
                .kind = kindOfRecord(record.name),
                .direction = {},
                .source = m_file->path().string(),
                .text = payload,
                .line = number,
                .outline = found->second};
    }

    /// Adds a step that the recorder of the Python module wrote.
    void addRecorded(const Envelope &record, const Excerpt &payload, const std::string &digest, std::uint64_t number,
                     Compilation &compilation)
    {
        const std::string &name = record.step->name.empty() ? record.kind : record.step->name;
        auto step = recordedGraph(record, payload, digest, number);
        if (!step)
            return m_findings.warning("a recorded step is left out", number,
                                      formatted("'{}', because {}", name, step.error().message));
        step->name = name;
        step->kind = step->text ? Kind::Pass : Kind::File;
        step->line = number;
        step->seconds = record.step->seconds;
        step->notes = record.step->notes;
        step->origins.reset();
        m_recorded = *step;
        compilation.addGraph(std::move(*step));
    }

    /// Returns the recorded graph: it is printed below the record, is that of the step before, or lies in a file.
    Result<Step> recordedGraph(const Envelope &record, const Excerpt &payload, const std::string &digest,
                               std::uint64_t number)
    {
        const RecordedStep &recorded = *record.step;
        if (record.payloadMd5)
            return stepOf(record, payload, digest, number);
        if (recorded.isUnchanged && m_recorded)
            return *m_recorded;
        if (!recorded.file.empty())
            return fileStep(recorded.file);
        if (recorded.isUnchanged)
            return unreadable("it has the graph of the step before, which the log does not have");
        return unreadable("no graph was printed for it"
                          + (recorded.notes.empty() ? "" : " (" + joined(recorded.notes, "; ") + ")"));
    }

    /// Reads a step's file, which has to lie in the log's folder: other paths are refused.
    Result<Step> fileStep(const std::string &path)
    {
        const std::filesystem::path file = std::filesystem::path(path).lexically_normal();
        if (file.is_absolute() || *file.begin() == "..")
            return unreadable(formatted("its file '{}' lies outside of the log's folder", path));
        Step step;
        step.source = (m_file->path().parent_path() / file).string();
        const auto known = m_outlines.find(step.source);
        auto outline = known == m_outlines.end() ? outlineOfModel(step.source, m_task) : known->second;
        if (!outline)
            return unreadable(formatted("its file '{}' cannot be read: {}", path, outline.error().message));
        step.outline = m_outlines.insert_or_assign(step.source, *outline).first->second;
        return step;
    }

    static void useFacts(const Envelope &record, Compilation &compilation)
    {
        if (record.symbol && !record.symbol->name.empty())
            compilation.addSymbol(*record.symbol);
        if (!record.phases.empty())
            compilation.setPhases(record.kind == "compilation_metrics" ? Part::Forward : Part::Backward, record.phases);
        Sequence &sequence = compilation.forward;
        if (record.code && (record.kind == "compilation_metrics" || sequence.function.empty())) {
            sequence.function = record.code->function;
            sequence.file = record.code->file;
            sequence.line = record.code->line;
        }
        compilation.isKnown |= record.kind == "dynamo_start" || record.kind == "compilation_metrics";
        compilation.isFinished |= record.kind == "compilation_metrics";
        compilation.hasFailed |= record.hasFailed;
    }

    File m_file;
    const Task &m_task;
    std::optional<int> m_rank;
    Findings m_findings;
    Lines m_lines;
    Compilations m_compilations;
    std::map<std::uint64_t, std::string> m_interned;
    std::unordered_map<std::string, Outline> m_outlines; ///< by digest of a text, or by path of a file
    std::optional<Step> m_recorded;                      ///< the previous step of a recording
    bool m_isCut = false;
};

} // namespace

bool isStructuredLog(const MappedFile &file)
{
    Lines lines(textOf(file));
    while (lines.number() < limits::maxLinesToRecognize && lines.next())
        if (const auto line = parseLogLine(lines.line()))
            return isRecordHeader(*line);
    return false;
}

void readStructuredLog(const File &file, Document &document, const Task &task)
{
    StructuredLog(file, document, task).read().addTo(document, file->path().string());
}

} // namespace cutaway::sequence
