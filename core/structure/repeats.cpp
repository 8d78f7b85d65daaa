// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// All periods are tried; in long chains only the short ones, and those after which tokens often return. Repeats of
// three units or more are taken first, and short periods before long ones. Where a repeat may begin at several
// positions, a block begins where the resolution changes, else at its fork, else where values of the blocks before are
// joined, else where it computes with weights, else at a normalization.

#include "core/structure/repeats.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>
#include <map>
#include <ranges>

namespace cutaway::structure {

namespace {

constexpr std::size_t shortChain = 256; ///< up to this length of a chain all periods are tried
constexpr std::size_t shortPeriod = 24; ///< up to this length, periods are tried in all chains
constexpr std::size_t mostPeriods = 16; ///< limit of longer periods that are tried in a long chain
constexpr std::uint32_t smallUnit = 5;  ///< smaller units need three repetitions, and units of two positions four
constexpr std::uint32_t smallestUnit = 2;
constexpr std::uint32_t smallestPlain = 5; ///< the least number of positions of a unit without weights

class RepeatFinder {
public:
    RepeatFinder(const Flow &flow, const Parts &parts) : m_flow(flow), m_parts(parts) { }

    std::vector<std::optional<Repeat>> find(const Chain &chain) const
    {
        std::vector<Repeat> repeats;
        for (const std::size_t period : periodsOf(chain))
            findRepeats(chain, period, repeats);
        std::ranges::stable_sort(repeats, {}, &Repeat::period);
        std::vector<std::optional<Repeat>> begins(chain.size());
        std::vector<bool> taken(chain.size());
        for (const bool isSure : {true, false})
            for (const Repeat &repeat : repeats)
                take(chain, repeat, isSure, begins, taken);
        return begins;
    }

private:
    const Part &at(std::uint32_t part) const { return m_parts[part]; }

    std::vector<std::size_t> periodsOf(const Chain &chain) const
    {
        std::vector<std::size_t> periods;
        const std::size_t most = chain.size() / 2;
        const std::size_t all = chain.size() <= shortChain ? most : std::min(most, shortPeriod);
        for (std::size_t period = 1; period <= all; ++period)
            periods.push_back(period);
        if (all == most)
            return periods;
        boost::unordered_flat_map<std::size_t, std::size_t> last;
        std::map<std::size_t, std::size_t> gaps;
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const auto [entry, isNew] = last.try_emplace(at(chain[i]).token, i);
            if (!isNew && i - entry->second > all && i - entry->second <= most)
                ++gaps[i - entry->second];
            entry->second = i;
        }
        std::vector<std::pair<std::size_t, std::size_t>> often(gaps.begin(), gaps.end());
        std::ranges::stable_sort(often, std::ranges::greater(), [](const auto &gap) { return gap.first * gap.second; });
        for (const auto &[gap, times] : often | std::views::take(mostPeriods))
            periods.push_back(gap);
        return periods;
    }

    void findRepeats(const Chain &chain, std::size_t period, std::vector<Repeat> &out) const
    {
        for (std::size_t i = period; i < chain.size();) {
            if (at(chain[i]).token != at(chain[i - period]).token) {
                ++i;
                continue;
            }
            const std::size_t begin = i - period;
            while (i < chain.size() && at(chain[i]).token == at(chain[i - period]).token)
                ++i;
            if (isRepeated(chain, {begin, i, period}))
                continue;
            if (const auto repeat = fitted(chain, {begin, i, period == 1 ? alternation(chain, begin, i) : period}))
                out.push_back(*repeat);
        }
    }

    /// Returns the period after which parts with equal tokens have the same operators again; 1 if there is none. Parts
    /// that alternate so form one block of two parts, and not two blocks.
    std::size_t alternation(const Chain &chain, std::size_t begin, std::size_t end) const
    {
        constexpr std::size_t most = 2;
        std::vector<std::size_t> prints;
        for (std::size_t i = begin; i < end; ++i) {
            std::size_t print = 0;
            for (std::uint32_t place = at(chain[i]).begin; place < at(chain[i]).end; ++place)
                boost::hash_combine(print, m_flow.places[place].op.index);
            prints.push_back(print);
        }
        const auto share = [&](std::size_t period) { // the share of parts that equal the part a period later
            std::size_t same = 0;
            for (std::size_t i = period; i < prints.size(); ++i)
                same += prints[i] == prints[i - period] ? 1 : 0;
            return static_cast<double>(same) / static_cast<double>(prints.size() - period);
        };
        for (std::size_t period = 2; period <= most && 3 * period <= prints.size(); ++period)
            if (share(1) < 0.3 && share(period) > 0.7)
                return period;
        return 1;
    }

    std::uint32_t sizeOf(const Chain &chain, std::size_t begin, std::size_t end) const
    {
        return at(chain[end - 1]).end - at(chain[begin]).begin;
    }

    /// Returns the repeat, shortened so that it begins with a block and ends with one; nothing if it is too small.
    std::optional<Repeat> fitted(const Chain &chain, Repeat repeat) const
    {
        const std::size_t period = repeat.period, length = repeat.end - repeat.begin;
        if (length < 2 * period)
            return std::nullopt;
        const std::size_t spare = length % period;
        std::size_t best = 0;
        // Having one unit less is acceptable if blocks then begin at their fork.
        const std::size_t offered = length >= 4 * period ? period : spare + 1;
        for (std::size_t i = 1; i < offered; ++i) {
            const int gain = beginningOf(chain, repeat, i) - beginningOf(chain, repeat, best);
            if (gain > (i > spare && best <= spare ? 2 : 0))
                best = i;
        }
        repeat.begin += best;
        const std::size_t times = (repeat.end - repeat.begin) / period;
        repeat.end = repeat.begin + times * period;
        const std::uint32_t covered = sizeOf(chain, repeat.begin, repeat.end);
        const std::uint32_t unit = covered / static_cast<std::uint32_t>(times);
        const bool hasWeights = std::any_of(chain.begin() + static_cast<std::ptrdiff_t>(repeat.begin),
                                            chain.begin() + static_cast<std::ptrdiff_t>(repeat.begin + period),
                                            [&](std::uint32_t part) { return !at(part).weighted.empty(); });
        if (unit < (hasWeights ? smallestUnit : smallestPlain) || times < leastTimes(hasWeights ? unit : smallUnit - 1))
            return std::nullopt;
        repeat.isSure = hasWeights && times >= 3;
        return repeat;
    }

    /// Whether the unit repeats a smaller unit, which was then too small to be one by itself.
    bool isRepeated(const Chain &chain, const Repeat &repeat) const
    {
        for (std::size_t part = 1; 2 * part <= repeat.period; ++part) {
            bool same = repeat.period % part == 0;
            for (std::size_t i = repeat.begin + part; same && i < repeat.begin + repeat.period; ++i)
                same = at(chain[i]).token == at(chain[i - part]).token;
            if (same)
                return true;
        }
        return false;
    }

    static std::size_t leastTimes(std::uint32_t places) { return places == 2 ? 4 : places < smallUnit ? 3 : 2; }

    /// Returns a score for blocks of a repeat that begin with the part at `position`, which is similar to the part a
    /// period later. The highest score is the best.
    int beginningOf(const Chain &chain, const Repeat &repeat, std::size_t position) const
    {
        const Part &part = at(chain[repeat.begin + position]);
        const Part &next = at(chain[repeat.begin + position + repeat.period]);
        if (part.form == Part::Form::Step && next.form == Part::Form::Step && m_flow.places[part.begin].scale != 0
            && m_flow.places[next.begin].scale != 0)
            return 5;
        if (part.isBlock() && part.isSkipped)
            return 4;
        if (roleOf(m_flow, part) == Role::Concat)
            return 3; // a concatenation joins results of earlier blocks
        if (!part.weighted.empty())
            return 2;
        return roleOf(m_flow, part) == Role::Norm ? 1 : 0;
    }

    /// Takes the items of a repeat that no better repeat has taken, where these are a repeat by themselves.
    void take(const Chain &chain, const Repeat &repeat, bool isSure, std::vector<std::optional<Repeat>> &begins,
              std::vector<bool> &taken) const
    {
        for (std::size_t i = repeat.begin; i < repeat.end;) {
            while (i < repeat.end && taken[i])
                ++i;
            const std::size_t begin = i;
            while (i < repeat.end && !taken[i])
                ++i;
            const auto left = begin < i ? fitted(chain, {begin, i, repeat.period}) : std::nullopt;
            if (!left || (isSure && !left->isSure))
                continue;
            begins[left->begin] = left;
            std::fill(taken.begin() + static_cast<std::ptrdiff_t>(left->begin),
                      taken.begin() + static_cast<std::ptrdiff_t>(left->end), true);
        }
    }

    const Flow &m_flow;
    const Parts &m_parts;
};

} // namespace

std::vector<std::optional<Repeat>> repeatsIn(const Flow &flow, const Parts &parts, const Chain &chain)
{
    return RepeatFinder(flow, parts).find(chain);
}

} // namespace cutaway::structure
