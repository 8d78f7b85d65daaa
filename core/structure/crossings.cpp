// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A border is good where few values pass. Three sorts of readers would hide that, and do not count:
// - concatenations, if the value has other readers, too: skips of a U shape, features of a dense block;
// - the readers of a value that is read often, and far from each other: a mask, an encoder's result, a time step;
// - results of the function, if the value has other readers, too.
//
// A graph that computes results and gradients reads most values twice; what the gradients read again does not count.

#include "core/structure/crossings.h"

#include <algorithm>
#include <numeric>

namespace cutaway::structure {

namespace {

constexpr std::size_t manyReaders = 4;   ///< the least number of readers of a value that is an input of all blocks
constexpr std::uint32_t farReaders = 48; ///< the least distance between the first and the last reader of such a value
constexpr std::size_t manyPicks = 3;     ///< like manyReaders, for a value of which each reader takes one item
constexpr std::uint32_t farPicks = 24;
constexpr std::size_t fewInputs = 4; ///< more inputs than this are states, each of which one block reads
constexpr std::int64_t manyKept = 8; ///< the least number of values that the part with gradients reads again

class Crossings {
public:
    Crossings(const std::vector<Place> &places, std::vector<Passing> values)
        : m_places(places),
          m_passing(std::move(values))
    {
    }

    /// Drops reads of earlier values by gradients, and by nodes that only prepare such values for gradients.
    void forgetKept()
    {
        const std::uint32_t begin = gradientsBegin();
        if (begin == m_places.size())
            return;
        std::vector<bool> leadsToResult(begin);
        for (const Passing &passing : m_passing)
            if (passing.isReturned && passing.maker < begin)
                leadsToResult[passing.maker] = true;
        for (std::uint32_t place = begin; place-- > 0;)
            if (leadsToResult[place])
                for (const std::uint32_t source : m_places[place].sources)
                    leadsToResult[source] = true;
        const auto isKept = [&](std::uint32_t reader) { return reader >= begin || !leadsToResult[reader]; };
        for (Passing &passing : m_passing)
            if (passing.maker == Passing::none ? !passing.readers.empty() && passing.readers.front() < begin
                                               : passing.maker < begin && leadsToResult[passing.maker])
                std::erase_if(passing.readers, isKept);
            else if (passing.maker < begin)
                passing.readers.clear();
    }

    std::vector<std::uint32_t> count() const
    {
        const auto count = static_cast<std::uint32_t>(m_places.size());
        std::vector<std::int64_t> change(count + 2, 0); // by position: additional values at the border before it
        std::size_t inputs = 0;
        bool givesToAll = false; // whether some value that is no input is read by all blocks
        for (const Passing &passing : m_passing) {
            inputs += passing.maker == Passing::none && !passing.readers.empty() ? 1 : 0;
            givesToAll = givesToAll || (passing.maker != Passing::none && isGivenToAll(passing.readers));
        }
        for (const Passing &passing : m_passing) {
            if (passing.readers.empty() && !passing.isReturned)
                continue;
            if (isGivenToAll(passing.readers) || isSideResult(passing))
                continue;
            const std::uint32_t last = lastOf(passing);
            std::uint32_t first = passing.maker + 1;
            if (passing.maker == Passing::none)
                first = inputs <= fewInputs && !givesToAll ? 0 : passing.readers.front() + 1;
            if (isViewForCollector(passing) || first > last)
                continue;
            ++change[first];
            --change[last + 1];
        }
        std::vector<std::uint32_t> crossings(count + 1);
        std::int64_t now = 0;
        for (std::uint32_t i = 0; i <= count; ++i)
            crossings[i] = static_cast<std::uint32_t>(now += change[i]);
        return crossings;
    }

private:
    /// Returns the position at which gradients begin. The position reads a new input, comes after a result, and many
    /// values are read both before and after it. Returns the number of positions if there are no gradients.
    std::uint32_t gradientsBegin() const
    {
        const auto count = static_cast<std::uint32_t>(m_places.size());
        // By position: the number of values that are read both before the position and from it on.
        std::vector<std::int64_t> kept(count + 1, 0);
        std::uint32_t firstResult = count;
        for (const Passing &passing : m_passing) {
            if (passing.isReturned)
                firstResult = std::min(firstResult, passing.maker);
            if (!passing.readers.empty()) {
                ++kept[passing.readers.front() + 1];
                --kept[passing.readers.back() + 1];
            }
        }
        std::partial_sum(kept.begin(), kept.end(), kept.begin());
        std::uint32_t begin = count;
        for (const Passing &passing : m_passing) {
            const auto reader =
                std::ranges::find_if_not(passing.readers, [&](std::uint32_t place) { return m_places[place].isSide; });
            const std::uint32_t first = passing.maker == Passing::none && reader != passing.readers.end() ? *reader : 0;
            if (first > firstResult && kept[first] >= manyKept && kept[first] > kept[begin])
                begin = first;
        }
        return begin;
    }

    /// Returns the last position that reads a value, without the readers that do not count, see the top.
    std::uint32_t lastOf(const Passing &passing) const
    {
        const std::vector<std::uint32_t> &readers = passing.readers;
        if (readers.empty())
            return static_cast<std::uint32_t>(m_places.size());
        const std::uint32_t span = readers.back() - readers.front();
        const bool isTakenApart = readers.size() >= manyPicks && span >= farPicks
            && std::ranges::all_of(readers, [&](std::uint32_t r) { return m_places[r].role == Role::View; });
        if (isTakenApart)
            return readers.front();
        std::uint32_t last = readers.front();
        for (const std::uint32_t reader : readers)
            if (!isCollector(reader) && !m_places[reader].isSide)
                last = std::max(last, reader);
        return last;
    }

    /// Whether the maker of a value is a step beside the flow, or the flow continues with other values of its maker.
    bool isSideResult(const Passing &passing) const
    {
        if (passing.maker == Passing::none)
            return false;
        const Place &maker = m_places[passing.maker];
        return maker.isSide || (passing.readers.empty() && !maker.readers.empty());
    }

    static bool isGivenToAll(const std::vector<std::uint32_t> &readers)
    {
        return readers.size() >= manyReaders && readers.back() - readers.front() >= farReaders;
    }

    /// Whether the position is a concatenation, or a view that only a concatenation reads.
    bool isCollector(std::uint32_t place) const
    {
        const Place &p = m_places[place];
        if (p.role == Role::View && p.readers.size() == 1)
            return m_places[p.readers.front()].role == Role::Concat && m_places[p.readers.front()].sources.size() > 2;
        return p.role == Role::Concat;
    }

    /// Whether the value is a view for a concatenation, and its source has other readers, too. The value does not count
    /// then, as the source would not if the concatenation read it directly.
    bool isViewForCollector(const Passing &passing) const
    {
        if (passing.maker == Passing::none || passing.readers.size() != 1)
            return false;
        const Place &view = m_places[passing.maker];
        if (!isCollector(passing.maker) || view.role != Role::View || view.sources.size() != 1)
            return false;
        return std::ranges::any_of(m_places[view.sources.front()].readers, [&](std::uint32_t reader) {
            return !isCollector(reader) && m_places[reader].role != Role::View;
        });
    }

    const std::vector<Place> &m_places;
    std::vector<Passing> m_passing; ///< by value
};

} // namespace

std::vector<std::uint32_t> crossingsOf(const std::vector<Place> &places, std::vector<Passing> values)
{
    Crossings crossings(places, std::move(values));
    crossings.forgetKept();
    return crossings.count();
}

} // namespace cutaway::structure
