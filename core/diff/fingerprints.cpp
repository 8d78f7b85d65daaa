// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/fingerprints.h"

#include <ranges>

namespace cutaway::diff {

namespace {

class Printer {
public:
    Printer(const Skeleton &skeleton, OperandOrder order) : m_skeleton(skeleton), m_order(order) { }

    /// Returns the hash of a node and what is above it; `hash` returns that of a producer.
    Hash above(Hash own, std::uint32_t place, const auto &hash) const
    {
        std::vector<Hash> hashes;
        for (std::uint32_t i = 0; i < m_skeleton.producers[place].size(); ++i)
            hashes.push_back(placed(hash(m_skeleton.producers[place][i]), i));
        return mixedInAnyOrder(own, std::move(hashes));
    }

    /// Returns the hash of a node and what is below it; `hash` returns that of a consumer.
    Hash below(Hash own, std::uint32_t place, const auto &hash) const
    {
        std::vector<Hash> hashes;
        for (const auto &[consumer, position] : m_skeleton.consumers[place])
            hashes.push_back(placed(hash(consumer), position));
        return mixedInAnyOrder(own, std::move(hashes));
    }

private:
    Hash placed(Hash hash, std::uint32_t position) const
    {
        return m_order == OperandOrder::Counts ? mixed(hash, position) : hash;
    }

    const Skeleton &m_skeleton;
    OperandOrder m_order;
};

} // namespace

std::vector<Fingerprint> fingerprints(const Skeleton &skeleton, const std::vector<Hash> &labels,
                                      const std::vector<bool> &isFixed, OperandOrder order)
{
    const Printer printer(skeleton, order);
    const auto count = static_cast<std::uint32_t>(skeleton.items.size());
    std::vector<Fingerprint> prints(count);
    const auto label = [&](std::uint32_t place) { return labels[place]; };
    const auto above = [&](std::uint32_t place) { return prints[place].above; };
    const auto below = [&](std::uint32_t place) { return prints[place].below; };
    for (std::uint32_t i = 0; i < count; ++i) {
        prints[i].above = isFixed[i] ? labels[i] : printer.above(labels[i], i, above);
        prints[i].producers = printer.above(1, i, label);
        prints[i].consumers = printer.below(2, i, label);
    }
    for (const std::uint32_t i : std::views::iota(0u, count) | std::views::reverse)
        prints[i].below = isFixed[i] ? labels[i] : printer.below(labels[i], i, below);
    return prints;
}

} // namespace cutaway::diff
