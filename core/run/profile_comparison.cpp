// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/profile_comparison.h"

#include "core/base/formatted.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace cutaway::run {

namespace {

/// The rows of both profiles, A's first; rows that share a node are merged into groups.
class Rows {
public:
    Rows(const SavedProfile &a, const SavedProfile &b) : m_a(a), m_b(b), m_parents(a.nodes.size() + b.nodes.size())
    {
        std::iota(m_parents.begin(), m_parents.end(), std::size_t{0});
    }

    void join(const SameNodes &same)
    {
        std::unordered_map<ir::NodeId, std::size_t> rowsA, rowsB;
        joinWithin(m_a, 0, rowsA);
        joinWithin(m_b, m_a.nodes.size(), rowsB);
        for (const auto &[a, b] : same)
            if (rowsA.contains(a) && rowsB.contains(b))
                join(rowsA[a], rowsB[b]);
        joinUnknown();
    }

    /// Returns the groups in the order of their first rows.
    std::vector<NodesChange> groups()
    {
        std::vector<NodesChange> groups;
        std::unordered_map<std::size_t, std::size_t> places;
        for (std::size_t row = 0; row < m_parents.size(); ++row) {
            const auto [place, isNew] = places.try_emplace(find(row), groups.size());
            if (isNew)
                groups.emplace_back();
            NodesChange &group = groups[place->second];
            if (row < m_a.nodes.size())
                add(m_a, row, group.a, group.time.before);
            else
                add(m_b, row - m_a.nodes.size(), group.b, group.time.after);
        }
        return groups;
    }

private:
    std::size_t find(std::size_t row)
    {
        while (m_parents[row] != row)
            row = m_parents[row] = m_parents[m_parents[row]];
        return row;
    }
    void join(std::size_t a, std::size_t b)
    {
        const std::size_t first = find(a), second = find(b);
        m_parents[std::max(first, second)] = std::min(first, second);
    }

    void joinWithin(const SavedProfile &profile, std::size_t begin, std::unordered_map<ir::NodeId, std::size_t> &rows)
    {
        for (std::size_t i = 0; i < profile.nodes.size(); ++i)
            for (const SavedPart &part : profile.nodes[i].parts)
                join(rows.try_emplace(part.id, begin + i).first->second, begin + i);
    }

    /// Merges rows without known nodes if the backend gave them equal names.
    void joinUnknown()
    {
        std::map<std::tuple<std::string, std::string, std::uint64_t>, std::size_t> rows;
        const auto key = [](const SavedTime &time) {
            const auto &measured = time.measured;
            return std::tuple(measured.name, measured.op, measured.name.empty() ? measured.index : 0);
        };
        for (std::size_t i = 0; i < m_a.nodes.size(); ++i)
            if (m_a.nodes[i].parts.empty())
                rows.try_emplace(key(m_a.nodes[i]), i);
        for (std::size_t i = 0; i < m_b.nodes.size(); ++i)
            if (const auto found = rows.find(key(m_b.nodes[i])); m_b.nodes[i].parts.empty() && found != rows.end())
                join(found->second, m_a.nodes.size() + i);
    }

    static void add(const SavedProfile &profile, std::size_t row, std::vector<std::size_t> &rows,
                    std::optional<protocol::Spread> &sum)
    {
        if (!sum)
            sum.emplace();
        *sum += profile.nodes[row].measured.time;
        rows.push_back(row);
    }

    const SavedProfile &m_a, &m_b;
    std::vector<std::size_t> m_parents;
};

std::map<ir::NodeId, SavedPart> partsOf(const SavedProfile &profile)
{
    std::map<ir::NodeId, SavedPart> parts;
    for (const SavedTime &time : profile.nodes)
        for (const SavedPart &part : time.parts)
            parts.try_emplace(part.id, part);
    return parts;
}

} // namespace

Result<SameNodes> sameIds(const SavedProfile &a, const SavedProfile &b)
{
    SameNodes same;
    const auto before = partsOf(a), after = partsOf(b);
    for (const auto &[id, part] : before) {
        const auto other = after.find(id);
        if (other == after.end())
            continue;
        if (other->second != part)
            return std::unexpected(Error{
                ErrorKind::Usage,
                formatted("the profiles are of different models, node {} is '{}' ({}) in A and '{}' ({}) in B; name "
                          "both model files",
                          id.index, part.name, part.op, other->second.name, other->second.op),
                {}});
        same.emplace_back(id, id);
    }
    return same;
}

SameNodes sameNodes(const diff::Difference &difference)
{
    SameNodes same;
    for (const diff::Pair &pair : difference.pairs)
        same.emplace_back(pair.a, pair.b);
    const auto joinAll = [&](const std::vector<ir::NodeId> &ofA, const std::vector<ir::NodeId> &ofB) {
        if (ofA.empty() || ofB.empty())
            return;
        for (const ir::NodeId a : ofA)
            same.emplace_back(a, ofB.front());
        for (const ir::NodeId b : ofB)
            same.emplace_back(ofA.front(), b);
    };
    for (const diff::Group &group : difference.groups)
        joinAll(group.a, group.b);
    for (const diff::Region &region : difference.regions)
        joinAll(region.a.nodes, region.b.nodes);
    return same;
}

ProfileComparison compareProfiles(const SavedProfile &a, const SavedProfile &b, const SameNodes &same)
{
    Rows rows(a, b);
    rows.join(same);
    return {{a.timing.whole, b.timing.whole}, rows.groups()};
}

} // namespace cutaway::run
