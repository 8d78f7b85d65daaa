// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/matching.h"
#include "core/ir/text/operand_printer.h"
#include "core/ops/calls.h"
#include "core/ops/torch/signatures.h"

namespace cutaway::diff {

/// Answers questions about the operands of one side.
class Operands {
public:
    Operands(const Matching &matching, Subject &subject);

    std::string text(const ir::Operand &operand); ///< "[1, 1]", "%x"
    /// Returns the default value that the operator declares for an argument.
    const ops::Fact *defaultOf(const ir::NodeRef &node, std::string_view argument);
    ops::Fact constant(const ir::Operand &operand) const;

    /// Returns the node as ops' readers of arguments take it, with the facts that analysis derived.
    ops::Call call(const ir::NodeRef &node) { return m_calls.of(node); }

    /// Returns the weight that an operand refers to.
    std::optional<ir::TensorId> weightOf(const ir::Operand &operand) const;
    std::string weightText(ir::TensorId weight) const; ///< "float32[64, 3, 7, 7]"
    std::string nameOf(ir::TensorId weight) const;     ///< the weight's name in the file
    /// A weight as an operand reads it, perhaps through a transposition.
    struct ReadWeight {
        ir::TensorId tensor;
        bool isTransposed = false;
    };
    /// Returns the weight that an operand reads; nothing if more than a transposition is done to it.
    std::optional<ReadWeight> readWeight(const ir::Operand &operand) const;
    /// Returns nullptr if the node has no such argument.
    const ir::Operand *argument(const ir::NodeRef &node, ops::Position position);
    const ir::Model &model() const { return m_subject.side.model; }

    /// The item that produces a value, and the index of the result.
    struct Origin {
        std::uint32_t item;
        std::size_t result;
    };
    std::optional<Origin> originOf(ir::ValueId value) const;
    bool isMatched(std::uint32_t item) const { return m_matching.isMatched(m_subject, item); }
    /// Returns the matched items, as items of A, from which `item` is reached through unmatched items only; the item
    /// itself if it is matched.
    std::vector<std::uint32_t> reached(std::uint32_t item) const;

    const ir::Graph &graph() const { return m_subject.side.graph(); }
    /// Returns the inputs that no weight is bound to, in order: the first items of the outline.
    const std::vector<ir::ValueId> &inputs() const { return m_inputs; }

private:
    const Matching &m_matching;
    Subject &m_subject;
    ops::Signatures m_signatures;
    ops::Calls m_calls;
    std::string m_text;
    ir::OperandPrinter m_printer;
    ir::Labels<ir::ValueId> m_labels;
    std::vector<ir::ValueId> m_inputs;
    std::vector<std::optional<std::uint32_t>> m_inputItems; ///< by ValueId
    std::vector<std::optional<ir::TensorId>> m_weights;     ///< by ValueId
};

} // namespace cutaway::diff
