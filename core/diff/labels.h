// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/outline.h"
#include "core/diff/weight_prints.h"

#include <array>

namespace cutaway::diff {

/// The items that a stage compares. The pairs of one stage are kept in the next.
enum class Stage : std::uint8_t {
    Weighted,   ///< operators with weights: convolutions, linear layers, norms
    Data,       ///< everything that computes with data
    Everything, ///< node for node
};

/// Hashes of an item by itself, from the strictest (of all that is known) to the loosest (of its kind). Two items with
/// one hash in common have all later ones in common.
using Labels = std::array<Hash, 4>;

/// Computes the labels of one side. Operators that share a row of the operator table have the same kind in all
/// dialects.
class Labeller {
public:
    explicit Labeller(const Side &side) : m_side(side), m_weights(side.model) { }

    Labels labels(const Item &item, Stage stage);
    WeightPrints &weights() { return m_weights; }
    /// Hashes the constants in an operand. All values and weights have the same hash.
    Hash operand(const ir::Operand &operand) const;

private:
    Labels ofWeighted(const Item &item);
    Labels ofData(const Item &item);
    Labels ofNode(const Item &item);
    bool givesWholeNumbers(const ir::NodeRef &node) const;
    Hash resultSizes(const ir::NodeRef &node) const;
    Hash results(const ir::NodeRef &node) const;
    Hash arguments(const ir::NodeRef &node) const;
    Hash weightShapes(const Item &item) const;
    Hash weightContents(const Item &item);

    const Side &m_side;
    WeightPrints m_weights;
};

/// Hashes the operator's kind in all dialects: aten::relu_ and onnx::Relu have the same hash.
Hash kindOf(const ir::NodeRef &node);

/// Returns the weight that characterizes a node: the one with most elements.
std::optional<ir::TensorId> mainWeight(const ir::Model &model, const Item &item);

} // namespace cutaway::diff
