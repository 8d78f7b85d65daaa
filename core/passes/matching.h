// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"

#include <limits>
#include <vector>

namespace cutaway::passes {

/// Answers the questions of a pass that looks for a pattern in the graph and goes upwards, from the node that reads a
/// value to the node that makes it.
class Matching {
public:
    explicit Matching(analysis::Reading &reading) : m_reading(reading) { }

    /// Whether a node is of aten or ONNX's own domain, has no regions and effects, has one result that nothing writes
    /// to, and is not removed.
    bool isPlain(const ir::NodeRef &node);
    bool is(const ir::NodeRef &node, ops::OperatorKind kind) { return m_reading.kind(node) == kind && isPlain(node); }
    /// Returns the operand at a position of the node's schema, or of the inputs of an ONNX node; nullptr if the node
    /// leaves it out.
    const ir::Operand *operand(const ir::NodeRef &node, std::size_t position);
    /// Returns the operand that older versions of an ONNX operator have as an attribute and newer ones as an input;
    /// nullptr if the node leaves it out.
    const ir::Operand *operand(const ir::NodeRef &node, std::string_view attribute, std::size_t position);
    /// Returns the plain node that makes an operand; nothing if there is none in the region and dialect of `reader`.
    std::optional<ir::NodeRef> maker(const ir::Operand *operand, const ir::NodeRef &reader);
    /// Returns the maker() of an operand if no other node reads its result.
    std::optional<ir::NodeRef> ownMaker(const ir::Operand *operand, const ir::NodeRef &reader);

    /// Returns the plain node in the same region that reads the node's only result; nothing if anything else reads the
    /// result.
    std::optional<ir::NodeRef> onlyReader(const ir::NodeRef &node);

    /// Returns the proven fact of an operand (analysis::Reading::proven()), if it is a tensor of known dtype and rank.
    std::optional<ops::TensorFact> tensor(const ir::Operand &operand);
    /// Whether both operands are certainly tensors of one dtype and one shape.
    bool haveOneType(const ir::Operand &a, const ir::Operand &b);
    /// Whether an operand has the dtype of `to` and is broadcast to its shape and no further.
    bool broadcastsTo(const ir::Operand &operand, const ir::Operand &to);
    /// Returns the elements of a constant of the file, which has at most `limit` elements, or a number that is written
    /// at the node; nothing for other operands.
    std::optional<std::vector<double>> numbers(const ir::Operand *operand, std::int64_t limit = 65536);
    /// Returns the only number of an operand's numbers(); nothing if there is no number, or more than one.
    std::optional<double> number(const ir::Operand *operand);
    /// Whether the operand's number() is `number`, up to the rounding of a file's floats.
    bool isAbout(const ir::Operand *operand, double number);
    /// Returns the integers of an operand, which may be a constant of the file, written at the node, or proven; nothing
    /// if one is not known.
    std::optional<std::vector<std::int64_t>> wholes(const ir::Operand *operand);

    /// Whether a sum, product or quotient has no factor `alpha` other than 1 and no `rounding_mode`.
    bool isPlainArithmetic(const ir::NodeRef &node);
    /// For a node with two operands that may be exchanged: returns the operand beside one that is about `number`, else
    /// nullptr.
    const ir::Operand *besideNumber(const ir::NodeRef &node, double number);
    /// The operand that a node multiplies by a number, and this number; a division is a multiplication by the inverse.
    struct Scaled {
        const ir::Operand *operand;
        double factor;
    };
    std::optional<Scaled> scaled(const ir::NodeRef &node);
    /// The bounds of a clamp or a ReLU; a missing bound is infinite.
    struct Bounds {
        double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    };
    /// Returns the bounds of a clamp or a ReLU; nothing for other nodes, and if a bound is not known.
    std::optional<Bounds> bounds(const ir::NodeRef &node);

    /// Returns the version of ONNX's own operator set that holds for the node; INT64_MAX for aten, whose operators
    /// exist in all versions.
    std::int64_t opset(const ir::NodeRef &node);

private:
    analysis::Reading &m_reading;
};

} // namespace cutaway::passes
