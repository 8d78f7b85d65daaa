// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/mapping.h"

#include "core/ir/model_format.h"
#include "core/ir/names.h"
#include "core/ir/node_ref.h"
#include "core/ops/kind.h"
#include "core/ops/program/container.h"
#include "core/sequence/values.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

// Which nodes of A did a node of B come from, where B was made of A by decomposing, fusing and rewriting it?
//
// Both graphs are computed on the same random inputs (values.h). A node of B whose result is that of a node of A is an
// anchor: it ends what A's node was decomposed into. A node of B that is no anchor lies inside such a decomposition,
// and belongs to the anchor that its result leads to. If it leads to several, it is of the first. If it leads to none,
// it belongs to what its operands are inside of. Where they are anchors, the nodes that these end are computed already,
// so it belongs to a node of A that reads them. The other way round, a node of A whose result is none of B's and leads
// to one anchor of another operator alone was fused into that.
//
// Where the graphs say which line of the user's code a node is of, only nodes of the same line are taken. That decides
// between equal values, and it is what is left where nothing could be computed: then a node of the same name and
// operator is an anchor, too, and others of one line are taken in the order of the graph, those of the same operator
// first.

namespace cutaway::sequence {

namespace {

using Index = std::size_t; ///< a node's position in the main graph

/// The main graph of a model, node by node.
class MappedGraph {
public:
    MappedGraph(const ir::Model &model, const std::vector<std::optional<ValuePrint>> &prints)
        : m_graph(model.functions.front().graph),
          m_prints(prints),
          m_isOnnx(ir::isOnnx(model))
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph)) {
            for (const ir::ValueId output : node->outputs)
                m_producers[output] = m_nodes.size();
            m_nodes.push_back(node);
            m_sources.push_back(ir::sourceOf(node).value_or(""));
        }
        m_users.resize(m_nodes.size());
        for (Index i = 0; i < m_nodes.size(); ++i)
            for (const Index operand : operandsOf(i))
                m_users[operand].push_back(i);
    }

    /// Whether what rewrites the graph keeps the names of values, whatever gives them.
    bool keepsNamesOfValues() const { return m_isOnnx; }
    std::size_t size() const { return m_nodes.size(); }
    const ir::NodeRef &node(Index i) const { return m_nodes[i]; }
    const std::vector<Index> &usersOf(Index i) const { return m_users[i]; }

    std::vector<Index> operandsOf(Index i) const
    {
        std::vector<Index> operands;
        for (const ir::Argument &argument : m_nodes[i]->arguments)
            ir::forEachValue(argument.value, [&](ir::ValueId value) {
                if (const auto found = m_producers.find(value); found != m_producers.end())
                    operands.push_back(found->second);
            });
        return operands;
    }

    /// "file:line" of the user's code, or "".
    const std::string &sourceOf(Index i) const { return m_sources[i]; }
    std::string nameOf(Index i) const { return ir::nameOf(m_nodes[i]); }

    /// The node that makes what the node takes an item of; itself for others.
    Index ownerOf(Index i) const
    {
        const ir::Operand *index = m_nodes[i].input(1); // a slice takes a part of one tensor
        const bool isItem = ops::kindOf(m_nodes[i]) == ops::kind::getItem && index && index->as<std::int64_t>();
        const auto operands = isItem ? operandsOf(i) : std::vector<Index>();
        return operands.size() == 1 ? ownerOf(operands.front()) : i;
    }

    /// The node that makes the value; nothing for inputs, weights and values of regions.
    std::optional<Index> producerOf(ir::ValueId value) const
    {
        const auto found = m_producers.find(value);
        return found == m_producers.end() ? std::nullopt : std::optional(found->second);
    }

    const std::vector<std::optional<ValuePrint>> &prints() const { return m_prints; }
    const ValuePrint *print(ir::ValueId value) const
    {
        return m_prints[value.index] ? &*m_prints[value.index] : nullptr;
    }

private:
    const ir::Graph &m_graph;
    const std::vector<std::optional<ValuePrint>> &m_prints;
    bool m_isOnnx;
    std::vector<ir::NodeRef> m_nodes;
    std::vector<std::string> m_sources; ///< by node
    std::unordered_map<ir::ValueId, Index> m_producers;
    std::vector<std::vector<Index>> m_users;
};

bool isSameOperator(const ir::NodeRef &a, const ir::NodeRef &b) { return ops::kindOf(a) == ops::kindOf(b); }

class Matching {
public:
    Matching(const MappedGraph &a, const MappedGraph &b)
        : m_a(a),
          m_b(b),
          m_printsOfA(a.prints()),
          m_printsOfB(b.prints()),
          m_found(b.size()),
          m_isEnded(a.size())
    {
        for (Index i = 0; i < a.size(); ++i) {
            m_bySource[a.sourceOf(i)].push_back(i);
            m_byName.emplace(a.nameOf(i), i);
            for (const ir::ValueRef output : a.node(i).outputs())
                m_byValue.emplace(output.name(), i);
        }
        m_byValue.erase("");
    }

    struct Found {
        Index node = 0; ///< of A
        How how = How::Structure;
        bool isSure = false;
    };

    /// By node of B.
    std::vector<std::optional<Found>> run()
    {
        for (Index i = 0; i < m_b.size(); ++i) {
            m_found[i] = anchorOf(i);
            m_isAnchor.push_back(m_found[i].has_value());
            if (m_found[i])
                m_isEnded[m_found[i]->node] = true;
        }
        for (Index i = 0; i < m_b.size(); ++i) {
            if (m_found[i])
                continue;
            m_found[i] = namesake(i);
            if (m_found[i]) {
                m_isAnchor[i] = true;
                m_isEnded[m_found[i]->node] = true;
            }
        }
        for (Index i = m_b.size(); i-- > 0;)
            if (!m_found[i])
                m_found[i] = insideOf(i);
        for (Index i = 0; i < m_b.size(); ++i)
            if (!m_found[i])
                m_found[i] = behind(i);
        for (Index i = 0; i < m_b.size(); ++i)
            if (!m_found[i])
                m_found[i] = bySource(i);
        return m_found;
    }

    /// By node of B the nodes of A, besides the one that run() found, that it computes as well: those whose results
    /// lead only to it, where it is of another operator than that one. After run().
    std::vector<std::vector<Index>> fused() const
    {
        std::vector<std::vector<Index>> fused(m_b.size());
        std::vector<std::optional<Index>> ends(m_a.size()); // the node of B that a node of A is a part of
        std::vector<bool> isKept(m_a.size());
        for (Index i = 0; i < m_b.size(); ++i)
            if (m_found[i]) {
                isKept[m_found[i]->node] = true;
                if (m_isAnchor[i] && !isSameOperator(m_a.node(m_found[i]->node), m_b.node(i)))
                    ends[m_found[i]->node] = i;
            }
        for (Index a = m_a.size(); a-- > 0;) {
            if (isKept[a] || !isGone(a))
                continue;
            ends[a] = commonEnd(a, ends);
            if (ends[a])
                fused[*ends[a]].push_back(a);
        }
        return fused;
    }

private:
    /// Nodes of A on the line of a node of B; nothing: its line is not known, or none of A is on it.
    const std::vector<Index> *sameLine(Index b) const
    {
        const std::string &source = m_b.sourceOf(b);
        const auto found = source.empty() ? m_bySource.end() : m_bySource.find(source);
        return found == m_bySource.end() ? nullptr : &found->second;
    }

    static bool isAllowed(Index a, const std::vector<Index> *line)
    {
        return !line || std::ranges::binary_search(*line, a); // lines list their nodes in order
    }

    /// Nodes of A with a result that is one of the node's, in order.
    std::vector<Index> sameValues(Index b, const std::vector<Index> *line, bool &isPlain, bool &isLent) const
    {
        std::vector<Index> candidates;
        for (const ir::ValueId ofB : m_b.node(b)->outputs) {
            const ValuePrint *print = m_b.print(ofB);
            for (const std::size_t value : print ? m_printsOfA.sameAs(*print) : std::vector<std::size_t>()) {
                const auto a = m_a.producerOf(ir::ValueId{static_cast<std::uint32_t>(value)});
                const bool isOwnPlain = m_a.prints()[value]->isPlain;
                if (!a || !isAllowed(*a, line) || (isOwnPlain && !isSameOperator(m_a.node(*a), m_b.node(b))))
                    continue;
                isPlain |= isOwnPlain;
                isLent |= m_a.prints()[value]->isLent || print->isLent;
                candidates.push_back(*a);
            }
        }
        std::ranges::sort(candidates);
        candidates.erase(std::ranges::unique(candidates).begin(), candidates.end());
        return candidates;
    }

    /// The node of B that all users of a node of A are parts of.
    std::optional<Index> commonEnd(Index a, const std::vector<std::optional<Index>> &ends) const
    {
        const auto &users = m_a.usersOf(a);
        const bool isOne =
            std::ranges::all_of(users, [&](Index user) { return ends[user] && ends[user] == ends[users.front()]; });
        return isOne && !users.empty() ? ends[users.front()] : std::nullopt;
    }

    /// Whether a node of A computes what B does not have.
    bool isGone(Index a) const
    {
        const auto isLost = [this](ir::ValueId value) {
            const ValuePrint *print = m_a.print(value);
            return print && !print->isPlain && m_printsOfB.sameAs(*print).empty();
        };
        return m_a.ownerOf(a) == a && !isPassing(m_a, a) && std::ranges::any_of(m_a.node(a)->outputs, isLost);
    }

    /// Whether it only passes a value on, as views and copies that change nothing do.
    static bool isPassing(const MappedGraph &graph, Index node)
    {
        for (const Index operand : graph.operandsOf(node))
            for (const ir::ValueId given : graph.node(operand)->outputs)
                for (const ir::ValueId made : graph.node(node)->outputs) {
                    const ValuePrint *x = graph.print(given), *y = graph.print(made);
                    if (x && y && x->isSame(*y))
                        return true;
                }
        return false;
    }

    std::optional<Found> anchorOf(Index b)
    {
        const auto *line = sameLine(b);
        bool isPlain = false, isLent = false;
        const std::vector<Index> candidates = sameValues(b, line, isPlain, isLent);
        if (candidates.empty())
            return std::nullopt;
        const auto isNamed = [&](Index a) { return m_a.nameOf(a) == m_b.nameOf(b); };
        const auto isOfOperator = [&](Index a) { return isSameOperator(m_a.node(a), m_b.node(b)); };
        auto chosen = std::ranges::find_if(candidates, [&](Index a) { return isNamed(a) && isOfOperator(a); });
        const bool hasName = chosen != candidates.end();
        if (!hasName)
            chosen = std::ranges::find_if(candidates, isOfOperator);
        const bool hasOperator = chosen != candidates.end();
        if (!hasOperator && isPassing(m_b, b))
            return std::nullopt; // a passing node belongs to the next decomposition, so its operand is the anchor
        const Index node = hasOperator ? *chosen : candidates.front();
        const bool isSure = !isPlain && !isLent && candidates.size() == 1 && !isPassing(m_b, b);
        return Found{node, hasName ? How::Name : How::Structure, isSure};
    }

    /// Where values do not tell, since a size or an operator is not known: the node that gives a value of the same
    /// name, if these are kept, else one of the same name and operator on the line.
    std::optional<Found> namesake(Index b) const
    {
        const ir::NodeRef &node = m_b.node(b);
        const bool byValue = m_b.keepsNamesOfValues() && node.outputCount() > 0;
        const auto &names = byValue ? m_byValue : m_byName;
        const auto found = names.find(byValue ? std::string(node.output(0).name()) : m_b.nameOf(b));
        const bool isIt = found != names.end() && !m_isEnded[found->second] && isAllowed(found->second, sameLine(b))
            && (byValue || isSameOperator(m_a.node(found->second), node));
        return isIt ? std::optional(Found{found->second, How::Name, false}) : std::nullopt;
    }

    /// The decomposition that the result leads into: of its users the first, by the order of A.
    std::optional<Found> insideOf(Index b)
    {
        const auto *line = sameLine(b);
        std::optional<Index> first, firstOnLine;
        for (const Index user : m_b.usersOf(b)) {
            if (!m_found[user])
                continue;
            const Index a = m_found[user]->node;
            first = std::min(first.value_or(a), a);
            if (line && isAllowed(a, line))
                firstOnLine = std::min(firstOnLine.value_or(a), a);
        }
        if (firstOnLine)
            return Found{*firstOnLine, How::Source, false};
        if (line) // its users are of other lines: it ends what the last node before them was made into
            return first ? lastBefore(*first, *line) : std::nullopt;
        return first ? std::optional(Found{*first, How::Structure, false}) : std::nullopt;
    }

    static std::optional<Found> lastBefore(Index a, const std::vector<Index> &line)
    {
        const auto behind = std::ranges::upper_bound(line, a);
        return Found{behind == line.begin() ? line.front() : *std::prev(behind), How::Source, false};
    }

    /// Nothing reads it, or nothing that is known: it is of the decomposition that its operands are inside of, or,
    /// where they end one, of a node that reads what they end with.
    std::optional<Found> behind(Index b)
    {
        const auto *line = sameLine(b);
        std::optional<Index> last;
        for (const Index operand : m_b.operandsOf(b)) {
            if (!m_found[operand])
                continue;
            const Index a = m_isAnchor[operand] ? readerOf(m_found[operand]->node, line) : m_found[operand]->node;
            if (isAllowed(a, line))
                last = std::max(last.value_or(0), a);
        }
        return last ? std::optional(Found{*last, line ? How::Source : How::Structure, false}) : std::nullopt;
    }

    /// The first reader of a node of A that no node of B ends; the node itself where there is none.
    Index readerOf(Index a, const std::vector<Index> *line) const
    {
        const auto &users = m_a.usersOf(a);
        const auto reader =
            std::ranges::find_if(users, [&](Index user) { return !m_isEnded[user] && isAllowed(user, line); });
        return reader == users.end() ? a : *reader;
    }

    std::optional<Found> bySource(Index b)
    {
        if (const auto *line = sameLine(b)) {
            const auto same =
                std::ranges::find_if(*line, [&](Index a) { return isSameOperator(m_a.node(a), m_b.node(b)); });
            return Found{same == line->end() ? line->front() : *same, How::Source, false};
        }
        const auto named = m_byName.find(m_b.nameOf(b));
        if (named != m_byName.end() && isSameOperator(m_a.node(named->second), m_b.node(b)))
            return Found{named->second, How::Name, false};
        return std::nullopt;
    }

    const MappedGraph &m_a, &m_b;
    PrintIndex m_printsOfA, m_printsOfB;
    std::vector<std::optional<Found>> m_found; ///< by node of B
    std::vector<bool> m_isAnchor;              ///< by node of B
    std::vector<bool> m_isEnded;               ///< by node of A: a node of B is its anchor
    std::unordered_map<std::string, std::vector<Index>> m_bySource;
    std::unordered_map<std::string, Index> m_byName, m_byValue;
};

/// Names of nodes and of their results, with the names of the nodes.
std::unordered_map<std::string, std::string> namesIn(const MappedGraph &graph)
{
    std::unordered_map<std::string, std::string> names;
    for (Index i = 0; i < graph.size(); ++i) {
        const std::string owner = graph.nameOf(graph.ownerOf(i));
        names[graph.nameOf(i)] = owner;
        for (const ir::ValueRef output : graph.node(i).outputs())
            names[std::string(output.name())] = owner;
    }
    return names;
}

/// The recorded origins that are nodes of the earlier graph, each once.
std::vector<std::string> known(const std::vector<std::string> &recorded,
                               const std::unordered_map<std::string, std::string> &names)
{
    std::vector<std::string> origins;
    for (const std::string &name : recorded)
        if (const auto found = names.find(name); found != names.end() && !std::ranges::contains(origins, found->second))
            origins.push_back(found->second);
    return origins;
}

const std::vector<std::string> *recordOf(const MappedGraph &graph, Index i, const RecordedOrigins &recorded)
{
    if (const auto found = recorded.find(graph.nameOf(i)); found != recorded.end())
        return &found->second;
    for (const ir::ValueRef output : graph.node(i).outputs())
        if (const auto found = recorded.find(std::string(output.name())); found != recorded.end())
            return &found->second;
    return nullptr;
}

using nlohmann::json;

/// The innermost names of a nested list of {name, from_node}.
void collectOrigins(const json &list, std::vector<std::string> &origins, int depth)
{
    constexpr int deepest = 200;
    if (!list.is_array() || depth > deepest)
        return;
    for (const json &entry : list) {
        if (!entry.is_object())
            continue;
        const auto inner = entry.find("from_node");
        const auto name = entry.find("name");
        if (inner != entry.end() && inner->is_array() && !inner->empty())
            collectOrigins(*inner, origins, depth + 1);
        else if (name != entry.end() && name->is_string())
            origins.push_back(name->get<std::string>());
    }
}

} // namespace

Mapping mapNodes(const ir::Model &a, const ir::Model &b, const RecordedOrigins &recorded, const Task &task)
{
    Mapping mapping;
    if (a.functions.empty() || b.functions.empty())
        return mapping;
    const ComputedValues values = computedValues(a, b, task);
    const MappedGraph graphA(a, values.a), graphB(b, values.b);
    Matching matching(graphA, graphB);
    const auto found = matching.run();
    const auto fused = matching.fused();
    const auto names = namesIn(graphA);
    std::set<std::string> used;
    for (Index i = 0; i < graphB.size(); ++i) {
        NodeOrigin pair{graphB.nameOf(i), {}, How::Structure, false};
        if (const auto *record = recordOf(graphB, i, recorded))
            pair = {pair.node, known(*record, names), How::Provenance, true};
        if (pair.from.empty() && found[i]) {
            pair = {pair.node, {}, found[i]->how, found[i]->isSure};
            std::vector<Index> parts = fused[i];
            parts.push_back(graphA.ownerOf(found[i]->node));
            std::ranges::sort(parts);
            std::ranges::transform(parts, std::back_inserter(pair.from),
                                   [&](Index part) { return graphA.nameOf(part); });
        }
        used.insert(pair.from.begin(), pair.from.end());
        mapping.pairs.push_back(std::move(pair));
    }
    for (Index i = 0; i < graphA.size(); ++i)
        if (graphA.ownerOf(i) == i && !used.contains(graphA.nameOf(i)))
            mapping.gone.push_back(graphA.nameOf(i));
    return mapping;
}

RecordedOrigins originsIn(const ir::Model &b)
{
    RecordedOrigins recorded;
    if (b.functions.empty())
        return recorded;
    for (const ir::NodeRef node : ir::nodesOf(b.functions.front().graph)) {
        const std::string_view text = node.metadata("from_node");
        if (text.empty())
            continue;
        std::vector<std::string> origins;
        collectOrigins(json::parse(text, nullptr, false), origins, 0);
        if (!origins.empty())
            recorded[ir::nameOf(node)] = std::move(origins);
    }
    return recorded;
}

RecordedOrigins originsBetween(const Sequence &sequence, std::size_t from, std::size_t to)
{
    const Step &earlier = sequence.steps[from], &later = sequence.steps[to];
    if (to == from + 1 && later.origins)
        return readOrigins(*later.origins);
    if (earlier.kind != Kind::PreGrad && earlier.kind != Kind::Dynamo)
        return {}; // the record is of these
    for (const Record &record : sequence.records)
        if (record.name == provenanceRecord && record.line > later.line.value_or(0))
            return readProvenance(record).postToPre;
    return {};
}

Result<Mapping> mapAddresses(const std::string &a, const std::string &b, bool useProvenance, const Task &task)
{
    CUTAWAY_TRY(const ir::Model modelA, withSubject(a, open(a, task)));
    CUTAWAY_TRY(const ir::Model modelB, withSubject(b, open(b, task)));
    if (!useProvenance)
        return mapNodes(modelA, modelB, {}, task);
    RecordedOrigins recorded = originsIn(modelB);
    if (recorded.empty() && a.contains('#') && b.contains('#')) {
        const auto stepA = findStep(a, task), stepB = findStep(b, task);
        if (stepA && stepB && stepA->document.sources == stepB->document.sources
            && stepA->place.sequence == stepB->place.sequence)
            recorded = originsBetween(stepB->sequence(), stepA->place.step, stepB->place.step);
    }
    return mapNodes(modelA, modelB, recorded, task);
}

} // namespace cutaway::sequence
