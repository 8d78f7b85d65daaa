// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/jit/marks.h"
#include "plugins/torch/program.h"

#include <torch/csrc/jit/ir/ir.h>

namespace cutaway::plugins {

/// Marks a node of torch's graph that represents an operand of the IR: a constant, a list of values, a conversion.
struct OperandMark {
    ir::Operand operand;
    std::vector<ir::Operand> inputs = {}; ///< the operands that the node read before torch's passes
};

/// The node of torch's graph that an IR node became.
struct CarriedNode {
    struct Input {
        ir::Operand operand;
        std::optional<std::size_t> argument = {}; ///< index among the node's arguments; nothing: the schema's default
    };
    const torch::jit::Node *node = nullptr; ///< only for comparisons: passes may have destroyed the node
    torch::jit::NodeKind kind = torch::jit::prim::Constant;
    std::vector<Input> inputs = {};
    /// Whether torch's node stands in for one that torch's graphs cannot contain. It is a call of which torch knows
    /// nothing, and its inputs are the values that the IR node reads, each once.
    bool isStandIn = false;
};

/// A weight that is a constant of the graph.
struct CarriedWeight {
    ir::ValueId value;
    ir::TensorId tensor;
    at::Tensor elements;
    torch::jit::Value *constant;
};

/// A function's body as torch's graph. Values of the IR have the name "v" and their id.
struct JitGraph {
    std::shared_ptr<torch::jit::Graph> graph = std::make_shared<torch::jit::Graph>();
    Marks marks = {};
    std::vector<std::variant<ir::NodeId, OperandMark>> meanings = {}; ///< by number of the mark: what it stands for
    std::vector<CarriedNode> nodes = {};                              ///< by NodeId
    std::vector<ir::ValueId> inputs = {};                             ///< by input of torch's graph: its value
    std::vector<CarriedWeight> weights = {};

    /// Returns the IR node that one of torch's nodes represents or was made from, if its mark names one.
    std::optional<ir::NodeId> nodeOf(const torch::jit::Node &node) const;
    const OperandMark *operandOf(const torch::jit::Node &node) const;
};

/// How parameters and buffers appear in torch's graph. Weights that are written to are always inputs.
enum class WeightsAs : std::uint8_t { Inputs, Constants };

/// Makes torch's graph of the main function. Errors (Backend): everything that torch's graph cannot represent and that
/// nothing can stand in for, in one message; weights that cannot be read. Throws torch's exceptions.
Result<JitGraph> jitGraphOf(const Program &program, WeightsAs weights);

/// Whether nodes of this kind belong to torch's interpreter, have no schema and exist in the IR.
bool isOfLanguage(torch::jit::NodeKind kind);

std::string nameOf(ir::ValueId value);

} // namespace cutaway::plugins
