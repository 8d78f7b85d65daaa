// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/located.h"
#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/ir/opsets.h"
#include "core/ops/schemas/onnx_operators.h"
#include "core/passes/left_over.h"
#include "core/passes/pass.h"
#include "core/passes/patterns/match_places.h"
#include "core/passes/patterns/match_replacement.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>

// All matches are found in the unchanged graph and then replaced: new nodes are not matched, so the pass ends even if a
// pattern matches its replacement. Where matches share nodes, the earlier pattern wins; among matches of one pattern,
// the one with the earlier last node.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

constexpr std::string_view readElsewhere = "what they make inside is read elsewhere";
constexpr std::string_view unknownTypes = "it is not known whether they have the types that the pattern asks for";
constexpr std::string_view notPure = "an operator of them draws numbers, acts or is unknown";
constexpr std::string_view noPlace = "what they read comes only after what reads their results";
constexpr std::string_view tooManyWays = "there are too many ways to match them";

class PatternReplacement {
public:
    PatternReplacement(rewrite::Rewriter &rewriter, const std::vector<Pattern> &patterns)
        : m_rewriter(rewriter),
          m_patterns(patterns),
          m_places(rewriter),
          m_replacement(rewriter),
          m_left(patterns.size())
    {
    }

    Result<void> run()
    {
        for (std::size_t i = 0; i < m_patterns.size() && !m_rewriter.task().stopRequested(); ++i)
            find(i);
        for (const Found &found : m_found)
            if (const auto wrong = whyNotInModel(m_patterns[found.pattern]))
                return usageError(*wrong);
        for (const Found &found : m_found)
            count(found.pattern, m_replacement.replace(m_patterns[found.pattern], found.match, found.next));
        for (std::size_t i = 0; i < m_patterns.size(); ++i)
            remark(i);
        return {};
    }

private:
    struct Found {
        std::size_t pattern;
        Match match;
        NodeId next;
    };

    // ---- finding

    /// Finds the matches of a pattern. If the pattern's nodes do not read each other, several orders match; the order
    /// of the pattern's text is tried first.
    void find(std::size_t index)
    {
        Matcher matcher(m_rewriter, m_patterns[index], [this](const NodeRef &node) { return m_places.isFree(node); });
        std::vector<NodeRef> inAnyOrder;
        for (const NodeRef node : m_places.nodes())
            if (!find(index, matcher, node, false))
                inAnyOrder.push_back(node);
        for (const NodeRef node : inAnyOrder)
            find(index, matcher, node, true);
    }

    /// Searches a match in which `last` is the last node of the pattern, and takes it. Returns false if there are
    /// matches, but another of their nodes runs last in the graph; with `inAnyOrder` they are taken, too.
    bool find(std::size_t index, Matcher &matcher, const NodeRef &last, bool inAnyOrder)
    {
        std::string_view cause;
        bool isOutOfOrder = false;
        const bool isFound = matcher.find(last, [&](const Match &match) {
            if (!inAnyOrder && !m_places.isLast(match, last)) {
                isOutOfOrder = true;
                return false;
            }
            const std::string_view why = take(index, match);
            cause = cause.empty() ? why : cause;
            return why.empty();
        });
        if (!isFound && !isOutOfOrder && (matcher.gaveUp() || !cause.empty()))
            count(index, cause.empty() ? tooManyWays : cause);
        return isFound || !isOutOfOrder;
    }

    /// Records the match for replacement if it can be replaced, and returns ""; otherwise returns why it cannot.
    std::string_view take(std::size_t index, const Match &match)
    {
        const Pattern &pattern = m_patterns[index];
        if (!match.hasKnownTypes)
            return unknownTypes;
        for (const NodeId node : match.nodes)
            if (const std::string_view cause = whyNotMoved(m_rewriter.node(node)); !cause.empty())
                return cause;
        if (isReadElsewhere(pattern, match))
            return readElsewhere;
        const auto next = m_places.of(pattern, match);
        if (!next)
            return noPlace;
        m_places.take(pattern, match, *next);
        m_found.push_back({index, match, *next});
        return {};
    }

    std::string_view whyNotMoved(const NodeRef &node)
    {
        bool isWritten = false;
        const auto look = [&](ValueId value) { isWritten = isWritten || m_rewriter.written().contains(value); };
        for (const ir::Argument &argument : node->arguments)
            forEachValue(argument.value, look);
        std::ranges::for_each(node->outputs, look);
        if (isWritten || m_rewriter.writes(node))
            return writtenInPlace;
        // An operator of ONNX that Cutaway does not know depends on its inputs alone, as all operators of ONNX do.
        const bool isFunction = node.isOnnx() && !m_rewriter.row(node);
        return isFunction || m_rewriter.isPure(node) ? std::string_view() : notPure;
    }

    bool isReadElsewhere(const Pattern &pattern, const Match &match)
    {
        const std::vector<ValueId> results = resultsOf(pattern, match);
        const auto isInside = [&](const ir::Use &use) {
            const auto *reader = std::get_if<NodeId>(&use);
            return reader && std::ranges::contains(match.nodes, *reader);
        };
        return std::ranges::any_of(match.nodes, [&](NodeId node) {
            return std::ranges::any_of(m_rewriter.graph().at(node).outputs, [&](ValueId value) {
                return !std::ranges::contains(results, value)
                    && !std::ranges::all_of(m_rewriter.graph().at(value).uses, isInside);
            });
        });
    }

    /// Returns why the model cannot have the pattern's operators: its opset may be too old for an operator.
    std::optional<std::string> whyNotInModel(const Pattern &pattern)
    {
        for (const NodeRef node : ir::nodesOf(pattern.after.graph))
            if (node.dialect() == "onnx")
                if (auto why =
                        ops::whyNotInOpset(node.opName(), ir::opsetIn(m_rewriter.model(), m_rewriter.graph(), "onnx")))
                    return why;
        return std::nullopt;
    }

    // ---- telling

    /// Counts a match. `cause` is the reason why it is left, or "".
    void count(std::size_t pattern, std::string_view cause)
    {
        m_isMatched.insert(pattern);
        if (cause.empty())
            m_left[pattern].done();
        else
            m_left[pattern].leave(cause);
    }

    void remark(std::size_t index)
    {
        const std::string &name = m_patterns[index].name;
        const std::string what = m_patterns.size() == 1 && name.empty() ? "the pattern"
            : name.empty()                                              ? formatted("pattern {}", index + 1)
                                                                        : "the pattern '" + name + "'";
        m_rewriter.remark(m_isMatched.contains(index) ? m_left[index].print("matches of " + what + " are left")
                                                      : what + " matches nothing");
    }

    rewrite::Rewriter &m_rewriter;
    const std::vector<Pattern> &m_patterns;
    MatchPlaces m_places;
    MatchReplacement m_replacement;
    std::vector<Found> m_found;
    std::vector<LeftOver> m_left; ///< by pattern: counts of the matches, and of those that were not replaced
    std::set<std::size_t> m_isMatched;
};

/// Returns the texts in the options, or in the file that they name.
Result<PatternTexts> textsOf(const Settings &settings)
{
    PatternTexts texts{settings.word("before"), settings.word("after")};
    const std::string &path = settings.word("file");
    if (path.empty())
        return texts;
    if (texts != PatternTexts())
        return usageError("replace-pattern has either 'file' or 'before' and 'after'");
    CUTAWAY_TRY(const auto file, located(path, MappedFile::open(path)));
    const auto bytes = file.bytes();
    return located(path, splitPatterns({reinterpret_cast<const char *>(bytes.data()), bytes.size()}));
}

/// Replaces the name of the patterns' file in the settings by its graphs, so that the pipeline contains them.
Result<Settings> preparedPatterns(Settings settings)
{
    CUTAWAY_TRY(auto texts, textsOf(settings));
    if (texts != PatternTexts())
        CUTAWAY_RETURN_IF_ERROR(parsePatterns(texts, std::make_shared<ir::Context>()));
    const std::string file = settings.word("file");
    settings.set("file", std::string());
    for (auto &[option, text] : {std::pair("before", &texts.before), std::pair("after", &texts.after)}) {
        settings.set(option, std::move(*text));
        if (!file.empty())
            settings.setFile(option, file);
    }
    return settings;
}

Result<void> runReplacePattern(rewrite::Rewriter &rewriter, const Settings &settings)
{
    CUTAWAY_TRY(const auto texts, textsOf(settings));
    if (texts == PatternTexts()) {
        rewriter.remark("no pattern is given: 'before' and 'after' are empty");
        return {};
    }
    CUTAWAY_TRY(const auto patterns, parsePatterns(texts, rewriter.model().context));
    return PatternReplacement(rewriter, patterns).run();
}

} // namespace

extern const Pass replacePattern;
const Pass replacePattern{
    "replace-pattern",
    "Replaces each match of a small graph by another one, as docs/patterns.md says; what the model computes changes if "
    "the two do not compute the same.",
    {{"before",
      "the graph to look for: graph @before(%x) { %r = aten::relu(self=%x) return %r }",
      std::string(),
      {},
      true},
     {"after", "the graph that takes its place, with the same inputs: graph @after(%x) {…}", std::string(), {}, true},
     {"file", "a file of such graphs in place of both, each @before followed by its @after", std::string()}},
    runReplacePattern,
    false,
    {},
    {},
    preparedPatterns};

} // namespace cutaway::passes
