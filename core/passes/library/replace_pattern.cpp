// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/ir/opsets.h"
#include "core/ir/scope_tree.h"
#include "core/ops/schemas/onnx_operators.h"
#include "core/passes/left_over.h"
#include "core/passes/pass.h"
#include "core/passes/patterns/match_places.h"
#include "core/passes/type_change.h"
#include "core/rewrite/rewriter.h"
#include "core/symbolic/evaluate.h"

#include <algorithm>
#include <ranges>

// All matches are found in the graph as it is, then each is replaced: what the pass makes is matched by no pattern, so
// it ends even where a pattern matches what replaces it. An earlier pattern takes nodes before a later one, and an
// earlier node is the last of a match before a later one is.

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
constexpr std::string_view otherTypes = "the results would be of other types";
constexpr std::string_view noNumber = "the graph after calculates with a capture that is no number";
constexpr std::string_view tooManyWays = "there are too many ways to match them";

class PatternReplacement {
public:
    PatternReplacement(rewrite::Rewriter &rewriter, const std::vector<Pattern> &patterns)
        : m_rewriter(rewriter),
          m_patterns(patterns),
          m_places(rewriter),
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
            count(found.pattern, replace(m_patterns[found.pattern], found.match, found.next));
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

    /// Where a pattern's nodes do not read each other, several orders match; the one of the text is looked for first.
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

    /// False if there are matches, but their last node is not the last to run.
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

    /// Keeps a match; else says why it cannot be replaced.
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
        // An operator of ONNX that Cutaway does not know is a function of its inputs, as all of them are.
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

    /// A model of an older operator set has not all operators of ONNX.
    std::optional<std::string> whyNotInModel(const Pattern &pattern)
    {
        for (const NodeRef node : ir::nodesOf(pattern.after.graph))
            if (node.dialect() == "onnx")
                if (auto why =
                        ops::whyNotInOpset(node.opName(), ir::opsetIn(m_rewriter.model(), m_rewriter.graph(), "onnx")))
                    return why;
        return std::nullopt;
    }

    // ---- replacing

    /// The nodes that the graph `after` of a pattern becomes in place of a match.
    struct Made {
        std::vector<NodeId> nodes;
        std::unordered_map<ValueId, Operand> values;               ///< for the values of that graph
        std::unordered_map<ValueId, std::vector<ops::Fact>> facts; ///< what rules and the pattern say of them
    };

    /// "", or why the match stays.
    std::string_view replace(const Pattern &pattern, const Match &match, NodeId next)
    {
        m_rewriter.from(match.nodes);
        const std::vector<ValueId> results = resultsOf(pattern, match);
        Made made;
        std::string_view cause = make(pattern, match, next, made);
        std::vector<Operand> replacements;
        for (std::size_t i = 0; i < results.size() && cause.empty(); ++i) {
            const ValueId after = *pattern.after.outputs[i].value.as<ValueId>();
            replacements.push_back(made.values.at(after));
            cause = hasOtherType(results[i], replacements[i], made.facts[after]) ? otherTypes : cause;
        }
        if (!cause.empty()) {
            for (const NodeId node : made.nodes | std::views::reverse)
                m_rewriter.remove(node);
            return cause;
        }
        for (std::size_t i = 0; i < results.size(); ++i) {
            m_rewriter.replaceUses(results[i], replacements[i]);
            m_replaced.emplace(results[i], replacements[i]);
        }
        std::ranges::for_each(match.nodes, [this](NodeId node) { m_rewriter.remove(node); });
        return {};
    }

    bool hasOtherType(ValueId result, const Operand &replacement, const std::vector<ops::Fact> &facts)
    {
        if (m_rewriter.useCount(result) == 0)
            return false;
        const ops::Fact before = m_rewriter.fact(result);
        const bool isNumber = !replacement.as<ValueId>(); // an input of the pattern may be one
        return (isNumber && ops::asTensor(before)) || contradict(before, m_rewriter.fact(replacement))
            || std::ranges::any_of(facts, [&](const ops::Fact &fact) { return contradict(before, fact); });
    }

    std::string_view make(const Pattern &pattern, const Match &match, NodeId next, Made &made)
    {
        const ir::Graph &after = pattern.after.graph;
        for (const ir::FunctionInput &input : pattern.after.inputs) {
            const ValueId value = *input.value.as<ValueId>();
            const auto same = std::ranges::find(pattern.before.inputs, after.at(value).name, [&](const auto &other) {
                return pattern.before.graph.at(*other.value.template as<ValueId>()).name;
            });
            made.values.emplace(value, current(match.values.at(*same->value.template as<ValueId>())));
        }
        for (const NodeRef node : ir::nodesOf(after)) {
            ir::NodeDraft draft{.op = node->op,
                                .name = nameOf(pattern, match, node),
                                .scope = scopeOf(match),
                                .location = m_rewriter.node(match.nodes.back())->location,
                                .arguments = {},
                                .origins = {},
                                .metadata = {}};
            for (const ir::Argument &argument : node->arguments) {
                auto operand = filled(argument.value, match, made);
                if (!operand)
                    return noNumber;
                draft.arguments.push_back({argument.name, std::move(*operand)});
            }
            const NodeRef here = m_rewriter.insertBefore(next, std::move(draft));
            made.nodes.push_back(here);
            addResults(pattern, match, node, here, made);
        }
        return {};
    }

    /// The operand that `operand` is now that some matches are replaced.
    Operand current(const Operand &operand)
    {
        return ir::withValues(operand, [this](ValueId value) -> Operand {
            const auto replaced = m_replaced.find(value);
            return replaced == m_replaced.end() ? Operand(value) : current(replaced->second);
        });
    }

    /// An operand of the graph after, with what its values and captures are here.
    static std::optional<Operand> filled(const Operand &operand, const Match &match, const Made &made)
    {
        if (const std::string *name = captureOf(operand))
            return match.captures.at(*name);
        if (const auto *value = operand.as<ValueId>())
            return made.values.at(*value);
        if (const auto *expr = operand.as<symbolic::Expr>())
            return calculated(*expr, match);
        const auto fill = [&](ir::RareList<Operand> &items) {
            for (Operand &item : items) {
                auto one = filled(item, match, made);
                if (!one)
                    return false;
                item = std::move(*one);
            }
            return true;
        };
        Operand copy = operand;
        if (auto *list = std::get_if<ir::List>(&copy.v); list && !fill(list->items))
            return std::nullopt;
        if (auto *dict = std::get_if<ir::Dict>(&copy.v); dict && !fill(dict->items))
            return std::nullopt;
        return copy;
    }

    static std::optional<Operand> calculated(const symbolic::Expr &expr, const Match &match)
    {
        symbolic::Replacements known;
        for (const std::string &name : symbolic::symbolsOf(expr)) {
            const Operand &captured = match.captures.at(name);
            if (const auto *whole = captured.as<std::int64_t>())
                known.emplace(name, symbolic::Expr::integer(*whole));
            else if (const auto *real = captured.as<double>())
                known.emplace(name, symbolic::Expr::floating(*real));
            else if (const auto *size = captured.as<symbolic::Expr>())
                known.emplace(name, *size);
            else
                return std::nullopt;
        }
        const auto result = symbolic::replace(expr, known);
        if (!result)
            return std::nullopt;
        if (result->kind() == symbolic::Kind::Integer)
            return result->integerValue();
        if (result->kind() == symbolic::Kind::Float)
            return result->floatValue();
        return *result;
    }

    void addResults(const Pattern &pattern, const Match &match, const NodeRef &node, const NodeRef &here, Made &made)
    {
        std::vector<std::optional<ValueId>> before;
        for (const ir::ValueRef output : node.outputs()) {
            before.push_back(resultFor(pattern, match, output));
            const std::string_view name =
                before.back() ? ir::ValueRef(m_rewriter.graph(), *before.back()).name() : output.name();
            made.values.emplace(output, m_rewriter.addOutput(here, ir::TypeId{}, std::string(name)));
        }
        const ops::Operator *row = m_rewriter.row(here);
        const ops::Facts facts = row && row->shape ? row->shape(m_rewriter.call(here)).facts : ops::Facts();
        for (std::size_t i = 0; i < node.outputCount(); ++i) {
            const ir::TypeId declared = declaredType(node.output(i), match);
            const ops::Fact derived = i < facts.size() ? facts[i] : ops::Fact();
            made.facts[node.output(i)] = {derived, ops::factOf(m_rewriter.context(), declared)};
            const ir::TypeId known = before[i] ? typeLike(*before[i], derived) : typeOf(derived);
            m_rewriter.setType(here.output(i), completed(declared, known));
        }
    }

    /// The result of the match that a value of the graph after takes the place of.
    static std::optional<ValueId> resultFor(const Pattern &pattern, const Match &match, ValueId after)
    {
        const auto place = std::ranges::find(pattern.after.outputs, Operand(after), &ir::FunctionOutput::value);
        return place == pattern.after.outputs.end()
            ? std::nullopt
            : std::optional(resultsOf(pattern, match)[static_cast<std::size_t>(place - pattern.after.outputs.begin())]);
    }

    /// That of the file, else what is derived of the new value, else of the old one.
    ir::TypeId typeLike(ValueId before, const ops::Fact &derived)
    {
        if (const ir::TypeId recorded = m_rewriter.graph().at(before).type; recorded != ir::TypeId{})
            return recorded;
        const ir::TypeId type = typeOf(derived);
        return type != ir::TypeId{} ? type : typeOf(m_rewriter.fact(before));
    }

    /// The type that the pattern gives, with what is known where it says nothing.
    ir::TypeId completed(ir::TypeId declared, ir::TypeId known)
    {
        const auto *given = ir::tensorType(m_rewriter.context(), declared);
        const auto *other = ir::tensorType(m_rewriter.context(), known);
        if (declared == ir::TypeId{} || !given || !other)
            return declared == ir::TypeId{} ? known : declared;
        ir::TensorType type = *given;
        type.dtype = type.dtype ? type.dtype : other->dtype;
        type.shape = type.shape ? type.shape : other->shape;
        for (std::size_t d = 0; other->shape && other->shape->size() == type.shape->size() && d < type.shape->size();
             ++d)
            if (!ops::isKnown((*type.shape)[d]))
                (*type.shape)[d] = (*other->shape)[d];
        return m_rewriter.context().type(type);
    }

    ir::TypeId typeOf(const ops::Fact &fact)
    {
        if (const ops::TensorFact *tensor = ops::asTensor(fact)) {
            ir::TensorType type;
            type.dtype = tensor->dtype;
            type.shape = tensor->shape;
            return m_rewriter.context().type(type);
        }
        const auto *number = fact.as<ops::NumberFact>();
        return number ? m_rewriter.context().type(ir::NumberType{number->kind, {}}) : ir::TypeId{};
    }

    /// The type that the pattern gives a value, with the sizes that it has captured.
    ir::TypeId declaredType(const ir::ValueRef &value, const Match &match)
    {
        const ir::TensorType *tensor = value.tensorType();
        if (!tensor || !tensor->shape)
            return value->type;
        ir::TensorType type = *tensor;
        for (ir::Dim &dim : *type.shape) {
            const auto *expr = std::get_if<symbolic::Expr>(&dim);
            const auto size = expr ? calculated(*expr, match) : std::nullopt;
            if (const auto *whole = size ? size->as<std::int64_t>() : nullptr)
                dim = *whole;
            else if (const auto *formula = size ? size->as<symbolic::Expr>() : nullptr)
                dim = *formula;
            else if (expr)
                dim = ir::UnknownDim{};
        }
        return m_rewriter.context().type(type);
    }

    /// A node that makes a result is called as the one that made it before.
    ir::NameId nameOf(const Pattern &pattern, const Match &match, const NodeRef &node)
    {
        for (const ir::ValueRef output : node.outputs())
            if (const auto before = resultFor(pattern, match, output))
                return m_rewriter.graph()
                    .at(std::get<ir::NodeResult>(m_rewriter.graph().at(*before).definition).node)
                    .name;
        return {};
    }

    /// The innermost module call that has all nodes of the match in it.
    ir::ScopeId scopeOf(const Match &match)
    {
        const ir::Context &context = m_rewriter.context();
        ir::ScopeId scope = m_rewriter.node(match.nodes.front())->scope;
        const auto hasAll = [&](ir::ScopeId wanted) {
            return std::ranges::all_of(
                match.nodes, [&](NodeId node) { return ir::isWithin(context, m_rewriter.node(node)->scope, wanted); });
        };
        while (scope != ir::ScopeId{} && !hasAll(scope))
            scope = context.at(scope).parent;
        return scope;
    }

    // ---- telling

    /// Counts a match; `cause`: why it is left, or "".
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
    std::vector<Found> m_found;
    std::vector<LeftOver> m_left; ///< of each pattern
    std::set<std::size_t> m_isMatched;
    std::unordered_map<ValueId, Operand> m_replaced;
};

/// The texts of the options, or of the file that they name.
Result<PatternTexts> textsOf(const Settings &settings)
{
    PatternTexts texts{settings.word("before"), settings.word("after")};
    const std::string &path = settings.word("file");
    if (path.empty())
        return texts;
    if (texts != PatternTexts())
        return usageError("replace-pattern has either 'file' or 'before' and 'after'");
    const auto file = MappedFile::open(path);
    if (!file)
        return std::unexpected(file.error().in(path));
    const auto bytes = file->bytes();
    auto split = splitPatterns({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
    return split ? split : std::unexpected(split.error().in(path));
}

/// With the graphs of the file in place of its name, so that who has the pipeline has them too.
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
