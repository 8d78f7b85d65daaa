// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/text_log.h"

#include "core/formats/graph_text/extent.h"
#include "core/sequence/facts/guards.h"
#include "core/sequence/read/envelope.h"
#include "core/sequence/read/findings.h"
#include "core/sequence/read/graph_break.h"
#include "core/sequence/read/lines.h"
#include "core/sequence/read/log_line.h"
#include "core/sequence/read/placing.h"
#include "core/sequence/read/stages.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <tuple>

// A log as text does not mark where a graph ends. The lines of several writers may be mixed, so each writer (rank,
// process, source line, compile id, artifact) is a stream of its own. In a stream a graph begins at its class and
// continues as long as lines are empty or indented; a title between ===== may stand before it. Lines without a prefix
// are a stream, too: they were pasted, or, if other lines have prefixes, other programs printed them.

namespace cutaway::sequence {

namespace {

/// Artifacts that contain Python code but no graph.
constexpr std::array<std::string_view, 5> codeArtifacts{"__output_code", "__guards", "__ir_pre_fusion",
                                                        "__ir_post_fusion", "__fusion"};

/// A line with these words comes before each graph and its title.
constexpr std::string_view announcement = "TRACED GRAPH";

/// Returns the title in a line such as ` ===== Forward graph 0 =====`.
std::optional<std::string_view> titleIn(std::string_view text)
{
    constexpr std::string_view mark = "=====";
    const std::size_t first = text.find_first_not_of(' ');
    const std::size_t last = text.find_last_not_of(" \r") + 1;
    if (first == std::string_view::npos || last - first < 2 * mark.size() + 3)
        return std::nullopt;
    text = text.substr(first, last - first);
    if (!text.starts_with(mark) || !text.ends_with(mark))
        return std::nullopt;
    text.remove_prefix(std::min(text.find_first_not_of("= "), text.size()));
    text = text.substr(0, text.find_last_not_of("= ") + 1);
    return text.empty() ? std::nullopt : std::optional(text);
}

using formats::graph_text::Form;

/// Returns the name of a graph without a title: "GraphModule" for "class GraphModule(torch.nn.Module):".
std::string_view nameIn(Form form, std::string_view start)
{
    constexpr std::string_view keyword = "class ";
    if (form != Form::Class)
        return form == Form::Program ? "ExportedProgram" : "graph";
    start.remove_prefix(keyword.size());
    return start.substr(0, start.find('('));
}

/// Whether a line at the margin still belongs to a graph of this form.
bool goesOn(Form form, std::string_view text)
{
    switch (form) {
    case Form::Program:
        return text.starts_with("Graph signature:") || text.starts_with("Range constraints:");
    case Form::Function:
        return text.starts_with(')');
    case Form::Table:
        return text.starts_with("-") || text.starts_with("placeholder") || text.starts_with("get_attr")
            || text.starts_with("call_") || text.starts_with("output");
    default:
        return false;
    }
}

/// Returns the length of the shortest beginning of `raw` that has `count` characters without its colour codes.
std::size_t rawLength(std::string_view raw, std::size_t count)
{
    std::string storage;
    std::size_t length = count;
    while (length < raw.size() && plainLine(raw.substr(0, length), storage).size() < count)
        ++length;
    return length;
}

struct Graph {
    std::optional<int> rank;
    std::optional<std::string> compileId;
    Form form;
    Step step;
};

class TextLog {
public:
    TextLog(File file, Document &document, const Task &task)
        : m_file(std::move(file)),
          m_task(task),
          m_document(document),
          m_findings(document, m_file->path().string()),
          m_lines(textOf(*m_file))
    {
    }

    bool read()
    {
        while (m_lines.next() && !m_task.stopRequested()) {
            if ((m_lines.number() & 0xffff) == 0)
                m_task.report("reading the log", m_lines.offset(), textOf(*m_file).size());
            readLine();
        }
        if (m_graphs.empty() && !m_isLog)
            return false;
        outlineAll();
        m_findings.finish();
        if (m_graphs.size() == 1 && !m_isLog)
            placeAlone();
        else
            place(sequences(), m_file->path().string(), m_document);
        return true;
    }

private:
    struct Stream {
        std::optional<std::size_t> graph; ///< the index in m_graphs of the unfinished graph
        std::string title;
    };
    using CompilationKey = std::pair<std::optional<int>, std::optional<std::string>>;
    /// The facts that a log has about a compilation, apart from its graphs.
    struct Facts {
        std::uint64_t line = 0;
        std::string recompileReason;
        std::vector<std::string> graphBreaks;
        std::uint64_t guardsLine = 0;
        std::optional<Excerpt> guards; ///< the tree of guards
    };
    struct Parts {
        Sequence forward, backward;
    };

    void readLine()
    {
        const std::string_view plain = plainLine(m_lines.line(), m_plain);
        const auto prefixed = parseLogLine(plain);
        m_isLog |= prefixed.has_value();
        LogLine line = prefixed.value_or(LogLine());
        if (!prefixed) {
            line.text = plain;
            noteUnknownRecord(plain);
        } else if (line.text.starts_with(announcement)) {
            m_announced = {line.rank,
                           line.compileId.empty() ? std::nullopt : std::optional(std::string(line.compileId))};
        } else {
            m_announced = {};
        }
        Stream &stream = streamOf(line, plain, prefixed.has_value());
        if (takeFact(line, plain) || std::ranges::contains(codeArtifacts, line.artifact))
            return;
        const auto start = formats::graph_text::graphStart(line.text);
        // An indented class within a graph begins no graph.
        if (start && !(stream.graph && line.text.starts_with("    ")))
            begin(stream, line, start->form, line.text.substr(start->column), plain);
        else if (stream.graph && isContinuation(m_graphs[*stream.graph].form, line.text))
            m_graphs[*stream.graph].step.text->pieces.push_back(pieceOf(line.text, plain));
        else
            useOther(stream, line.text);
    }

    /// Warns of a line that looks like a record of a structured log but has an unknown prefix; such a line is left out.
    void noteUnknownRecord(std::string_view line)
    {
        if (line.contains("] {\"") && line.contains("\"has_payload\": \""))
            m_findings.warning(
                "this line is like a record of TORCH_TRACE but does not begin as torch 2.3 and later write "
                "them, 'V1127 09:42:10.020000 2 torch/_dynamo/utils.py:2365] {'; it is left out",
                m_lines.number());
    }

    /// Reads a line on graph breaks, on guards or on why a function was compiled again. Returns false for other lines.
    bool takeFact(const LogLine &line, std::string_view plain)
    {
        const bool isBreak = line.artifact == "__graph_breaks", isGuard = line.artifact == "__guards";
        if (line.compileId.empty() || (!isBreak && !isGuard && line.artifact != "__recompiles"))
            return false;
        Facts &facts = m_facts[{line.rank, std::string(line.compileId)}];
        if (isGuard) {
            takeGuard(facts, pieceOf(line.text, plain));
            return true;
        }
        facts.line = facts.line == 0 ? m_lines.number() : facts.line;
        constexpr std::string_view bullet = "    - ";
        if (!isBreak)
            takeCode(line);
        if (!isBreak && line.text.starts_with(bullet))
            facts.recompileReason +=
                (facts.recompileReason.empty() ? "" : ", ") + std::string(line.text.substr(bullet.size()));
        else if (isBreak && line.text.starts_with("Graph break"))
            facts.graphBreaks.emplace_back(line.text);
        else if (isBreak && !facts.graphBreaks.empty())
            facts.graphBreaks.back().append("\n").append(line.text);
        return true;
    }

    /// Reads "Recompiling function forward in model.py:13", which names the code of all compilations of the frame.
    void takeCode(const LogLine &line)
    {
        constexpr std::string_view start = "Recompiling function ", between = " in ";
        const std::size_t middle = line.text.find(between), colon = line.text.rfind(':');
        if (!line.text.starts_with(start) || middle == std::string_view::npos || colon == std::string_view::npos
            || middle < start.size() || colon < middle + between.size())
            return;
        CodePlace place{std::string(line.text.substr(start.size(), middle - start.size())),
                        std::string(line.text.substr(middle + between.size(), colon - middle - between.size())),
                        {}};
        std::uint64_t number = 0;
        const std::string_view rest = line.text.substr(colon + 1);
        if (std::from_chars(rest.data(), rest.data() + rest.size(), number).ec == std::errc())
            place.line = number;
        m_code.insert_or_assign({line.rank, std::string(frameOf(line.compileId))}, std::move(place));
    }

    /// Returns the frame of a compilation: "!0/1" for "!0/1/0".
    static std::string_view frameOf(std::string_view compileId) { return compileId.substr(0, compileId.rfind('/')); }

    void takeGuard(Facts &facts, Excerpt::Piece line) const
    {
        if (!facts.guards) {
            facts.guardsLine = m_lines.number();
            facts.guards = Excerpt{m_file, {}, false};
        }
        facts.guards->pieces.push_back(line);
    }

    /// Returns the stream of the writer of a line; it is made if it is new.
    Stream &streamOf(const LogLine &line, std::string_view plain, bool isPrefixed)
    {
        std::string_view key;
        if (isPrefixed) { // compared from the writer on, since the time in front of it differs
            const auto start = static_cast<std::size_t>(line.writer.data() - plain.data());
            key = plain.substr(start, plain.size() - start - line.text.size());
        }
        const std::pair<int, std::string_view> wanted{line.rank.value_or(-1), key};
        auto found = m_streams.find(wanted);
        if (found == m_streams.end())
            found = m_streams.emplace(std::pair(wanted.first, std::string(key)), Stream()).first;
        return found->second;
    }

    static bool isContinuation(Form form, std::string_view text)
    {
        return text.starts_with("    ") || goesOn(form, text)
            || text.find_first_not_of(" \t") == std::string_view::npos;
    }

    void useOther(Stream &stream, std::string_view text)
    {
        stream.graph.reset();
        if (const auto title = titleIn(text))
            stream.title = *title;
        else if (text.starts_with(announcement))
            stream.title.clear();
    }

    void begin(Stream &stream, const LogLine &line, Form form, std::string_view start, std::string_view plain)
    {
        Graph graph{line.rank, {}, form, {}};
        if (line.writer.empty()) // torch 2.1 and older put the prefix only before the first line of a text
            std::tie(graph.rank, graph.compileId) = m_announced;
        else if (!line.compileId.empty())
            graph.compileId = line.compileId;
        Step &step = graph.step;
        step.name = stream.title.empty() ? nameIn(form, start) : stream.title;
        step.kind = kindOfTitle(step.name);
        step.source = m_file->path().string();
        step.line = m_lines.number();
        step.text = Excerpt{m_file, {pieceOf(start, plain)}, false};
        stream.title.clear();
        stream.graph = m_graphs.size();
        m_graphs.push_back(std::move(graph));
    }

    /// Returns the byte range in the file for `text`, the end of the current line, whose plain form is `plain`.
    Excerpt::Piece pieceOf(std::string_view text, std::string_view plain) const
    {
        const std::string_view raw = m_lines.line();
        const std::size_t before = plain.size() - text.size();
        const std::size_t skipped = plain.data() == raw.data() ? before : rawLength(raw, before);
        return {m_lines.offset() + skipped, raw.size() - skipped};
    }

    void outlineAll()
    {
        for (Graph &graph : m_graphs) {
            graph.step.outline = outlineOf(*graph.step.text);
            if (!graph.step.outline->isWhole)
                m_findings.warning("the text of this graph ends before its results", graph.step.line);
        }
    }

    /// Handles a file with one graph and nothing of a log: it is a model file.
    void placeAlone()
    {
        Sequence sequence;
        Step &step = m_graphs.front().step;
        step.address = step.source;
        step.name = m_file->path().filename().string();
        step.kind = Kind::Text;
        sequence.steps.push_back(std::move(step));
        m_document.sequences.push_back(std::move(sequence));
    }

    /// Whether a step is of the backward: after autograd, the graphs of the forward come before those of the backward.
    static bool isOfBackward(const Step &step, const Sequence &forward, const Sequence &backward)
    {
        if (step.direction == Direction::Backward)
            return true;
        const auto isPostGrad = [](const Step &each) { return each.kind == Kind::PostGrad; };
        return isPostGrad(step) && !backward.steps.empty() && std::ranges::any_of(forward.steps, isPostGrad);
    }

    /// Splits the id of a compilation: "0/0_1" is the second attempt at "0/0".
    static std::pair<std::string, int> frameAndAttempt(const std::string &compileId)
    {
        const std::size_t mark = compileId.find('_');
        int attempt = 0;
        if (mark != std::string::npos)
            std::from_chars(compileId.data() + mark + 1, compileId.data() + compileId.size(), attempt);
        return {compileId.substr(0, mark), attempt};
    }

    void addGraphs(std::map<CompilationKey, Parts> &found)
    {
        for (Graph &graph : m_graphs) {
            auto &[forward, backward] = found[{graph.rank, graph.compileId}];
            Sequence single;
            single.steps.push_back(graph.step);
            setDirections(single, true);
            const bool isBackward = graph.compileId && isOfBackward(single.steps.front(), forward, backward);
            (isBackward ? backward : forward).steps.push_back(std::move(graph.step));
        }
    }

    void addFacts(std::map<CompilationKey, Parts> &found)
    {
        for (const auto &[key, facts] : m_facts) {
            // These are facts about a compilation that the log does not contain.
            if (facts.line == 0 && !found.contains(key))
                continue;
            Sequence &forward = found[key].forward;
            forward.firstLine = facts.line;
            forward.recompileReason = facts.recompileReason;
            if (facts.guards)
                forward.records.push_back({std::string(guardsRecord), facts.guardsLine, *facts.guards});
            for (const std::string &text : facts.graphBreaks)
                forward.graphBreaks.push_back(graphBreakIn(text));
        }
    }

    void setCode(Sequence &sequence, const std::string &compileId) const
    {
        const auto code = m_code.find({sequence.rank, std::string(frameOf(compileId))});
        if (code == m_code.end())
            return;
        sequence.function = code->second.function;
        sequence.file = code->second.file;
        sequence.line = code->second.line;
    }

    std::vector<Sequence> sequences()
    {
        std::map<CompilationKey, Parts> found;
        addGraphs(found);
        addFacts(found);
        std::map<std::pair<std::optional<int>, std::string>, int> lastAttempts;
        for (const auto &[key, parts] : found) {
            const auto [frame, attempt] = frameAndAttempt(key.second.value_or(""));
            int &last = lastAttempts[{key.first, frame}];
            last = std::max(last, attempt);
        }
        std::vector<Sequence> all;
        for (auto &[key, parts] : found) {
            const auto [frame, attempt] = frameAndAttempt(key.second.value_or(""));
            const bool isGivenUp = attempt < lastAttempts[{key.first, frame}];
            const bool hasBackward = !parts.backward.steps.empty();
            for (Sequence *part : {&parts.forward, &parts.backward}) {
                const bool isForward = part == &parts.forward;
                if (part->steps.empty() && !(isForward && m_facts.contains(key)))
                    continue;
                part->rank = key.first;
                part->compileId = key.second;
                part->attempt = attempt;
                part->part = isForward ? Part::Forward : Part::Backward;
                part->status = isGivenUp ? Status::Restarted : part->steps.empty() ? Status::Empty : Status::Ok;
                setDirections(*part, hasBackward || !key.second);
                setCode(*part, frame);
                all.push_back(std::move(*part));
            }
        }
        return all;
    }

    File m_file;
    const Task &m_task;
    Document &m_document;
    Findings m_findings;
    Lines m_lines;
    std::string m_plain;
    CompilationKey m_announced; ///< the key of the last line with a prefix, if that line announces a graph
    std::map<std::pair<int, std::string>, Stream, std::less<>> m_streams;
    std::vector<Graph> m_graphs;
    std::map<CompilationKey, Facts> m_facts;
    std::map<std::pair<std::optional<int>, std::string>, CodePlace> m_code; ///< by rank and frame
    bool m_isLog = false;
};

} // namespace

bool readTextLog(const File &file, Document &document, const Task &task)
{
    return TextLog(file, document, task).read();
}

} // namespace cutaway::sequence
