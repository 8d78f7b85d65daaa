// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"
#include "core/ir/dtype.h"
#include "core/rules/operator_name.h"

#include <optional>
#include <string_view>
#include <vector>

namespace cutaway::rules::to_onnx {

class OnnxMaker;

/// A tensor of the ONNX graph, or None. The operators on it make nodes.
struct Term {
    OnnxMaker *made = nullptr; ///< where nodes are made
    ir::Operand operand;
    ir::DType dtype = ir::DType::Float32;

    bool isNone() const { return operand.as<ir::None>() != nullptr; }
};

/// A value of the source in the ONNX graph: a tensor (a number is one without dimensions), None, a list, or a
/// sequence of tensors of one dtype whose length is known only when the model runs.
struct Lowered {
    ir::Operand operand = {};
    ir::DType dtype = ir::DType::Float32;
    std::optional<std::vector<Lowered>> items = {};
    bool isSequence = false;

    Lowered() = default;
    // NOLINTBEGIN(google-explicit-constructor): results of rules are written as what they are
    Lowered(const Term &term) : operand(term.operand), dtype(term.dtype) { }
    Lowered(std::vector<Lowered> all) : items(std::move(all)) { }
    // NOLINTEND(google-explicit-constructor)
};

/// The results that a rule makes in place of a node's, one for each. Empty: the rule does not apply, see
/// OnnxMaker::refuse().
using Results = std::vector<Lowered>;

// Nodes for two tensors of one dtype.
Term operator+(const Term &a, const Term &b);
Term operator-(const Term &a, const Term &b);
Term operator*(const Term &a, const Term &b);
Term operator/(const Term &a, const Term &b);
// Nodes for a tensor and a number.
Term operator+(const Term &a, double b);
Term operator-(const Term &a, double b);
Term operator-(double a, const Term &b);
Term operator*(const Term &a, double b);
Term operator/(const Term &a, double b);
Term applied(OnnxName op, const Term &x); ///< of one tensor: "Exp"

} // namespace cutaway::rules::to_onnx
