// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/proof/part.h"
#include "core/evaluate/evaluate.h"
#include "core/ir/tensors/random_numbers.h"

#include <span>
#include <unordered_map>

namespace cutaway::diff {

/// The outcome of computing something on both sides.
struct Verdict {
    enum class Kind : std::uint8_t {
        Same,    ///< the operands are the results of matched nodes: there is nothing to compute
        Equal,   ///< computed, and equal within rounding
        Differs, ///< computed, and not equal
        Unknown, ///< the part cannot be computed; `reason` has the reason
    };
    Kind kind = Kind::Same;
    double largestError = 0, allowed = 0; ///< the largest absolute error of the computed results, and the error that
                                          ///< rounding may have
    std::string reason = {};
    std::vector<std::uint32_t> itemsA = {}, itemsB = {}; ///< the unmatched items that the results depend on
    bool holds() const { return kind == Kind::Same || kind == Kind::Equal; }
};

/// The dtype of each border by its number; where the sides differ, the dtype with fewer digits.
using BorderDTypes = std::unordered_map<std::uint32_t, ir::DType>;

/// Computes parts of both sides with the evaluator on the same random numbers. A part begins at results of matched
/// pairs. It ends at an operand of another pair or, if it contains that pair's node, at one of the node's results.
/// Equal parts are computed once. The work is limited by a count of operations, so that the answer is the same on all
/// machines.
class Checks {
public:
    Checks(Parts &a, Parts &b);

    /// Returns a verdict for each tensor that both nodes read and that depends on results of pairs, in the order of the
    /// arguments; one verdict for all if the nodes read different numbers of such tensors.
    std::vector<Verdict> operands(const ir::NodeRef &a, const ir::NodeRef &b);
    /// Compares two operands, such as outputs of the functions.
    Verdict operand(const ir::Operand &a, const ir::Operand &b);
    /// Whether the order of the elements counts.
    enum class Order : std::uint8_t { Counts, Any };
    /// The most operations of one check. The evaluator does some hundred million a second.
    static constexpr std::int64_t maxWorkOfOne = std::int64_t{1} << 29;
    /// The most operations of all checks together.
    static constexpr std::int64_t maxWorkOfAll = std::int64_t{1} << 30;
    /// Compares the results of two nodes; the worst result counts. `items`: the items of these nodes, or the items that
    /// absorbed them.
    Verdict results(const ir::NodeRef &a, const ir::NodeRef &b, std::pair<std::uint32_t, std::uint32_t> items,
                    Order order = Order::Counts, std::int64_t maxWork = maxWorkOfOne);

private:
    struct Outcome {
        Verdict::Kind kind;
        double largestError = 0, allowed = 0;
        std::string reason = {};
        bool isSpread = false; ///< whether the result's largest element is much larger than the median
    };

    std::vector<Part> partsReadBy(Parts &side, const ir::NodeRef &node, BorderNumbers &numbers);
    Verdict compared(const Part &a, const Part &b, Order order, std::int64_t maxWork);
    Outcome computed(const Part &a, const Part &b, Order order, std::int64_t maxWork);
    Outcome computedAt(const Part &a, const Part &b, Order order, const BorderDTypes &dtypes, ir::NumberRange range);

    Parts &m_a;
    Parts &m_b;
    ir::Model m_scratchA, m_scratchB; ///< models whose function is the part to compute
    std::unordered_map<Hash, Outcome> m_known;
    std::int64_t m_workLeft = maxWorkOfAll;
};

} // namespace cutaway::diff
