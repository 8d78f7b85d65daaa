// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/folded.h"

#include "core/ops/tensor/arithmetic.h"

namespace cutaway::diff {

namespace {

/// Finds the only reader of an item on one side, also through views.
class Readers {
public:
    Readers(const Matching &matching, Subject &side)
        : m_side(side),
          m_skeleton(contracted(side.outline, matching.isLookedAt(side, Stage::Data))),
          m_places(side.outline.items.size())
    {
        for (std::uint32_t i = 0; i < m_skeleton.items.size(); ++i)
            m_places[m_skeleton.items[i]] = i;
    }

    /// Returns the item's only reader, if the item is all that the reader reads.
    std::optional<std::uint32_t> onlyReader(std::uint32_t item) const
    {
        const auto &readers = m_skeleton.consumers[m_places[item]];
        if (readers.size() != 1 || m_skeleton.producers[readers[0].place].size() != 1)
            return {};
        return m_skeleton.items[readers[0].place];
    }

    const Item &at(std::uint32_t item) const { return m_side.outline.items[item]; }

    ops::Category category(std::uint32_t item) const
    {
        return at(item).node ? ops::categoryOf(*at(item).node) : ops::Category::Unknown;
    }

    bool addsBias(std::uint32_t item) const
    {
        if (!at(item).node || at(item).weights.size() != 1)
            return false;
        return ops::kindOf(*at(item).node) == ops::kind::add
            && m_side.side.model.at(at(item).weights[0]).shape.size() <= 1;
    }

    std::optional<Hash> content(std::uint32_t item)
    {
        const auto weight = mainWeight(m_side.side.model, at(item));
        return weight ? m_side.labeller.weights().content(*weight) : std::nullopt;
    }

    Subject &side() const { return m_side; }

private:
    Subject &m_side;
    Skeleton m_skeleton;
    std::vector<std::uint32_t> m_places; ///< by item: its position in the skeleton
};

/// Returns the reader of `item` that is folded into `other`, the partner of `item`.
std::optional<std::uint32_t> foldedBehind(Readers &side, std::uint32_t item, Readers &otherSide, std::uint32_t other)
{
    const auto reader = side.onlyReader(item), otherReader = otherSide.onlyReader(other);
    if (!reader)
        return {};
    const bool otherHasMore = otherSide.at(other).weights.size() > side.at(item).weights.size();
    if (otherHasMore && side.category(item) == ops::Category::MatrixProduct && side.addsBias(*reader)
        && !(otherReader && otherSide.addsBias(*otherReader)))
        return reader;
    const auto isNorm = [](const Readers &readers, std::optional<std::uint32_t> of) {
        return of && readers.category(*of) == ops::Category::Normalization;
    };
    const bool wasFolded = otherHasMore || side.content(item) != otherSide.content(other);
    if (wasFolded && side.category(item) == ops::Category::Convolution && isNorm(side, reader)
        && !isNorm(otherSide, otherReader))
        return reader;
    return {};
}

} // namespace

void absorbFolded(Matching &matching)
{
    Readers a(matching, matching.a()), b(matching, matching.b());
    for (std::uint32_t i = 0; i < matching.a().outline.items.size(); ++i) {
        const auto &partner = matching.partnerOfA(i);
        if (!partner || a.at(i).role != Role::Compute)
            continue;
        if (const auto folded = foldedBehind(a, i, b, partner->item); folded && !matching.partnerOfA(*folded))
            matching.absorb(a.side(), *folded, i);
        if (const auto folded = foldedBehind(b, partner->item, a, i); folded && !matching.partnerOfB(*folded))
            matching.absorb(b.side(), *folded, partner->item);
    }
}

} // namespace cutaway::diff
