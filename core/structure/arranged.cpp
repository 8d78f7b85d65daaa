// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A chain of parts is a text of tokens. Blocks are found in it three times:
//  1. What stands in the chain without a skip, but computes with the same weights as parts with one (the blocks of a
//     MobileNet that change the width), is a unit like them.
//  2. Tandem repeats of any period, those of three units or more first, and short ones before long ones. Where a repeat
//     may begin at several places, a block begins where the resolution changes, else at its fork, else at what joins
//     the values of those before, else at what it computes with weights, else at a normalization.
//  3. What is left beside repeats and is nearly like a unit, is one: a block with a step more.
// Then units whose resolution changes begin a stage, and other such steps do. No border depends on how many parts
// there are, so a change at one end of a model moves none at the other.

#include "core/structure/parts.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <span>

namespace cutaway::structure {

namespace {

constexpr std::size_t shortChain = 256; ///< all periods are tried
constexpr std::size_t shortPeriod = 24; ///< these are tried in all chains
constexpr std::size_t mostPeriods = 16; ///< of longer ones, in a long chain
constexpr std::uint32_t smallUnit = 5;  ///< places: of smaller units there must be three, of two places four
constexpr std::uint32_t smallestUnit = 2;
constexpr std::uint32_t smallestPlain = 5;   ///< of a unit without weights
constexpr std::uint32_t smallestStage = 4;   ///< of one without units
constexpr std::uint32_t smallestStaged = 24; ///< of what has stages: a block that makes its data smaller has none
constexpr std::size_t mostPatterns = 8;      ///< of blocks that are looked for in what has no skips
constexpr std::size_t mostModels = 16;       ///< of units that others are compared with
constexpr std::size_t fewTransitions = 24;   ///< places between two stages that belong to the second one

using Chain = std::vector<std::uint32_t>;

class Arranger {
public:
    Arranger(const Flow &flow, Parts &parts) : m_flow(flow), m_parts(parts) { }

    Chain arrange(Chain chain)
    {
        if (chain.size() < 4)
            return chain;
        return withStages(withRuns(withUnskipped(std::move(chain))));
    }

private:
    /// A part of a chain in which similar units of `period` parts follow each other (a tandem repeat).
    struct Repeat {
        std::size_t begin = 0, end = 0, period = 0;
        bool isSure = false; ///< three units or more, with weights: what is inside a unit comes before what holds it
    };

    const Part &at(std::uint32_t part) const { return m_parts[part]; }
    Role lastRole(const Part &part) const { return m_flow.places[part.end - 1].role; }
    Role roleOf(const Part &part) const
    {
        return part.form == Part::Form::Step ? m_flow.places[part.begin].role : Role::Other;
    }

    /// It joins what came in with what was made of it by weights.
    bool isResidual(const Part &part) const
    {
        return part.form != Part::Form::Step && !part.weighted.empty() && lastRole(part) == Role::Add;
    }
    bool isBlock(const Part &part) const
    {
        return part.form != Part::Form::Step && part.form != Part::Form::Stage && !part.weighted.empty();
    }
    bool isLoose(const Part &part) const { return part.form == Part::Form::Step || part.weighted.empty(); }

    std::uint32_t unitOf(std::span<const std::uint32_t> chain, std::size_t token)
    {
        Part unit{.form = Part::Form::Unit,
                  .begin = at(chain.front()).begin,
                  .end = at(chain.back()).end,
                  .token = token,
                  .children = Chain(chain.begin(), chain.end())};
        unit.weighted = weightedOf(m_parts, unit.children);
        return add(std::move(unit));
    }

    std::uint32_t add(Part part)
    {
        m_parts.push_back(std::move(part));
        return static_cast<std::uint32_t>(m_parts.size()) - 1;
    }

    // ---- 1

    Chain withUnskipped(Chain chain)
    {
        std::map<std::vector<Role>, std::pair<std::size_t, std::size_t>> patterns; // times, token
        for (const std::uint32_t part : chain)
            if (isResidual(at(part)) && at(part).weighted.size() > 1) {
                auto &[times, token] = patterns[at(part).weighted];
                ++times;
                token = at(part).token;
            }
        if (patterns.empty())
            return chain;
        std::vector<std::pair<std::vector<Role>, std::pair<std::size_t, std::size_t>>> known(patterns.begin(),
                                                                                             patterns.end());
        std::ranges::stable_sort(known, std::ranges::greater(), [](const auto &entry) { return entry.second.first; });
        known.resize(std::min(known.size(), mostPatterns));
        std::ranges::stable_sort(known, std::ranges::greater(), [](const auto &entry) { return entry.first.size(); });
        Chain made;
        for (std::size_t i = 0; i < chain.size();) {
            std::size_t length = 0, token = 0;
            for (const auto &[roles, entry] : known) {
                token = entry.second;
                length = matchOf(chain, i, roles);
                if (length > 0)
                    break;
            }
            if (length == 0) {
                made.push_back(chain[i++]);
                continue;
            }
            made.push_back(unitOf(std::span(chain).subspan(i, length), token));
            i += length;
        }
        return made;
    }

    /// How many loose parts from `begin` on compute with just these weights, and what follows up to the next ones.
    std::size_t matchOf(const Chain &chain, std::size_t begin, const std::vector<Role> &roles) const
    {
        if (at(chain[begin]).weighted.empty())
            return 0;
        std::size_t next = 0, i = begin;
        for (; i < chain.size() && isLoose(at(chain[i])); ++i) {
            const Part &part = at(chain[i]);
            const Role role = roleOf(part);
            if (!part.weighted.empty()) {
                if (next == roles.size())
                    break;
                if (part.weighted.front() != roles[next])
                    return 0;
                ++next;
            } else if (next == roles.size() && !isTrailing(part)) {
                break;
            } else if (role == Role::Pool || role == Role::GlobalPool || role == Role::Concat) {
                return 0;
            }
        }
        return next == roles.size() ? i - begin : 0;
    }

    bool isTrailing(const Part &part) const
    {
        const Role role = roleOf(part);
        return role == Role::Norm || role == Role::Activation || (part.form != Part::Form::Step && part.size() <= 3);
    }

    // ---- 2

    Chain withRuns(const Chain &chain)
    {
        std::vector<Repeat> repeats;
        for (const std::size_t period : periodsOf(chain))
            findRepeats(chain, period, repeats);
        std::ranges::stable_sort(repeats, {}, &Repeat::period);
        std::vector<std::optional<Repeat>> begins(chain.size()); // by part: the repeat that begins there
        std::vector<bool> taken(chain.size());
        for (const bool isSure : {true, false})
            for (const Repeat &repeat : repeats)
                take(chain, repeat, isSure, begins, taken);
        return made(chain, begins);
    }

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

    /// The period after which parts with equal tokens are the same operator by operator, where they repeat so. A block
    /// of two such parts is not two blocks.
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
        const auto share = [&](std::size_t period) { // of parts that are the same a period later
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

    /// Begun where a block begins, and ended with a whole one; nothing if it is too small.
    std::optional<Repeat> fitted(const Chain &chain, Repeat repeat) const
    {
        const std::size_t period = repeat.period, length = repeat.end - repeat.begin;
        if (length < 2 * period)
            return std::nullopt;
        const std::size_t spare = length % period;
        std::size_t best = 0;
        // A unit less is a small price for a block that begins at its fork.
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

    /// Whether its unit is a smaller one several times, which then is too small to be one.
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

    /// How well the blocks of a repeat begin with the part at a position, which is like the one a period later.
    int beginningOf(const Chain &chain, const Repeat &repeat, std::size_t position) const
    {
        const Part &part = at(chain[repeat.begin + position]);
        const Part &next = at(chain[repeat.begin + position + repeat.period]);
        if (part.form == Part::Form::Step && next.form == Part::Form::Step && m_flow.places[part.begin].scale != 0
            && m_flow.places[next.begin].scale != 0)
            return 5;
        if (isBlock(part) && part.isSkipped)
            return 4;
        if (roleOf(part) == Role::Concat)
            return 3; // of what blocks before have made
        if (!part.weighted.empty())
            return 2;
        return roleOf(part) == Role::Norm ? 1 : 0;
    }

    /// Takes what of a repeat no better one has.
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

    /// The properties of a unit that other parts are compared with.
    struct Model {
        std::vector<Role> weighted;
        std::size_t first = 0; ///< the token of its first part
        std::uint32_t size = 0;
        auto operator<=>(const Model &) const = default;
    };

    Model modelOf(std::span<const std::uint32_t> unit) const
    {
        return {weightedOf(m_parts, Chain(unit.begin(), unit.end())), at(unit.front()).token,
                at(unit.back()).end - at(unit.front()).begin};
    }

    Chain made(const Chain &chain, const std::vector<std::optional<Repeat>> &begins)
    {
        std::vector<Model> units;
        for (const auto &repeat : begins)
            if (repeat)
                units.push_back(modelOf(std::span(chain).subspan(repeat->begin, repeat->period)));
        std::ranges::sort(units);
        const auto [first, last] = std::ranges::unique(units);
        units.erase(first, last);
        std::ranges::stable_sort(units, std::ranges::greater(), &Model::size);
        units.resize(std::min(units.size(), mostModels));
        Chain out;
        Chain left;
        const auto flush = [&] {
            const Chain variants = withVariants(left, units);
            out.insert(out.end(), variants.begin(), variants.end());
            left.clear();
        };
        for (std::size_t i = 0; i < chain.size();) {
            if (!begins[i]) {
                left.push_back(chain[i++]);
                continue;
            }
            flush();
            for (const Repeat &repeat = *begins[i]; i < repeat.end; i += repeat.period)
                out.push_back(asUnit(std::span(chain).subspan(i, repeat.period)));
        }
        flush();
        return joined(out);
    }

    std::uint32_t asUnit(std::span<const std::uint32_t> chain)
    {
        if (chain.size() == 1 && at(chain.front()).form == Part::Form::Unit)
            return chain.front();
        std::size_t token = 0;
        for (const std::uint32_t part : chain)
            boost::hash_combine(token, at(part).token);
        return unitOf(chain, token);
    }

    // ---- 3

    /// Makes units of variants. A variant begins as a unit does and ends where the next unit may begin, or begins with
    /// another fork; it has to compute alike.
    Chain withVariants(const Chain &chain, const std::vector<Model> &units)
    {
        Chain out;
        for (std::size_t i = 0; i < chain.size();) {
            std::size_t length = 0;
            for (const Model &unit : units)
                length = length > 0 ? length : lengthOfVariant(chain, i, unit);
            if (length == 0) {
                out.push_back(chain[i++]);
                continue;
            }
            out.push_back(asUnit(std::span(chain).subspan(i, length)));
            i += length;
        }
        return out;
    }

    std::size_t lengthOfVariant(const Chain &chain, std::size_t begin, const Model &unit) const
    {
        const Part &first = at(chain[begin]);
        const bool isFork = isBlock(first) && first.form != Part::Form::Unit && first.token != unit.first;
        if (!isFork && first.token != unit.first)
            return 0;
        std::size_t end = begin + 1;
        while (end < chain.size() && at(chain[end]).token != unit.first
               && (isFork ? isTrailing(at(chain[end])) && at(chain[end]).weighted.empty()
                          : sizeOf(chain, begin, end + 1) <= 2 * unit.size))
            ++end;
        const std::uint32_t size = sizeOf(chain, begin, end);
        if (!isFork && (3 * size < 2 * unit.size || 2 * size > 3 * unit.size))
            return 0;
        const std::vector<Role> weighted = weightedOf(m_parts,
                                                      Chain(chain.begin() + static_cast<std::ptrdiff_t>(begin),
                                                            chain.begin() + static_cast<std::ptrdiff_t>(end)));
        return weighted == unit.weighted || areAlike(weighted, unit.weighted) ? end - begin : 0;
    }

    static bool areAlike(const std::vector<Role> &a, const std::vector<Role> &b)
    {
        std::vector<std::size_t> above(b.size() + 1, 0), row(b.size() + 1, 0); // longest common subsequence
        for (const Role role : a) {
            for (std::size_t j = 0; j < b.size(); ++j)
                row[j + 1] = role == b[j] ? above[j] + 1 : std::max(above[j + 1], row[j]);
            std::swap(above, row);
        }
        return 10 * above.back() >= 7 * std::max(a.size(), b.size()) && above.back() >= 2;
    }

    /// Units one after the other that are alike, as one run.
    Chain joined(const Chain &chain)
    {
        Chain out;
        for (std::size_t i = 0; i < chain.size();) {
            std::size_t end = i + 1;
            while (end < chain.size() && isUnit(chain[i]) && isUnit(chain[end])
                   && (at(chain[end]).token == at(chain[end - 1]).token
                       || areAlike(at(chain[end - 1]).weighted, at(chain[end]).weighted)))
                ++end;
            if (end - i < 2) {
                out.push_back(chain[i++]);
                continue;
            }
            out.push_back(runOf(std::span(chain).subspan(i, end - i)));
            i = end;
        }
        return out;
    }

    bool isUnit(std::uint32_t part) const { return at(part).form == Part::Form::Unit; }

    std::uint32_t runOf(std::span<const std::uint32_t> units)
    {
        const std::uint32_t run = unitOf(units, at(units.front()).token);
        m_parts[run].form = Part::Form::Run;
        return run;
    }

    // ---- stages

    bool changes(const Part &part, int direction) const
    {
        return std::any_of(m_flow.places.begin() + part.begin, m_flow.places.begin() + part.end,
                           [&](const Place &place) { return place.scale == direction; });
    }

    /// Units singly, so that a stage may begin at any of them.
    Chain spread(const Chain &chain) const
    {
        Chain out;
        for (const std::uint32_t part : chain)
            if (at(part).form == Part::Form::Run)
                out.insert(out.end(), at(part).children.begin(), at(part).children.end());
            else
                out.push_back(part);
        return out;
    }

    Chain withStages(const Chain &chain)
    {
        const Chain items = spread(chain);
        std::vector<std::size_t> borders = bordersIn(items);
        if (borders.empty() || sizeOf(chain, 0, chain.size()) < smallestStaged)
            return chain;
        borders.push_back(items.size());
        Chain out, stages;
        std::size_t begin = 0;
        for (const std::size_t end : borders) {
            if (const auto stage = putStage(std::span(items).subspan(begin, end - begin), begin == 0, out))
                stages.push_back(*stage);
            begin = end;
        }
        if (stages.size() < 2)
            return chain;
        for (const std::uint32_t stage : stages)
            m_parts[stage].isStage = true;
        return out;
    }

    std::vector<std::size_t> bordersIn(const Chain &items) const
    {
        std::vector<std::size_t> borders;
        for (std::size_t i = 1; i < items.size(); ++i) {
            const Part &part = at(items[i]);
            const bool isChange = changes(part, 1) || changes(part, -1);
            const bool isAnotherRun = isUnit(items[i]) && !isUnit(items[i - 1]) && hasUnitBefore(items, i);
            if (!isChange && !isAnotherRun)
                continue;
            std::size_t border = i;
            const bool endsStem = roleOf(part) == Role::Pool && i + 1 < items.size() && isUnit(items[i + 1])
                && std::none_of(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(i),
                                [&](std::uint32_t before) { return isUnit(before); });
            if (endsStem)
                border = i + 1;
            else
                border = movedBack(items, i);
            if (border > 0 && (borders.empty() || borders.back() < border))
                borders.push_back(border);
        }
        return borders;
    }

    bool hasUnitBefore(const Chain &items, std::size_t i) const { return movedBack(items, i) < i; }

    /// The border, moved back to the end of the unit before it: the parts between a unit and the change after it belong
    /// to the change. The border stays where it is if such a unit is not found.
    std::size_t movedBack(const Chain &items, std::size_t border) const
    {
        std::size_t i = border;
        std::uint32_t places = 0;
        while (i > 0 && !isUnit(items[i - 1]) && places < fewTransitions) {
            --i;
            places += at(items[i]).size();
            if (changes(at(items[i]), 1) || changes(at(items[i]), -1))
                return border;
        }
        return i > 0 && isUnit(items[i - 1]) ? i : border;
    }

    /// Puts a stage at the end of `out`, or singly what is none. Returns the stage.
    std::optional<std::uint32_t> putStage(std::span<const std::uint32_t> items, bool isFirst, Chain &out)
    {
        if (items.empty())
            return std::nullopt;
        std::size_t end = items.size();
        const bool hasUnits = std::ranges::any_of(items, [&](std::uint32_t part) { return isUnit(part); });
        while (hasUnits && !isUnit(items[end - 1]))
            --end;
        std::size_t begin = 0;
        while (hasUnits && isFirst && !isUnit(items[begin]))
            ++begin;
        Chain inside = joined(Chain(items.begin() + static_cast<std::ptrdiff_t>(begin),
                                    items.begin() + static_cast<std::ptrdiff_t>(end)));
        out.insert(out.end(), items.begin(), items.begin() + static_cast<std::ptrdiff_t>(begin));
        const std::uint32_t size = at(inside.back()).end - at(inside.front()).begin;
        std::optional<std::uint32_t> stage;
        if (inside.size() == 1) {
            stage = inside.front();
        } else if (size >= smallestStage) {
            stage = unitOf(inside, 0);
            m_parts[*stage].form = Part::Form::Stage;
        }
        if (stage)
            out.push_back(*stage);
        else
            out.insert(out.end(), inside.begin(), inside.end());
        out.insert(out.end(), items.begin() + static_cast<std::ptrdiff_t>(end), items.end());
        return stage;
    }

    const Flow &m_flow;
    Parts &m_parts;
};

} // namespace

Chain arranged(const Flow &flow, Parts &parts, Chain chain) { return Arranger(flow, parts).arrange(std::move(chain)); }

} // namespace cutaway::structure
