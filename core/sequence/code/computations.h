// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ops/kind.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>

namespace cutaway::sequence {

using Values = std::vector<ir::ValueId>;
/// The limit of values of the graph that a value in a kernel may stand for, so that their list is quick to copy and
/// search; if there are more, the value counts as unknown.
inline constexpr std::size_t mostValues = 64;

/// A node as the statements of a kernel compute it. If nodes that only move elements made an operand, the value before
/// these nodes stands for it.
struct Computation {
    ir::NodeId node;
    ops::OperatorKind kind;
    bool commutes = false;
    bool isMoving = false; ///< whether it only changes the shape or type of its one operand
    std::vector<std::variant<ir::ValueId, double>> operands;
    Values results;
};

/// Whether an operation of a statement, "mul" or "max2" in a Triton kernel, may be that of the node.
bool isOperation(std::string_view operation, const Computation &node);

/// Whether the first two operands of the node may be exchanged.
bool maySwap(const Computation &node);

/// The nodes of a function that is divided into kernels (kernel_modules.h), by kernel. The function has to outlive it.
class Computations {
public:
    explicit Computations(const ir::Function &function);

    /// Returns the nodes that a call of a kernel computes; `kernel` is like "cpp_fused_gelu_0:2".
    const std::vector<Computation> &of(const std::string &kernel) const;

    /// Returns the value from which nodes that only move elements made `value`; `value` itself if there is none.
    ir::ValueId originOf(ir::ValueId value) const;
    std::optional<ir::NodeId> producerOf(ir::ValueId value) const;
    std::optional<ir::ValueId> input(std::string_view name) const;

private:
    Computation computationOf(const ir::NodeRef &node) const;

    std::map<std::string, std::vector<Computation>, std::less<>> m_byKernel;
    std::unordered_map<ir::ValueId, ir::ValueId> m_origins;
    std::unordered_map<ir::ValueId, ir::NodeId> m_producers;
    std::unordered_map<std::string_view, ir::ValueId> m_inputs;
};

} // namespace cutaway::sequence
