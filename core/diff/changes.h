// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/operands.h"

namespace cutaway::diff {

/// What differs inside pairs. A difference that follows from another one is none of its own: a type that changed
/// because of what was read, an argument that comes from a node that only one side has.
class Changes {
public:
    /// `isExact`: argument by argument; else only what all dialects say of an operator.
    Changes(const Matching &matching, bool isExact);

    /// Of a pair, by its item of A. To be asked in the order of A: types follow from what came before.
    std::vector<Change> of(std::uint32_t itemA);
    /// Inputs and outputs of the functions.
    std::vector<Change> ofSignature();

private:
    void compareOperator(const ir::NodeRef &a, const ir::NodeRef &b, std::vector<Change> &changes) const;
    void compareArguments(const ir::NodeRef &a, const ir::NodeRef &b, std::vector<Change> &changes);
    void compareMissing(const ir::NodeRef &node, const std::string &name, const ir::Operand &given, bool isInA,
                        std::vector<Change> &changes);
    void compareOperands(const std::string &name, const ir::Operand &a, const ir::Operand &b,
                         std::vector<Change> &changes);
    void compareWeights(const std::string &name, ir::TensorId a, ir::TensorId b, std::vector<Change> &changes);
    void compareLists(const std::string &name, const ir::Operand &a, const ir::Operand &b,
                      std::vector<Change> &changes);
    void compareMainWeight(std::uint32_t itemA, std::uint32_t itemB, std::vector<Change> &changes);
    bool areComparable(std::uint32_t itemA, std::uint32_t itemB, ir::TensorId a, ir::TensorId b) const;
    bool isSameSource(ir::ValueId a, ir::ValueId b) const;
    void compareTypes(std::uint32_t itemA, std::vector<Change> &changes);
    std::optional<Change> inputDiffers(std::uint32_t place) const;
    bool followsFromProducers(std::uint32_t itemA, std::uint32_t itemB) const;

    const Matching &m_matching;
    bool m_isExact;
    Operands m_a, m_b;
    std::vector<std::vector<std::uint32_t>> m_producersA, m_producersB; ///< by item, of what is looked at
    std::vector<bool> m_typeDiffers;                                    ///< by item of A
    std::vector<bool> m_isFolded; ///< by item of A: the pair stands for more nodes than two
};

} // namespace cutaway::diff
