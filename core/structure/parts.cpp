// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A part with one entry and one exit lies between two borders that equally few values pass. So a chain is cut at the
// borders that the fewest values pass. Between two cuts lies a fork, or a chain whose inner borders more values pass.
// The branches of a fork are found by leaving out the part that joins them.

#include "core/structure/parts.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <numeric>
#include <optional>

namespace cutaway::structure {

namespace {

constexpr int mostDepth = 32;
constexpr std::size_t mostWeighted = 48;
constexpr std::uint32_t idiomSize = 3; ///< the positions of an activation that is written as several operators

class Divider {
public:
    explicit Divider(const Flow &flow) : m_flow(flow) { }

    Parts divide()
    {
        const auto count = static_cast<std::uint32_t>(m_flow.places.size());
        if (count > 0)
            finish(withChildren(0, count, mostDepth));
        return std::move(m_parts);
    }

private:
    std::uint32_t add(Part part)
    {
        m_parts.push_back(std::move(part));
        return static_cast<std::uint32_t>(m_parts.size()) - 1;
    }

    std::uint32_t step(std::uint32_t place)
    {
        const Place &p = m_flow.places[place];
        Part part{.begin = place, .end = place + 1, .token = p.token};
        if (isWeighted(p.role))
            part.weighted.push_back(p.role);
        return add(std::move(part));
    }

    std::uint32_t part(std::uint32_t begin, std::uint32_t end, int depth)
    {
        return end - begin == 1 ? step(begin) : finish(withChildren(begin, end, depth));
    }

    Part withChildren(std::uint32_t begin, std::uint32_t end, int depth)
    {
        Part made{.form = Part::Form::Chain, .begin = begin, .end = end};
        made.isSkipped =
            std::ranges::any_of(m_flow.places[end - 1].sources, [&](std::uint32_t source) { return source < begin; })
            || (m_flow.places[end - 1].readsOutside && end - begin > 1);
        if (depth > 0 && fork(made, depth))
            return made;
        const std::uint32_t fewest = fewestWithin(begin, end);
        std::uint32_t first = begin;
        for (std::uint32_t border = begin + 1; border <= end; ++border) {
            if (border < end && depth > 0 && m_flow.crossings[border] != fewest)
                continue;
            made.children.push_back(part(first, border, depth - 1));
            first = border;
        }
        made.children = arranged(m_flow, m_parts, std::move(made.children));
        return made;
    }

    std::uint32_t fewestWithin(std::uint32_t begin, std::uint32_t end) const
    {
        const auto first = m_flow.crossings.begin() + begin + 1;
        return first == m_flow.crossings.begin() + end ? 0 : *std::min_element(first, m_flow.crossings.begin() + end);
    }

    /// Divides the part into its branches and the steps that split and join them; false if it has no branches.
    bool fork(Part &made, int depth)
    {
        const bool isLast = made.end == m_flow.places.size();
        struct Try {
            std::uint32_t head, tail;
        };
        std::vector<Try> tries{{0, 1}, {1, 1}};
        if (isLast)
            tries.insert(tries.begin(), {{0, 0}, {1, 0}});
        for (const auto [head, tail] : tries) {
            if (made.size() < head + tail + 2)
                continue;
            const std::uint32_t begin = made.begin + head, end = made.end - tail;
            const std::vector<std::uint32_t> borders = branchesOf(begin, end);
            if (borders.size() < 3 || (made.size() > 64 && isMostlyOne(borders)))
                continue;
            made.form = Part::Form::Fork;
            made.isHeads = tail == 0;
            made.branches = static_cast<std::uint32_t>(borders.size()) - 1;
            if (head > 0)
                made.children.push_back(step(made.begin));
            for (std::size_t i = 0; i + 1 < borders.size(); ++i)
                made.children.push_back(part(borders[i], borders[i + 1], depth - 1));
            if (tail > 0)
                made.children.push_back(step(end));
            return true;
        }
        return false;
    }

    /// Whether a fork is mostly one branch: a long chain beside a step or two is a chain with a skip, and no fork.
    static bool isMostlyOne(const std::vector<std::uint32_t> &borders)
    {
        std::uint32_t longest = 0;
        for (std::size_t i = 0; i + 1 < borders.size(); ++i)
            longest = std::max(longest, borders[i + 1] - borders[i]);
        return longest + 8 > borders.back() - borders.front();
    }

    /// Returns the beginnings of the branches, and the end. Branches whose steps are mixed count as one branch.
    std::vector<std::uint32_t> branchesOf(std::uint32_t begin, std::uint32_t end) const
    {
        // No value made before an inner border is read after it.
        std::vector<std::uint32_t> borders{begin};
        std::uint32_t reach = begin;
        bool hasFlow = false; // whether a branch has steps of the main flow
        for (std::uint32_t place = begin; place < end; ++place) {
            if (reach < place && hasFlow && !m_flow.places[place].isSide) {
                borders.push_back(place);
                hasFlow = false;
            }
            hasFlow = hasFlow || !m_flow.places[place].isSide;
            for (const std::uint32_t reader : m_flow.places[place].readers)
                if (reader < end)
                    reach = std::max(reach, reader);
        }
        borders.push_back(end);
        return borders;
    }

    std::uint32_t finish(Part made)
    {
        made.weighted = made.form == Part::Form::Fork ? weightedOfFork(made) : weightedOf(m_parts, made.children);
        const Role join = m_flow.places[made.end - 1].role;
        if (isGate(m_flow, made)) {
            made.token = static_cast<std::size_t>(Role::Activation);
            if (made.size() > idiomSize)
                boost::hash_combine(made.token, made.weighted.size() >= 2);
            made.weighted.clear(); // blocks with and without such an activation are then alike
        } else {
            for (const Role role : made.weighted)
                boost::hash_combine(made.token, static_cast<int>(role));
            if (made.weighted.empty())
                for (std::uint32_t place = made.begin; place < made.end; ++place)
                    boost::hash_combine(made.token, m_flow.places[place].token);
            boost::hash_combine(made.token, static_cast<int>(join));
        }
        return add(std::move(made));
    }

    /// Returns the weighted roles of a fork: those of the longest branch, and of the parts that split and join.
    std::vector<Role> weightedOfFork(const Part &fork) const
    {
        const std::size_t branches = fork.branches;
        const std::size_t head = fork.children.size() - branches - (fork.isHeads ? 0 : 1);
        std::size_t longest = head;
        for (std::size_t i = head; i < head + branches; ++i)
            if (m_parts[fork.children[i]].weighted.size() > m_parts[fork.children[longest]].weighted.size())
                longest = i;
        std::vector<std::uint32_t> way;
        if (head > 0)
            way.push_back(fork.children.front());
        way.push_back(fork.children[longest]);
        if (!fork.isHeads)
            way.push_back(fork.children.back());
        return weightedOf(m_parts, way);
    }

    const Flow &m_flow;
    Parts m_parts;
};

} // namespace

std::vector<Role> weightedOf(const Parts &parts, const std::vector<std::uint32_t> &chain)
{
    std::vector<Role> roles;
    for (const std::uint32_t part : chain) {
        if (parts[part].weighted.empty())
            continue;
        roles.insert(roles.end(), parts[part].weighted.begin(), parts[part].weighted.end());
        if (roles.size() > mostWeighted) {
            roles.resize(mostWeighted);
            break;
        }
    }
    return roles;
}

bool isGate(const Flow &flow, const Part &part)
{
    return part.size() > 1 && part.size() <= 16 && part.isSkipped && flow.places[part.end - 1].role == Role::Mul;
}

Parts partsOf(const Flow &flow) { return Divider(flow).divide(); }

} // namespace cutaway::structure
