// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/operands.h"
#include "core/diff/weights/contents.h"

#include <set>

namespace cutaway::diff {

/// The value of Change::what for a pair whose nodes read weights of other sizes.
inline constexpr std::string_view otherWeights = "weights";

/// Compares the weights that two nodes or groups read: all elements of each with those of its partner.
class WeightChanges {
public:
    WeightChanges(const Matching &matching, Operands &a, Operands &b);

    /// Compares the weights of one argument. `nodes`: the pair that reads them; nothing for outputs of the function.
    void compare(const std::optional<NodePair> &nodes, const std::string &name, ir::TensorId a, ir::TensorId b,
                 std::vector<Change> &changes);
    /// Compares the weights of an item of A and of its partner in B, each with the items that it absorbed, in files
    /// whose operators have different arguments. Weights of equal size, possibly transposed, are matched in their
    /// order; if one side has more of a size, first by elements, then by names. If one side has a batch norm folded
    /// into its convolution, that of the other side is folded for the comparison. Recurrences whose weights are stacked
    /// differently are not compared.
    void compareAll(std::uint32_t itemA, std::vector<Change> &changes);

    /// Whether the two formats store the weights of a pair of recurrences in ways that cannot be compared.
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
        std::vector<ir::TensorId> leftOfA, leftOfB; ///< weights of A, and of B, without a counterpart of their size
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
    std::vector<Items> m_absorbedA, m_absorbedB; ///< by item: the items that it absorbed
    std::vector<NotCompared> m_notCompared;
    std::vector<Rounding> m_roundings;
    std::set<std::pair<ir::TensorId, ir::TensorId>> m_counted;
    WeightCounts m_counts;
};

} // namespace cutaway::diff
