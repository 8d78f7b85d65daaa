// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"

#include <limits>
#include <vector>

namespace cutaway::passes {

/// The questions that a pass which looks for a pattern asks of the graph, upwards from the node that reads a value.
class Matching {
public:
    explicit Matching(analysis::Reading &reading) : m_reading(reading) { }

    /// Whether a node is of aten or ONNX's own domain, without regions and effects, with one result that nothing writes
    /// to, and not removed.
    bool isPlain(const ir::NodeRef &node);
    bool is(const ir::NodeRef &node, ops::OperatorKind kind) { return m_reading.kind(node) == kind && isPlain(node); }
    /// The operand at a position of the node's schema, or of ONNX's inputs; nullptr where the node gives none.
    const ir::Operand *operand(const ir::NodeRef &node, std::size_t position);
    /// The operand that older versions of an ONNX operator have as an attribute and newer ones as an input.
    const ir::Operand *operand(const ir::NodeRef &node, std::string_view attribute, std::size_t position);
    /// The plain node in the reader's region and dialect that makes an operand.
    std::optional<ir::NodeRef> maker(const ir::Operand *operand, const ir::NodeRef &reader);
    /// Finds the maker() of an operand, if no other node reads its result.
    std::optional<ir::NodeRef> ownMaker(const ir::Operand *operand, const ir::NodeRef &reader);

    /// The plain node in the same region that reads the node's only result, if nothing else reads it.
    std::optional<ir::NodeRef> onlyReader(const ir::NodeRef &node);

    /// A tensor of known dtype and rank, see analysis::Reading::proven().
    std::optional<ops::TensorFact> tensor(const ir::Operand &operand);
    /// Whether both operands are certainly tensors of one dtype and one shape.
    bool haveOneType(const ir::Operand &a, const ir::Operand &b);
    /// Whether an operand has the dtype of `to` and is broadcast to its shape and no further.
    bool broadcastsTo(const ir::Operand &operand, const ir::Operand &to);
    /// The elements of a constant of the file, of at most `limit` elements, or a number that is written at the node.
    std::optional<std::vector<double>> numbers(const ir::Operand *operand, std::int64_t limit = 65536);
    /// The number of an operand whose numbers() are only one.
    std::optional<double> number(const ir::Operand *operand);
    /// Whether the operand's number() is `number`, but for the rounding of a file's floats.
    bool isAbout(const ir::Operand *operand, double number);
    /// The integers of an operand that are constants of the file, written at the node, or proven; nothing if one is not
    /// known.
    std::optional<std::vector<std::int64_t>> wholes(const ir::Operand *operand);

    /// Whether a sum, product or quotient has no further factor and is not rounded.
    bool isPlainArithmetic(const ir::NodeRef &node);
    /// For a node with two operands that may be exchanged: if one operand is about `number`, returns the other one,
    /// else nullptr.
    const ir::Operand *besideNumber(const ir::NodeRef &node, double number);
    /// A multiplication with a factor, or a division by its inverse, and the other operand.
    struct Scaled {
        const ir::Operand *operand;
        double factor;
    };
    std::optional<Scaled> scaled(const ir::NodeRef &node);
    /// The bounds of a clamp or a ReLU; infinite where it has none.
    struct Bounds {
        double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    };
    /// Nothing for other nodes, and if a bound is not known.
    std::optional<Bounds> bounds(const ir::NodeRef &node);

    /// The version of ONNX's own operator set at the node. INT64_MAX for aten, whose operators are all there.
    std::int64_t opset(const ir::NodeRef &node);

private:
    analysis::Reading &m_reading;
};

} // namespace cutaway::passes
