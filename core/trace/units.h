// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/sequence/address.h"
#include "core/trace/trace.h"

namespace cutaway::trace {

/// A part of the model that may have an event of its own in a trace: a node, or the nodes of a kernel.
struct Unit {
    std::string name; ///< as operatorName() gives it
    std::vector<ir::NodeId> nodes;
    std::string scope;                            ///< module path
    std::vector<std::optional<std::string>> dims; ///< each operand's dimensions, as in an event; nothing: not known
    bool makesTensor = true;                      ///< else a number: code around the model asks for sizes, too
};

/// The units of a model in the order in which they run.
struct Units {
    std::vector<Unit> all;
    bool areKernels = false; ///< the units are kernels of code that torch.compile made; else they are nodes
};

/// The nodes of a function that profilers may see: those of Python's and TorchScript's own dialects are left out.
Units unitsOf(const ir::Model &model, const analysis::Analysis &analysis);

/// The kernels of the code that was made of a step's graph, `model`; the graph's nodes if there is no code.
Units unitsOf(const ir::Model &model, const analysis::Analysis &analysis, const sequence::FoundStep &step);

/// The operator in the name of an event or a kernel, without its namespace, the number of its graph and the mark of
/// operators that write in place: "aten::add_" → "add", "graph_0_cpp_fused_relu_0" → "cpp_fused_relu_0",
/// "extern_kernels.addmm" → "addmm".
std::string_view operatorName(std::string_view name);

} // namespace cutaway::trace
