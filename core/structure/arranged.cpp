// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A chain of parts is a text of tokens, and blocks are found in it three times:
// 1. Parts of the chain without a skip that compute with the same weights as parts with one (the blocks of a MobileNet
// that change the width) are units like those.
// 2. Tandem repeats of any period (repeats.cpp) are runs of units.
// 3. A part left beside repeats that is nearly like a unit is one as well: a block with one step more.
//
// Then stages begin at units and other steps that change the resolution. No border depends on the number of parts, so a
// change at one end of a model moves no border at the other.

#include "core/structure/repeats.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <span>

namespace cutaway::structure {

namespace {

constexpr std::uint32_t smallestStage = 4;   ///< the least number of positions of a stage without units
constexpr std::uint32_t smallestStaged = 24; ///< the fewest positions of a part with stages: a strided block has none
constexpr std::size_t mostPatterns = 8;      ///< limit of the repeating blocks that are searched for without skips
constexpr std::size_t mostModels = 16;       ///< limit of the units that a unit is compared with
constexpr std::size_t fewTransitions = 24;   ///< limit of positions between two stages, which belong to the second

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
    const Part &at(std::uint32_t part) const { return m_parts[part]; }
    Role lastRole(const Part &part) const { return m_flow.places[part.end - 1].role; }
    /// Whether the part joins its input with the result of weights applied to it.
    bool isResidual(const Part &part) const
    {
        return part.form != Part::Form::Step && !part.weighted.empty() && lastRole(part) == Role::Add;
    }
    bool isLoose(const Part &part) const { return part.form == Part::Form::Step || part.weighted.empty(); }

    std::uint32_t sizeOf(const Chain &chain, std::size_t begin, std::size_t end) const
    {
        return at(chain[end - 1]).end - at(chain[begin]).begin;
    }

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
        // For each pattern, the number of its parts and the token of the last one.
        std::map<std::vector<Role>, std::pair<std::size_t, std::size_t>> patterns;
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

    /// Returns the number of loose parts from `begin` on that compute with exactly these weights, together with the
    /// activations, normalizations and small groups after them; 0 if they compute with others.
    std::size_t matchOf(const Chain &chain, std::size_t begin, const std::vector<Role> &roles) const
    {
        if (at(chain[begin]).weighted.empty())
            return 0;
        std::size_t next = 0, i = begin;
        for (; i < chain.size() && isLoose(at(chain[i])); ++i) {
            const Part &part = at(chain[i]);
            const Role role = roleOf(m_flow, part);
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
        const Role role = roleOf(m_flow, part);
        return role == Role::Norm || role == Role::Activation || (part.form != Part::Form::Step && part.size() <= 3);
    }

    // ---- 2 (the repeats are found in repeats.cpp)

    /// The properties of a unit that other parts are compared with.
    struct Model {
        std::vector<Role> weighted;
        std::size_t first = 0; ///< the token of the unit's first part
        std::uint32_t size = 0;
        auto operator<=>(const Model &) const = default;
    };

    Model modelOf(std::span<const std::uint32_t> unit) const
    {
        return {weightedOf(m_parts, Chain(unit.begin(), unit.end())), at(unit.front()).token,
                at(unit.back()).end - at(unit.front()).begin};
    }

    Chain withRuns(const Chain &chain)
    {
        const std::vector<std::optional<Repeat>> begins = repeatsIn(m_flow, m_parts, chain);
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

    /// Makes units of variants of units. A variant begins like a unit, or with another fork, and ends where the next
    /// unit may begin; it has to compute like a unit.
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
        const bool isFork = first.isBlock() && first.form != Part::Form::Unit && first.token != unit.first;
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
        // Two rows of the table for the longest common subsequence.
        std::vector<std::size_t> above(b.size() + 1, 0), row(b.size() + 1, 0);
        for (const Role role : a) {
            for (std::size_t j = 0; j < b.size(); ++j)
                row[j + 1] = role == b[j] ? above[j] + 1 : std::max(above[j + 1], row[j]);
            std::swap(above, row);
        }
        return 10 * above.back() >= 7 * std::max(a.size(), b.size()) && above.back() >= 2;
    }

    /// Joins consecutive units that are alike into one run.
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

    /// Splits repetitions into units, so that a stage may begin at any of them.
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
            const bool endsStem = roleOf(m_flow, part) == Role::Pool && i + 1 < items.size() && isUnit(items[i + 1])
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

    /// Returns the border, moved back to the end of the unit before it: the parts between a unit and the change after
    /// it belong to the change. The border stays if there is no unit before it.
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

    /// Appends a stage of these items to `out`, or the items one by one if they are no stage. Returns the stage.
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
