// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/groups.h"
#include "core/diff/weights/weight_changes.h"

namespace cutaway::diff {

/// The results for the called functions of one comparison, at every depth of calls.
struct CalledFunctions {
    /// Whether two functions are equal. Functions that are still being compared count as equal: whether they are
    /// depends on the rest of the comparison.
    std::map<std::pair<ir::FunctionId, ir::FunctionId>, bool> areEqual;
    int depth = 0; ///< the depth to which functions are compared inside each other
};

/// Compares called functions as the public compare() does.
Difference compare(const Side &a, const Side &b, const Options &options, CalledFunctions &functions);

/// Finds the differences inside pairs. A difference that follows from another one is not reported: a type that changed
/// because an input's did, an argument computed by a node that only one side has.
class Changes {
public:
    /// With `isExact`, compares argument by argument; else compares the attributes that operators have in all dialects,
    /// and what `checks` can compute.
    Changes(const Matching &matching, bool isExact, CalledFunctions &functions, const ReadsCompared &reads,
            Checks &checks);

    /// Returns the changes of a pair, by its item of A. To be called in the order of A, since a type may differ because
    /// that of an earlier pair does.
    std::vector<Change> of(std::uint32_t itemA);
    /// Returns the changes of the functions' inputs and outputs.
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
    std::optional<NodePair> m_pair; ///< the pair that is being compared
    CalledFunctions &m_functions;
    const ReadsCompared &m_reads;
    Checks &m_checks;
    /// By item: those of its producers that are compared.
    std::vector<std::vector<std::uint32_t>> m_producersA, m_producersB;
    std::vector<std::uint32_t> m_lastA, m_lastB; ///< by item: the last item that it absorbed, else the item itself
    std::vector<bool> m_typeDiffers;             ///< by item of A: whether its type differs from its partner's
    std::vector<NotProven> m_notProven;
};

} // namespace cutaway::diff
