// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/labels.h"
#include "core/diff/skeleton.h"

namespace cutaway::diff {

/// A function that is compared, and what was made of it for that.
struct Subject {
    Subject(const Side &given, const Options &options);

    const Side &side;
    Outline outline;
    Labeller labeller;
    std::vector<Hash> paths, names; ///< by item; 0 where it has none or names do not count
};

/// An item's partner, and why it is that.
struct Match {
    std::uint32_t item = 0;
    Reason reason = Reason::Surroundings;
    double score = 1;
};

/// Which items of A and B are the same.
class Matching {
public:
    Matching(Subject &a, Subject &b);

    /// Matches what the stage looks at, on top of what is matched already.
    void run(Stage stage);
    /// Matches node for node what is the same with everything above it, or with everything below it.
    void runStrictly();
    void pair(std::uint32_t a, std::uint32_t b, Reason reason, double score);

    const std::optional<Match> &partnerOfA(std::uint32_t item) const { return m_ofA[item]; }
    const std::optional<Match> &partnerOfB(std::uint32_t item) const { return m_ofB[item]; }
    bool isMatched(const Subject &side, std::uint32_t item) const { return of(side)[item].has_value(); }

    /// Takes an item out of further stages: it belongs to another of its side, which has a partner.
    void absorb(const Subject &side, std::uint32_t item, std::uint32_t into);
    const std::vector<std::optional<std::uint32_t>> &absorbedOf(const Subject &side) const
    {
        return &side == &m_a ? m_absorbedA : m_absorbedB;
    }

    /// The items of a side that a stage looks at.
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
