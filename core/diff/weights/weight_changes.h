// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/operands.h"
#include "core/diff/weights/contents.h"

#include <set>

namespace cutaway::diff {

/// Change::what of a pair whose nodes read weights of other sizes.
inline constexpr std::string_view otherWeights = "weights";

/// Compares the weights that two nodes or groups read: all elements of each with those of its partner.
class WeightChanges {
public:
    WeightChanges(const Matching &matching, Operands &a, Operands &b);

    /// Compares the weights of one argument. `nodes`: the pair that reads them; nothing for outputs of the function.
    void compare(const std::optional<NodePair> &nodes, const std::string &name, ir::TensorId a, ir::TensorId b,
                 std::vector<Change> &changes);
    /// Compares all weights of a pair in files that are written differently, with those of the nodes that it absorbed.
    /// Weights of one size are partners in their order, or by elements or names where one side has more of them, also
    /// if one is stored transposed. A folded batch norm is computed. Nothing is said of weights that are stacked
    /// differently.
    void compareAll(std::uint32_t itemA, std::vector<Change> &changes);

    /// Whether the formats of a pair of recurrences store their weights in ways that cannot be compared.
    bool areStackedDifferently(std::uint32_t itemA, std::uint32_t itemB) const;

    void addNotCompared(NotCompared each) { m_notCompared.push_back(std::move(each)); }
    const WeightCounts &counts() const { return m_counts; }
    std::vector<Rounding> takeRoundings() { return std::move(m_roundings); }
    std::vector<NotCompared> takeNotCompared() { return std::move(m_notCompared); }

private:
    using Items = std::vector<std::uint32_t>;

    NodePair nodesOf(std::span<const std::uint32_t> itemsA, std::span<const std::uint32_t> itemsB) const;
    struct Partners {
        std::vector<std::pair<ir::TensorId, ir::TensorId>> pairs;
        std::vector<ir::TensorId> leftOfA, leftOfB; ///< without one of their size
    };
    Partners partners(std::span<const std::uint32_t> itemsA, std::span<const std::uint32_t> itemsB) const;
    ContentComparison compared(std::uint32_t itemA, std::uint32_t itemB, ir::TensorId a, ir::TensorId b);
    static std::optional<ir::NodeId> foldedNormalization(const Subject &side, const Items &items);
    bool compareFolded(const Items &itemsA, const Items &itemsB, std::vector<Change> &changes);
    bool areFoldedOnBothSides(std::uint32_t itemA, std::uint32_t itemB);
    bool areOneAttribute(ir::TensorId a, ir::TensorId b) const;
    void reportDTypes(const std::string &what, ir::TensorId a, ir::TensorId b, std::vector<Change> &changes);
    void report(const NodePair &nodes, const std::string &what, ir::TensorId a, ir::TensorId b,
                const ContentComparison &comparison, std::vector<Change> &changes);

    const Matching &m_matching;
    Operands &m_a;
    Operands &m_b;
    Contents m_contents;
    std::vector<Items> m_absorbedA, m_absorbedB; ///< by item: what it absorbed
    std::vector<NotCompared> m_notCompared;
    std::vector<Rounding> m_roundings;
    std::set<std::pair<ir::TensorId, ir::TensorId>> m_counted;
    WeightCounts m_counts;
};

} // namespace cutaway::diff
