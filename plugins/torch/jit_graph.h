// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/marks.h"
#include "plugins/torch/program.h"

#include <torch/csrc/jit/ir/ir.h>

namespace cutaway::plugins {

/// Nodes of torch's graph that make what the IR has as an operand: constants, lists of values, conversions.
struct OperandMark {
    ir::Operand operand;
    std::vector<ir::Operand> inputs = {}; ///< what the node read
};

/// How a node of the IR became one of torch's.
struct CarriedNode {
    struct Input {
        ir::Operand operand;
        std::optional<std::size_t> argument = {}; ///< which of the node's; nothing: the schema's default
    };
    const torch::jit::Node *node = nullptr; ///< to compare with; passes may have destroyed it
    torch::jit::NodeKind kind = torch::jit::prim::Constant;
    std::vector<Input> inputs = {};
};

/// A weight that is a constant of the graph.
struct CarriedWeight {
    ir::ValueId value;
    ir::TensorId tensor;
    at::Tensor elements;
    torch::jit::Value *constant;
};

/// The body of a function as torch's graph. Values that the IR knows are called "v" and their number.
struct JitGraph {
    std::shared_ptr<torch::jit::Graph> graph = std::make_shared<torch::jit::Graph>();
    Marks marks = {};
    std::vector<std::variant<ir::NodeId, OperandMark>> meanings = {}; ///< by the number of the mark
    std::vector<CarriedNode> nodes = {};                              ///< by NodeId
    std::vector<ir::ValueId> inputs = {};                             ///< what its inputs are
    std::vector<CarriedWeight> weights = {};

    /// The node of the IR that one of torch's stands for or was made from, if its place tells.
    std::optional<ir::NodeId> nodeOf(const torch::jit::Node &node) const;
    const OperandMark *operandOf(const torch::jit::Node &node) const;
};

/// What parameters and buffers are in torch's graph. What is written to is an input in any case.
enum class WeightsAs : std::uint8_t { Inputs, Constants };

/// Errors (Backend): all that torch's graphs cannot hold, in one sentence; weights that cannot be read. Throws what
/// torch throws.
Result<JitGraph> jitGraphOf(const Program &program, WeightsAs weights);

/// Whether the IR has such nodes, which are of torch's interpreter and have no schema.
bool isOfLanguage(torch::jit::NodeKind kind);

std::string nameOf(ir::ValueId value);

} // namespace cutaway::plugins
