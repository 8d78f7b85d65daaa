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
/// A value that may be one of more of the graph than these is not known, so that all are quickly copied and searched.
inline constexpr std::size_t mostValues = 64;

/// A node as the statements of a kernel compute it. Values are what they are before elements are moved.
struct Computation {
    ir::NodeId node;
    ops::OperatorKind kind;
    bool commutes = false;
    bool isMoving = false; ///< its one operand has another shape or type
    std::vector<std::variant<ir::ValueId, double>> operands;
    Values results;
};

/// Whether an operation of a statement may be the node's: "mul", "max2" of a Triton kernel.
bool isOperation(std::string_view operation, const Computation &node);

/// Whether the node may have its first two operands swapped.
bool maySwap(const Computation &node);

/// The nodes of a function that is divided into kernels (kernel_modules.h), by the kernels that compute them. It refers
/// to the function.
class Computations {
public:
    explicit Computations(const ir::Function &function);

    /// The nodes of a kernel: "cpp_fused_gelu_0:2".
    const std::vector<Computation> &of(const std::string &kernel) const;

    /// The value that this one was before its elements were moved.
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
