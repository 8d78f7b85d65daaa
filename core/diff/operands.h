// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/matching.h"
#include "core/ir/text/operand_printer.h"
#include "core/ops/torch/signatures.h"

namespace cutaway::diff {

/// What a comparison of operands asks about one side.
class Operands {
public:
    Operands(const Matching &matching, Subject &subject);

    std::string text(const ir::Operand &operand); ///< "[1, 1]", "%x"
    /// The default that the operator declares for an argument.
    const ops::Fact *defaultOf(const ir::NodeRef &node, std::string_view argument);
    /// The same as a fact, of a constant.
    ops::Fact constant(const ir::Operand &operand) const;

    /// The weight that an operand is.
    std::optional<ir::TensorId> weightOf(const ir::Operand &operand) const;
    std::string weightText(ir::TensorId weight) const; ///< "float32[64, 3, 7, 7]"
    std::optional<Hash> content(ir::TensorId weight) { return m_subject.labeller.weights().content(weight); }

    /// The item that makes a value, and as which of its results.
    struct Origin {
        std::uint32_t item;
        std::size_t result;
    };
    std::optional<Origin> originOf(ir::ValueId value) const;
    bool isMatched(std::uint32_t item) const { return m_matching.isMatched(m_subject, item); }
    /// The matched items, by those of A, that lead to an item through items without a partner; itself if it has one.
    std::vector<std::uint32_t> reached(std::uint32_t item) const;

    const ir::Graph &graph() const { return m_subject.side.graph(); }
    /// Those that no weight is bound to, in their order: the first items of the outline.
    const std::vector<ir::ValueId> &inputs() const { return m_inputs; }

private:
    const Matching &m_matching;
    Subject &m_subject;
    ops::Signatures m_signatures;
    std::string m_text;
    ir::OperandPrinter m_printer;
    ir::Labels<ir::ValueId> m_labels;
    std::vector<ir::ValueId> m_inputs;
    std::vector<std::optional<std::uint32_t>> m_inputItems; ///< by ValueId
    std::vector<std::optional<ir::TensorId>> m_weights;     ///< likewise
};

} // namespace cutaway::diff
