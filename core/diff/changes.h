// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/groups.h"
#include "core/diff/weights/weight_changes.h"

namespace cutaway::diff {

/// The results for called functions in one comparison, however deep they are called.
struct CalledFunctions {
    /// Whether two functions are equal. Functions that are still being compared count as equal: they are if nothing
    /// else differs.
    std::map<std::pair<ir::FunctionId, ir::FunctionId>, bool> areEqual;
    int depth = 0; ///< how many functions are being compared inside each other
};

/// Compares called functions as the public compare() does.
Difference compare(const Side &a, const Side &b, const Options &options, CalledFunctions &functions);

/// Finds the differences inside pairs. A difference that follows from another one is not reported: a type that changed
/// because an input's did, an argument computed by a node that only one side has.
class Changes {
public:
    /// `isExact`: compare argument by argument; else attributes that operators have in all dialects, and what `checks`
    /// can compute.
    Changes(const Matching &matching, bool isExact, CalledFunctions &functions, const ReadsCompared &reads,
            Checks &checks);

    /// The changes of a pair, by its item of A. Call in the order of A's items: types follow from earlier pairs.
    std::vector<Change> of(std::uint32_t itemA);
    /// Changes of the functions' inputs and outputs.
    std::vector<Change> ofSignature();
    std::vector<NotCompared> takeNotCompared() { return m_weights.takeNotCompared(); }
    std::vector<NotProven> takeNotProven() { return std::move(m_notProven); }
    const WeightCounts &weightCounts() const { return m_weights.counts(); }
    std::vector<Rounding> takeRoundings() { return m_weights.takeRoundings(); }

private:
    void compareOperator(const ir::NodeRef &a, const ir::NodeRef &b, std::vector<Change> &changes) const;
    void compareArguments(const ir::NodeRef &a, const ir::NodeRef &b, std::vector<Change> &changes);
    void compareMissing(const ir::NodeRef &node, const std::string &name, const ir::Operand &given, bool isInA,
                        std::vector<Change> &changes);
    void compareOperands(const std::string &name, const ir::Operand &a, const ir::Operand &b,
                         std::vector<Change> &changes);
    void compareFunctions(ir::FunctionId a, ir::FunctionId b, std::vector<Change> &changes);
    void compareLists(const std::string &name, const ir::Operand &a, const ir::Operand &b,
                      std::vector<Change> &changes);
    bool isSameSource(ir::ValueId a, ir::ValueId b) const;
    void compareTypes(std::uint32_t itemA, std::vector<Change> &changes);
    void applyVerdict(const Verdict &verdict, bool isOpen, std::vector<Change> &changes);
    bool isPrecision(const std::string &name, const ir::Operand &a, const ir::Operand &b) const;
    void compareComputed(std::uint32_t itemA, std::vector<Change> &changes);
    Verdict resultsOf(std::uint32_t itemA, std::int64_t maxWork);
    bool areFloatingAlike(const ir::NodeRef &a, const ir::NodeRef &b) const;
    std::optional<Change> inputDiffers(std::uint32_t place) const;
    bool followsFromProducers(std::uint32_t itemA, std::uint32_t itemB) const;

    const Matching &m_matching;
    bool m_isExact;
    Operands m_a, m_b;
    WeightChanges m_weights;
    std::optional<NodePair> m_pair; ///< that is being compared
    CalledFunctions &m_functions;
    const ReadsCompared &m_reads;
    Checks &m_checks;
    std::vector<std::vector<std::uint32_t>> m_producersA, m_producersB; ///< by item, among those compared
    std::vector<std::uint32_t> m_lastA, m_lastB;                        ///< by item: what it absorbed, else itself
    std::vector<bool> m_typeDiffers;                                    ///< by item of A
    std::vector<NotProven> m_notProven;
};

} // namespace cutaway::diff
