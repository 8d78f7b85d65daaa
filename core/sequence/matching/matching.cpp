// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/matching/matching.h"

#include "core/ops/kind.h"

#include <algorithm>
#include <iterator>

// Which nodes of A did a node of B come from, where B was made of A by decomposing, fusing and rewriting it?
//
// Both graphs are computed on the same random inputs (values.h). A node of B whose result is that of a node of A is an
// anchor: it ends what A's node was decomposed into. A node of B that is no anchor lies inside such a decomposition,
// and belongs to the anchor that its result leads to. If its result leads to several anchors, it belongs to the first.
// If it leads to none, the node belongs to the decomposition that contains its operands. If the operands are anchors,
// their decompositions are complete, so the node belongs to a node of A that reads their results. The other way round,
// a node of A was fused into an anchor of another operator if B does not have its result, and if this result leads only
// to that anchor.
//
// Where the graphs say which line of the user's code a node is of, only nodes of the same line are taken. That decides
// between equal values, and it is what is left where nothing could be computed: then a node of the same name and
// operator is an anchor, too, and others of one line are taken in the order of the graph, those of the same operator
// first.

namespace cutaway::sequence {

namespace {

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

    /// Returns the matches, by node of B.
    std::vector<std::optional<Match>> run()
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

    /// Returns Matches::fused, by node of B. To be called after run().
    std::vector<std::vector<Index>> fused() const
    {
        std::vector<std::vector<Index>> fused(m_b.size());
        std::vector<std::optional<Index>> ends(m_a.size()); // by node of A: the node of B that it is a part of
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
    /// Returns the nodes of A on the line of a node of B; nullptr if the line is not known, or if no node of A is on
    /// it.
    const std::vector<Index> *sameLine(Index b) const
    {
        const std::string &source = m_b.sourceOf(b);
        const auto found = source.empty() ? m_bySource.end() : m_bySource.find(source);
        return found == m_bySource.end() ? nullptr : &found->second;
    }

    static bool isAllowed(Index a, const std::vector<Index> *line)
    {
        return !line || std::ranges::binary_search(*line, a); // the nodes of a line are sorted
    }

    /// Returns the nodes of A with a result that equals a result of `b`, in order. Sets `isPlain` and `isLent` if such
    /// a result is plain or lent (see ValuePrint).
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

    /// Returns the node of B that all users of a node of A are parts of.
    std::optional<Index> commonEnd(Index a, const std::vector<std::optional<Index>> &ends) const
    {
        const auto &users = m_a.usersOf(a);
        const bool isOne =
            std::ranges::all_of(users, [&](Index user) { return ends[user] && ends[user] == ends[users.front()]; });
        return isOne && !users.empty() ? ends[users.front()] : std::nullopt;
    }

    /// Whether a node of A computes a value that B does not have.
    bool isGone(Index a) const
    {
        const auto isLost = [this](ir::ValueId value) {
            const ValuePrint *print = m_a.print(value);
            return print && !print->isPlain && m_printsOfB.sameAs(*print).empty();
        };
        return m_a.ownerOf(a) == a && !m_a.isPassing(a) && std::ranges::any_of(m_a.node(a)->outputs, isLost);
    }

    std::optional<Match> anchorOf(Index b)
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
        if (!hasOperator && m_b.isPassing(b))
            return std::nullopt; // the operand is the anchor, and this node belongs to the next decomposition
        const Index node = hasOperator ? *chosen : candidates.front();
        const bool isSure = !isPlain && !isLent && candidates.size() == 1 && !m_b.isPassing(b);
        return Match{node, hasName ? How::Name : How::Structure, isSure};
    }

    /// Finds a match if values do not show it, as a size or an operator is not known. It is the producer of a value of
    /// the same name, if names are kept; else a node of the same name and operator on the line.
    std::optional<Match> namesake(Index b) const
    {
        const ir::NodeRef &node = m_b.node(b);
        const bool byValue = m_b.keepsNamesOfValues() && node.outputCount() > 0;
        const auto &names = byValue ? m_byValue : m_byName;
        const auto found = names.find(byValue ? std::string(node.output(0).name()) : m_b.nameOf(b));
        const bool isIt = found != names.end() && !m_isEnded[found->second] && isAllowed(found->second, sameLine(b))
            && (byValue || isSameOperator(m_a.node(found->second), node));
        return isIt ? std::optional(Match{found->second, How::Name, false}) : std::nullopt;
    }

    /// Returns the decomposition that the result of a node leads into: of several, the first in the order of A.
    std::optional<Match> insideOf(Index b)
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
            return Match{*firstOnLine, How::Source, false};
        if (line) // if all users are on other lines, `b` ends the decomposition of the last node on its line before
                  // them
            return first ? lastBefore(*first, *line) : std::nullopt;
        return first ? std::optional(Match{*first, How::Structure, false}) : std::nullopt;
    }

    static std::optional<Match> lastBefore(Index a, const std::vector<Index> &line)
    {
        const auto behind = std::ranges::upper_bound(line, a);
        return Match{behind == line.begin() ? line.front() : *std::prev(behind), How::Source, false};
    }

    /// Finds a match for a node none of whose readers has a match. It belongs to the decomposition that contains its
    /// operands or, if its operands end a decomposition, to a node that reads the results of that.
    std::optional<Match> behind(Index b)
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
        return last ? std::optional(Match{*last, line ? How::Source : How::Structure, false}) : std::nullopt;
    }

    /// Returns the first reader of `a` that is on `line` and that no anchor of B ends; `a` itself if there is none.
    Index readerOf(Index a, const std::vector<Index> *line) const
    {
        const auto &users = m_a.usersOf(a);
        const auto reader =
            std::ranges::find_if(users, [&](Index user) { return !m_isEnded[user] && isAllowed(user, line); });
        return reader == users.end() ? a : *reader;
    }

    std::optional<Match> bySource(Index b)
    {
        if (const auto *line = sameLine(b)) {
            const auto same =
                std::ranges::find_if(*line, [&](Index a) { return isSameOperator(m_a.node(a), m_b.node(b)); });
            return Match{same == line->end() ? line->front() : *same, How::Source, false};
        }
        const auto named = m_byName.find(m_b.nameOf(b));
        if (named != m_byName.end() && isSameOperator(m_a.node(named->second), m_b.node(b)))
            return Match{named->second, How::Name, false};
        return std::nullopt;
    }

    const MappedGraph &m_a, &m_b;
    PrintIndex m_printsOfA, m_printsOfB;
    std::vector<std::optional<Match>> m_found; ///< by node of B
    std::vector<bool> m_isAnchor;              ///< by node of B
    std::vector<bool> m_isEnded;               ///< by node of A: whether a node of B is an anchor that ends it
    std::unordered_map<std::string, std::vector<Index>> m_bySource;
    std::unordered_map<std::string, Index> m_byName, m_byValue;
};

} // namespace

Matches match(const MappedGraph &a, const MappedGraph &b)
{
    Matching matching(a, b);
    return {matching.run(), matching.fused()};
}

} // namespace cutaway::sequence
