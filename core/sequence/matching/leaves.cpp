// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/matching/leaves.h"

#include <algorithm>
#include <string>

namespace cutaway::sequence {

namespace {

/// Returns a form that all names of one weight share: "p_layers_0_weight" and "layers.0.weight" name the same one.
std::string plainName(std::string_view name)
{
    std::string plain(name);
    std::ranges::replace(plain, '.', '_');
    return plain;
}

/// Whether the plain name `whole` ends with the name `part`.
bool endsWithName(std::string_view whole, std::string_view part)
{
    return whole.ends_with(part) && (whole.size() == part.size() || whole[whole.size() - part.size() - 1] == '_');
}

/// Whether two plain names may be those of one weight.
bool isOneWeight(std::string_view x, std::string_view y)
{
    return !x.empty() && !y.empty() && (endsWithName(x, y) || endsWithName(y, x));
}

/// Returns the positions of leaves in the order in which nodes read them.
std::vector<std::size_t> leavesByUse(std::span<const Leaf> leaves)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < leaves.size(); ++i)
        if (leaves[i].read)
            order.push_back(i);
    std::ranges::sort(order, {}, [&](std::size_t i) { return leaves[i].read; });
    return order;
}

/// Finds for each leaf of `b` the leaf of `a` that it corresponds to.
class LeafMatching {
public:
    LeafMatching(std::span<const Leaf> a, std::span<const Leaf> b)
        : m_a(a),
          m_b(b),
          m_isTaken(a.size()),
          m_found(b.size())
    {
    }

    std::vector<std::size_t> run(Pairing pairing)
    {
        pairAll([&](std::size_t k, std::size_t i) { return m_a[k].name == m_b[i].name; });
        const auto targetsA = targetsOf(m_a), targetsB = targetsOf(m_b);
        pairAll(
            [&](std::size_t k, std::size_t i) { return isOneWeight(targetsA[k], targetsB[i]) && isLike(k, i, true); });
        if (pairing == Pairing::ByPosition && m_a.size() == m_b.size())
            pairAll([&](std::size_t k, std::size_t i) { return k == i && isLike(k, i, false); });
        pairInOrder(leavesByUse(m_a), leavesByUse(m_b));
        pairAll([&](std::size_t k, std::size_t i) { return isLike(k, i, false); });
        std::vector<std::size_t> positions;
        for (std::size_t i = 0; i < m_found.size(); ++i)
            positions.push_back(m_found[i].value_or(m_a.size() + i));
        return positions;
    }

private:
    static std::vector<std::string> targetsOf(std::span<const Leaf> leaves)
    {
        std::vector<std::string> targets;
        for (const Leaf &leaf : leaves)
            targets.push_back(plainName(leaf.target.empty() ? leaf.name : leaf.target));
        return targets;
    }

    /// Whether leaf `k` of A and leaf `i` of B have the same type. `orUnknown`: it is enough that one of the types is
    /// not known.
    bool isLike(std::size_t k, std::size_t i, bool orUnknown) const
    {
        const bool isUnknown = !m_a[k].isKnown || !m_b[i].isKnown;
        return (orUnknown && isUnknown) || m_a[k].fact == m_b[i].fact;
    }

    void pair(std::size_t k, std::size_t i)
    {
        m_found[i] = k;
        m_isTaken[k] = true;
    }

    template <class IsPair>
    void pairAll(const IsPair &isPair)
    {
        for (std::size_t i = 0; i < m_found.size(); ++i)
            for (std::size_t k = 0; k < m_isTaken.size() && !m_found[i]; ++k)
                if (!m_isTaken[k] && isPair(k, i))
                    pair(k, i);
    }

    void pairInOrder(const std::vector<std::size_t> &orderA, const std::vector<std::size_t> &orderB)
    {
        for (const std::size_t i : orderB)
            for (const std::size_t k : orderA)
                if (!m_found[i] && !m_isTaken[k] && isLike(k, i, false))
                    pair(k, i);
    }

    std::span<const Leaf> m_a, m_b;
    std::vector<bool> m_isTaken;
    std::vector<std::optional<std::size_t>> m_found;
};

} // namespace

std::vector<std::size_t> pairedLeaves(std::span<const Leaf> a, std::span<const Leaf> b, Pairing pairing)
{
    return LeafMatching(a, b).run(pairing);
}

} // namespace cutaway::sequence
