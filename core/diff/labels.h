// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/outline.h"
#include "core/diff/weight_prints.h"

#include <array>

namespace cutaway::diff {

/// What is looked at, from the landmarks to everything: what is matched in one stage stays so in the next.
enum class Stage : std::uint8_t {
    Weighted,   ///< what computes with weights: convolutions, linear layers, norms
    Data,       ///< everything that computes
    Everything, ///< node for node
};

/// Hashes of what an item is by itself, from all that is known of it to its kind alone. Two items that are equal in
/// one are equal in those behind it.
using Labels = std::array<Hash, 4>;

/// Makes the labels of one side. Operators that one row of ops knows in several dialects have one kind.
class Labeller {
public:
    explicit Labeller(const Side &side) : m_side(side), m_weights(side.model) { }

    Labels labels(const Item &item, Stage stage);
    WeightPrints &weights() { return m_weights; }

private:
    Labels ofWeighted(const Item &item);
    Labels ofData(const Item &item);
    Labels ofNode(const Item &item);
    Hash resultSizes(const ir::NodeRef &node) const;
    Hash results(const ir::NodeRef &node) const;
    Hash arguments(const ir::NodeRef &node) const;
    Hash operand(const ir::Operand &operand) const;
    Hash weightShapes(const Item &item) const;
    Hash weightContents(const Item &item);

    const Side &m_side;
    WeightPrints m_weights;
};

/// Of what the operator is in all dialects: equal for aten::relu_ and onnx::Relu.
Hash kindOf(const ir::NodeRef &node);

/// The weight that decides what a node is: the one with most elements.
std::optional<ir::TensorId> mainWeight(const ir::Model &model, const Item &item);

} // namespace cutaway::diff
