// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/groups.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>

namespace cutaway::diff {

namespace {

/// Unmatched items that are connected with each other, and the pairs around them, by their items of A.
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

/// Joins items of both sides into groups.
class Joining {
public:
    explicit Joining(const Matching &matching)
        : m_matching(matching),
          m_countA(matching.a().outline.items.size()),
          m_leader(m_countA + matching.b().outline.items.size())
    {
        std::ranges::iota(m_leader, 0u);
        m_verdicts.resize(m_leader.size());
    }

    void join(const Verdict &verdict)
    {
        std::vector<std::size_t> members;
        for (const std::uint32_t item : verdict.itemsA)
            members.push_back(item);
        for (const std::uint32_t item : verdict.itemsB)
            members.push_back(m_countA + item);
        if (members.empty())
            return;
        const std::size_t leader = leaderOf(members.front());
        for (const std::size_t member : members) {
            const std::size_t other = leaderOf(member);
            if (other == leader)
                continue;
            m_leader[other] = leader;
            note(leader, m_verdicts[other]);
        }
        note(leader, verdict);
    }

    std::vector<ItemGroup> take()
    {
        std::map<std::size_t, ItemGroup> groups;
        add(groups, m_matching.a(), 0, &ItemGroup::a);
        add(groups, m_matching.b(), m_countA, &ItemGroup::b);
        std::vector<ItemGroup> all;
        for (auto &[leader, group] : groups) {
            const Verdict &verdict = m_verdicts[leader];
            group.kind = verdict.kind;
            group.largestError = verdict.largestError;
            group.allowed = verdict.allowed;
            group.reason = verdict.reason;
            all.push_back(std::move(group));
        }
        std::ranges::stable_sort(all, {}, [](const ItemGroup &group) {
            constexpr auto last = std::numeric_limits<std::uint32_t>::max();
            return group.a.empty() ? last : group.a.front();
        });
        return all;
    }

private:
    std::size_t leaderOf(std::size_t member)
    {
        for (; m_leader[member] != member; member = m_leader[member])
            m_leader[member] = m_leader[m_leader[member]];
        return member;
    }

    /// Adds a verdict to the group. The worst one counts; among equally bad ones, the one with the largest error.
    void note(std::size_t leader, const Verdict &verdict)
    {
        Verdict &worst = m_verdicts[leader];
        if (std::pair(verdict.kind, verdict.largestError) > std::pair(worst.kind, worst.largestError)) {
            worst.kind = verdict.kind;
            worst.largestError = verdict.largestError;
            worst.allowed = verdict.allowed;
            worst.reason = verdict.reason;
        }
    }

    void add(std::map<std::size_t, ItemGroup> &groups, const Subject &side, std::size_t first,
             std::vector<std::uint32_t> ItemGroup::*members)
    {
        for (std::uint32_t i = 0; i < side.outline.items.size(); ++i) {
            const Item &item = side.outline.items[i];
            const bool computes = item.role == Role::Compute || item.role == Role::Data;
            if (item.node && computes && !m_matching.isMatched(side, i) && !m_matching.absorbedOf(side)[i])
                (groups[leaderOf(first + i)].*members).push_back(i);
        }
    }

    const Matching &m_matching;
    std::size_t m_countA;
    std::vector<std::size_t> m_leader;
    std::vector<Verdict> m_verdicts; ///< by leader of a group; the verdicts' own lists of items are empty
};

bool readsUnmatched(const Matching &matching, const Subject &side, std::uint32_t item)
{
    return std::ranges::any_of(side.outline.items[item].producers,
                               [&](std::uint32_t producer) { return !matching.isMatched(side, producer); });
}

/// Whether computing a pair as a whole may decide what the verdicts leave open, because one side computes what the
/// other has as a constant. It may not refute proven differences, since the pair may hide them: an exponential is
/// rounded relative to its largest result.
bool isOpen(const std::vector<Verdict> &verdicts)
{
    const auto isOf = [](Verdict::Kind kind) { return [kind](const Verdict &each) { return each.kind == kind; }; };
    return std::ranges::any_of(verdicts, isOf(Verdict::Kind::Unknown))
        && std::ranges::none_of(verdicts, isOf(Verdict::Kind::Differs));
}

/// Replaces the verdicts on a pair's operands by that on its results, if the results are equal.
void takeWhole(std::vector<Verdict> &verdicts, Verdict whole)
{
    if (whole.kind != Verdict::Kind::Equal)
        return;
    for (const Verdict &verdict : verdicts) {
        std::ranges::copy(verdict.itemsA, std::back_inserter(whole.itemsA));
        std::ranges::copy(verdict.itemsB, std::back_inserter(whole.itemsB));
    }
    verdicts = {std::move(whole)};
}

/// Returns the operands that the function returns, by the item of the output.
std::map<std::uint32_t, const ir::Operand *> outputsOf(const Subject &side)
{
    std::map<std::uint32_t, const ir::Operand *> operands;
    const auto &outputs = side.side.graph().at(ir::Graph::body).outputs;
    const auto first = side.outline.items.size() - outputs.size();
    for (std::size_t i = 0; i < outputs.size(); ++i)
        operands.emplace(static_cast<std::uint32_t>(first + i), &outputs[i]);
    return operands;
}

} // namespace

std::vector<ItemGroup> foldedGroups(const Matching &matching)
{
    std::map<std::uint32_t, ItemGroup> groups; // by the item of A
    const auto groupOf = [&](std::uint32_t itemA) -> ItemGroup & {
        const auto [entry, isNew] = groups.try_emplace(itemA);
        if (isNew)
            entry->second = {.a = {itemA}, .b = {matching.partnerOfA(itemA)->item}};
        return entry->second;
    };
    const auto &ofA = matching.absorbedOf(matching.a()), &ofB = matching.absorbedOf(matching.b());
    for (std::uint32_t i = 0; i < ofA.size(); ++i)
        if (ofA[i])
            groupOf(*ofA[i]).a.push_back(i);
    for (std::uint32_t i = 0; i < ofB.size(); ++i)
        if (ofB[i])
            groupOf(matching.partnerOfB(*ofB[i])->item).b.push_back(i);
    std::vector<ItemGroup> all;
    for (auto &[item, group] : groups)
        all.push_back(std::move(group));
    return all;
}

std::vector<ItemGroup> groupsBetweenPairs(const Matching &matching)
{
    std::map<std::uint32_t, ItemGroup> groups; // by the first item of A
    std::map<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>, std::vector<Component>> ofB;
    for (Component &component : Components(matching, matching.b()).find())
        ofB[component.border()].push_back(std::move(component));
    for (Component &component : Components(matching, matching.a()).find()) {
        const auto found = ofB.find(component.border());
        if (found == ofB.end() || found->second.empty())
            continue;
        const std::uint32_t first = component.items[0];
        groups[first] = {.a = std::move(component.items), .b = std::move(found->second.front().items)};
        found->second.erase(found->second.begin());
    }
    std::vector<ItemGroup> all;
    for (auto &[first, group] : groups)
        all.push_back(std::move(group));
    return all;
}

namespace {

/// Returns the verdicts on the operands of the pairs, by item of A.
std::map<std::uint32_t, std::vector<Verdict>> verdictsOfReads(const Matching &matching, Checks &checks, bool isExact)
{
    const auto &itemsA = matching.a().outline.items, &itemsB = matching.b().outline.items;
    const auto outputsA = outputsOf(matching.a()), outputsB = outputsOf(matching.b());
    std::map<std::uint32_t, std::vector<Verdict>> verdicts;
    for (std::uint32_t i = 0; i < itemsA.size(); ++i) {
        const auto &partner = matching.partnerOfA(i);
        const Role role = itemsA[i].role;
        const bool isCompared = role == Role::Compute || role == Role::Data || role == Role::Output || isExact;
        if (!partner || !isCompared || role == Role::Input)
            continue;
        if (isExact && !readsUnmatched(matching, matching.a(), i)
            && !readsUnmatched(matching, matching.b(), partner->item))
            continue;
        if (itemsA[i].node && itemsB[partner->item].node)
            verdicts[i] = checks.operands(*itemsA[i].node, *itemsB[partner->item].node);
        else if (outputsA.contains(i) && outputsB.contains(partner->item))
            verdicts[i] = {checks.operand(*outputsA.at(i), *outputsB.at(partner->item))};
    }
    return verdicts;
}

} // namespace

ReadsCompared compareReads(const Matching &matching, Checks &checks, bool isExact)
{
    const auto &itemsA = matching.a().outline.items, &itemsB = matching.b().outline.items;
    const auto lastA = matching.lastItems(matching.a()), lastB = matching.lastItems(matching.b());
    Joining joining(matching);
    ReadsCompared found{.groups = {},
                        .otherReads = std::vector<std::optional<std::size_t>>(itemsA.size()),
                        .readsSame = std::vector<bool>(itemsA.size(), true),
                        .unknown = {}};
    for (auto &[i, verdicts] : verdictsOfReads(matching, checks, isExact)) {
        const std::uint32_t partner = matching.partnerOfA(i)->item;
        if (!isExact && itemsA[i].node && itemsB[partner].node && isOpen(verdicts))
            takeWhole(verdicts, checks.results(*itemsA[lastA[i]].node, *itemsB[lastB[partner]].node, {i, partner}));
        for (std::size_t k = 0; k < verdicts.size(); ++k) {
            joining.join(verdicts[k]);
            found.readsSame[i] = found.readsSame[i] && verdicts[k].holds();
            if (!verdicts[k].itemsA.empty() || !verdicts[k].itemsB.empty())
                continue;
            if (verdicts[k].kind == Verdict::Kind::Differs)
                found.otherReads[i] = k;
            else if (verdicts[k].kind == Verdict::Kind::Unknown)
                found.unknown.push_back({i, k, verdicts[k].reason});
        }
    }
    found.groups = joining.take();
    return found;
}

} // namespace cutaway::diff
