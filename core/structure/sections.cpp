// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/structure/sections.h"

#include "core/structure/names.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <functional>
#include <iterator>
#include <optional>
#include <tuple>

namespace cutaway::structure {

namespace {

constexpr std::size_t mostSteps = 48; ///< limit of the steps side by side in one region
constexpr std::size_t leastOfSection = 12, mostOfSection = 32;

/// A region or a step, directly in a region.
struct Item {
    std::optional<std::uint32_t> region;
    std::uint32_t begin = 0, end = 0;
    std::vector<Item> inside{}; ///< the items that a section holds
};

class Sections {
public:
    Sections(const ir::Context &context, const Flow &flow, std::vector<Region> regions)
        : m_context(context),
          m_flow(flow),
          m_regions(std::move(regions))
    {
    }

    std::vector<Region> divide()
    {
        std::vector<std::vector<std::uint32_t>> children(m_regions.size());
        for (std::uint32_t i = 1; i < m_regions.size(); ++i)
            children[m_regions[i].parent].push_back(i);
        std::vector<Region> out;
        const std::function<void(const Item &, std::uint32_t)> write = [&](const Item &item, std::uint32_t parent) {
            if (!item.region && item.inside.empty())
                return;
            const auto index = static_cast<std::uint32_t>(out.size());
            out.push_back(item.region ? std::move(m_regions[*item.region]) : sectionOf(item));
            out.back().parent = parent;
            const std::vector<Item> inside =
                item.region ? divided(itemsOf(out.back(), children[*item.region])) : item.inside;
            for (const Item &each : inside)
                write(each, index);
        };
        write({0, 0, m_flow.stepCount(), {}}, 0);
        return out;
    }

private:
    Region sectionOf(const Item &item) const
    {
        const std::uint32_t begin = placeAt(item.begin), end = placeAt(item.end);
        return {.form = Section{},
                .name = begin < end ? nameOf(m_context, m_flow.places, contentOf(m_flow.places, begin, end), begin, {})
                                    : "plumbing",
                .parent = 0,
                .begin = item.begin,
                .end = item.end};
    }

    std::vector<Item> itemsOf(const Region &region, const std::vector<std::uint32_t> &children) const
    {
        std::vector<Item> items;
        std::uint32_t next = region.begin;
        const auto steps = [&](std::uint32_t end) {
            for (std::uint32_t place = placeAt(next); next < end; ++place) {
                const std::uint32_t last = std::min(end, m_flow.beginOf(place + 1));
                items.push_back({std::nullopt, next, last, {}});
                next = last;
            }
        };
        for (const std::uint32_t child : children) {
            steps(m_regions[child].begin);
            items.push_back({child, m_regions[child].begin, m_regions[child].end, {}});
            next = m_regions[child].end;
        }
        steps(region.end);
        return items;
    }

    /// Returns the position of the step at an index of the order, or the one that the step only prepares for.
    std::uint32_t placeAt(std::uint32_t step) const
    {
        if (step >= m_flow.stepCount())
            return static_cast<std::uint32_t>(m_flow.places.size());
        return static_cast<std::uint32_t>(std::ranges::upper_bound(m_flow.begins, step) - m_flow.begins.begin()) - 1;
    }

    /// Cuts the items where the fewest values pass. Between equals the contents decide, not the number of items, so
    /// that a change moves no cut that is far from it.
    std::vector<Item> divided(std::vector<Item> items) const
    {
        while (items.size() > mostSteps) {
            std::vector<Item> sections;
            for (std::size_t begin = 0; begin < items.size();) {
                std::size_t end = std::min(begin + mostOfSection, items.size());
                if (end < items.size())
                    for (std::size_t i = begin + leastOfSection; i < end; ++i)
                        end = costOf(items[i]) < costOf(items[end]) ? i : end;
                Item section{std::nullopt, items[begin].begin, items[end - 1].end, {}};
                std::move(items.begin() + static_cast<std::ptrdiff_t>(begin),
                          items.begin() + static_cast<std::ptrdiff_t>(end), std::back_inserter(section.inside));
                sections.push_back(std::move(section));
                begin = end;
            }
            items = std::move(sections);
        }
        return items;
    }

    /// Returns the cost of a cut before the item; the cut with the least cost is the best one.
    std::tuple<std::uint32_t, bool, std::size_t> costOf(const Item &item) const
    {
        const std::uint32_t place = placeAt(item.begin);
        std::size_t content = 0;
        for (std::uint32_t i = place; i < std::min<std::size_t>(place + 3, m_flow.places.size()); ++i)
            boost::hash_combine(content, m_flow.places[i].token);
        return {m_flow.crossings[place], !isWeighted(m_flow.places[place].role), content};
    }

    const ir::Context &m_context;
    const Flow &m_flow;
    std::vector<Region> m_regions;
};

} // namespace

std::vector<Region> withSections(const ir::Context &context, const Flow &flow, std::vector<Region> regions)
{
    return Sections(context, flow, std::move(regions)).divide();
}

} // namespace cutaway::structure
