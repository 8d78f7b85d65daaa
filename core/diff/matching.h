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
    std::vector<Hash> paths, names; ///< by item; 0 if it has none or names are not used
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
    /// Matches, node for node, items that are equal including everything above them, or everything below.
    void runStrictly();
    void pair(std::uint32_t a, std::uint32_t b, Reason reason, double score);
    void separate(std::uint32_t a); ///< an item of A and its partner

    const std::optional<Match> &partnerOfA(std::uint32_t item) const { return m_ofA[item]; }
    const std::optional<Match> &partnerOfB(std::uint32_t item) const { return m_ofB[item]; }
    bool isMatched(const Subject &side, std::uint32_t item) const { return of(side)[item].has_value(); }

    /// Removes an item from later stages: it belongs to another item of its side, which has a partner.
    void absorb(const Subject &side, std::uint32_t item, std::uint32_t into);
    const std::vector<std::optional<std::uint32_t>> &absorbedOf(const Subject &side) const
    {
        return &side == &m_a ? m_absorbedA : m_absorbedB;
    }

    /// By item of a side: what it absorbed, which gives its results, or itself.
    std::vector<std::uint32_t> lastItems(const Subject &side) const;

    /// The items of a side that a stage compares.
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
