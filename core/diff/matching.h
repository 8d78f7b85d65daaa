// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/labels.h"
#include "core/diff/skeleton.h"

namespace cutaway::diff {

/// A compared function with its outline and hashes.
struct Subject {
    Subject(const Side &given, const Options &options);

    const Side &side;
    Outline outline;
    Labeller labeller;
    std::vector<Hash> paths, names; ///< by item; 0 for an item without a path or name, and where names are not used
};

/// An item's partner, and the reason for the match.
struct Match {
    std::uint32_t item = 0;
    Reason reason = Reason::Surroundings;
    double score = 1;
};

/// The pairs of items of A and B.
class Matching {
public:
    Matching(Subject &a, Subject &b);

    /// Matches the items of a stage in addition to the pairs there are.
    void run(Stage stage);
    /// Matches items that are equal including everything above them, or everything below them. Compares node for node.
    void runStrictly();
    void pair(std::uint32_t a, std::uint32_t b, Reason reason, double score);
    void separate(std::uint32_t a); ///< separates an item of A from its partner

    const std::optional<Match> &partnerOfA(std::uint32_t item) const { return m_ofA[item]; }
    const std::optional<Match> &partnerOfB(std::uint32_t item) const { return m_ofB[item]; }
    bool isMatched(const Subject &side, std::uint32_t item) const { return of(side)[item].has_value(); }

    /// Removes an item from later stages: it belongs to another item of its side, which has a partner.
    void absorb(const Subject &side, std::uint32_t item, std::uint32_t into);
    const std::vector<std::optional<std::uint32_t>> &absorbedOf(const Subject &side) const
    {
        return &side == &m_a ? m_absorbedA : m_absorbedB;
    }

    /// Returns, by item of a side, the last item that it absorbed, whose results are its results, or the item itself.
    std::vector<std::uint32_t> lastItems(const Subject &side) const;

    /// Returns, by item, whether a stage compares the item.
    std::vector<bool> isLookedAt(const Subject &side, Stage stage) const;

    Subject &a() const { return m_a; }
    Subject &b() const { return m_b; }

private:
    const std::vector<std::optional<Match>> &of(const Subject &side) const { return &side == &m_a ? m_ofA : m_ofB; }

    Subject &m_a, &m_b;
    std::vector<std::optional<Match>> m_ofA, m_ofB;
    std::vector<std::optional<std::uint32_t>> m_absorbedA, m_absorbedB;
};

} // namespace cutaway::diff
