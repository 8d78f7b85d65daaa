// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/groups.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace cutaway::diff {

namespace {

/// Connected unmatched items, and the pairs around them by their items of A.
struct Component {
    std::vector<std::uint32_t> items;
    std::vector<std::uint32_t> before, behind;
    auto border() const { return std::pair(before, behind); }
};

class Components {
public:
    Components(const Matching &matching, const Subject &side)
        : m_matching(matching),
          m_side(side),
          m_skeleton(contracted(side.outline, matching.isLookedAt(side, Stage::Data))),
          m_leader(m_skeleton.items.size())
    {
        std::ranges::iota(m_leader, 0u);
    }

    std::vector<Component> find()
    {
        const auto count = static_cast<std::uint32_t>(m_skeleton.items.size());
        for (std::uint32_t i = 0; i < count; ++i)
            for (const std::uint32_t producer : m_skeleton.producers[i])
                if (isLeft(i) && isLeft(producer))
                    m_leader[leaderOf(i)] = leaderOf(producer);
        std::map<std::uint32_t, Component> byLeader;
        for (std::uint32_t i = 0; i < count; ++i)
            if (isLeft(i))
                add(byLeader[leaderOf(i)], i);
        std::vector<Component> all;
        for (auto &[leader, component] : byLeader) {
            tidy(component.before);
            tidy(component.behind);
            all.push_back(std::move(component));
        }
        return all;
    }

private:
    bool isLeft(std::uint32_t place) const { return !m_matching.isMatched(m_side, m_skeleton.items[place]); }

    std::uint32_t leaderOf(std::uint32_t place)
    {
        for (; m_leader[place] != place; place = m_leader[place])
            m_leader[place] = m_leader[m_leader[place]];
        return place;
    }

    void add(Component &component, std::uint32_t place) const
    {
        component.items.push_back(m_skeleton.items[place]);
        for (const std::uint32_t producer : m_skeleton.producers[place])
            addPair(component.before, producer);
        for (const Skeleton::Consumer &consumer : m_skeleton.consumers[place])
            addPair(component.behind, consumer.place);
    }

    void addPair(std::vector<std::uint32_t> &pairs, std::uint32_t place) const
    {
        if (isLeft(place))
            return;
        const std::uint32_t item = m_skeleton.items[place];
        pairs.push_back(&m_side == &m_matching.a() ? item : m_matching.partnerOfB(item)->item);
    }

    static void tidy(std::vector<std::uint32_t> &pairs)
    {
        std::ranges::sort(pairs);
        pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
    }

    const Matching &m_matching;
    const Subject &m_side;
    Skeleton m_skeleton;
    std::vector<std::uint32_t> m_leader;
};

void addAbsorbed(const Matching &matching, std::map<std::uint32_t, ItemGroup> &groups)
{
    const auto groupOf = [&](std::uint32_t itemA) -> ItemGroup & {
        const auto [entry, isNew] = groups.try_emplace(itemA);
        if (isNew)
            entry->second = {{itemA}, {matching.partnerOfA(itemA)->item}, "nodes folded into the one before them"};
        return entry->second;
    };
    const auto &ofA = matching.absorbedOf(matching.a()), &ofB = matching.absorbedOf(matching.b());
    for (std::uint32_t i = 0; i < ofA.size(); ++i)
        if (ofA[i])
            groupOf(*ofA[i]).a.push_back(i);
    for (std::uint32_t i = 0; i < ofB.size(); ++i)
        if (ofB[i])
            groupOf(matching.partnerOfB(*ofB[i])->item).b.push_back(i);
}

} // namespace

std::vector<ItemGroup> groupsOf(const Matching &matching)
{
    std::map<std::uint32_t, ItemGroup> groups; // by the first item of A
    addAbsorbed(matching, groups);
    std::map<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>, std::vector<Component>> ofB;
    for (Component &component : Components(matching, matching.b()).find())
        ofB[component.border()].push_back(std::move(component));
    for (Component &component : Components(matching, matching.a()).find()) {
        const auto found = ofB.find(component.border());
        if (found == ofB.end() || found->second.empty())
            continue;
        const std::uint32_t first = component.items[0];
        groups[first] = {std::move(component.items), std::move(found->second.front().items),
                         "they stand between the same nodes"};
        found->second.erase(found->second.begin());
    }
    std::vector<ItemGroup> all;
    for (auto &[first, group] : groups)
        all.push_back(std::move(group));
    return all;
}

} // namespace cutaway::diff
