// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"

#include <vector>

namespace cutaway::passes {

/// What a pass that looks for a pattern asks of the graph, upwards from what reads a value.
class Matching {
public:
    explicit Matching(analysis::Reading &reading) : m_reading(reading) { }

    /// Of aten or ONNX's own domain, without effects, with one result that nothing writes to, and still there.
    bool isPlain(const ir::NodeRef &node);
    bool is(const ir::NodeRef &node, ops::OperatorKind kind) { return m_reading.kind(node) == kind && isPlain(node); }
    /// What a node gives in a position of its schema, or of ONNX's inputs; nullptr where it gives nothing.
    const ir::Operand *operand(const ir::NodeRef &node, std::size_t position);
    /// The plain node in the reader's region and dialect that makes an operand.
    std::optional<ir::NodeRef> maker(const ir::Operand *operand, const ir::NodeRef &reader);
    /// The same, if no other node reads what it makes.
    std::optional<ir::NodeRef> ownMaker(const ir::Operand *operand, const ir::NodeRef &reader);

    /// A tensor of known dtype and rank, see analysis::Reading::proven().
    std::optional<ops::TensorFact> tensor(const ir::Operand &operand);
    /// Whether both are of one dtype, and of one shape of which all sizes are known.
    bool haveOneType(const ir::Operand &a, const ir::Operand &b);
    /// The elements of a constant of the file, of at most `limit` elements, or a number that is written at the node.
    std::optional<std::vector<double>> numbers(const ir::Operand *operand, std::int64_t limit = 65536);
    /// The only one of them.
    std::optional<double> number(const ir::Operand *operand);
    /// Whether that is a number, but for the rounding of a file's floats.
    bool isAbout(const ir::Operand *operand, double number);
    /// Whole numbers that are constants of the file, written at the node, or proven; nothing if one is not known.
    std::optional<std::vector<std::int64_t>> wholes(const ir::Operand *operand);

    /// Of the operands of a node that may be exchanged, the one that is a given number; the other one is returned.
    const ir::Operand *besideNumber(const ir::NodeRef &node, double number);
    /// Whether it multiplies with or divides by: the factor, and the operand that is not it.
    struct Scaled {
        const ir::Operand *operand;
        double factor;
    };
    std::optional<Scaled> scaled(const ir::NodeRef &node);

    /// ONNX: the version of its own operator set. INT64_MAX for aten, whose operators are all there.
    std::int64_t opset(const ir::NodeRef &node);

private:
    analysis::Reading &m_reading;
};

} // namespace cutaway::passes
