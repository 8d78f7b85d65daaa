// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/sequence/address.h"
#include "core/trace/trace.h"

namespace cutaway::trace {

/// A part of the model that may have an event of its own in a trace: a node, or the nodes of a kernel.
struct Unit {
    std::string name; ///< the name, see operatorName()
    std::vector<ir::NodeId> nodes;
    std::string scope;                            ///< module path
    std::vector<std::optional<std::string>> dims; ///< each operand's dimensions, as in an event; nothing if not known
    bool makesTensor = true; ///< whether it makes a tensor; if it makes a number, the code around the model may ask for
                             ///< it, too
};

/// The units of a model in the order in which they run.
struct Units {
    std::vector<Unit> all;
    bool areKernels = false; ///< whether the units are kernels that torch.compile made, and not nodes
};

/// Returns the nodes of a function that profilers may record: not those of Python's and TorchScript's own dialects.
Units unitsOf(const ir::Model &model, const analysis::Analysis &analysis);

/// Returns the kernels of the code that was made of a step's graph, `model`; the graph's nodes if there is no code.
Units unitsOf(const ir::Model &model, const analysis::Analysis &analysis, const sequence::FoundStep &step);

/// Returns the operator in the name of an event or a kernel, without its namespace, the number of its graph and the
/// underscore of operators in place: "add" for "aten::add_", "cpp_fused_relu_0" for "graph_0_cpp_fused_relu_0", "addmm"
/// for "extern_kernels.addmm".
std::string_view operatorName(std::string_view name);

} // namespace cutaway::trace
