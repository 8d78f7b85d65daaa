// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"
#include "core/sequence/kernels.h"

namespace cutaway::sequence {

/// The memory traffic of one call of a kernel in bytes: numbers, formulas over the graph's size symbols, or unknown.
struct KernelBytes {
    /// The bytes of the tensors that are passed to the call to be read and to be written. An input of the graph counts
    /// only as far as the kernel's nodes read it, any other tensor entirely.
    ir::Dim read = ir::UnknownDim{}, written = ir::UnknownDim{};
    /// The bytes that the kernel's nodes would read and write if each ran by itself, less those of the call. It is
    /// negative if the traffic of the call is larger, as that of a kernel that lays out the operands of a library call.
    /// A node that several kernels are named after counts for the library call among them, else for the first; the
    /// traffic of further library calls for this node is unknown. `saved` is unknown if it is not sure which nodes the
    /// kernel computes.
    ir::Dim saved = ir::UnknownDim{};
};

/// Returns the memory traffic of all kernels of a sequence, in the order of kernelsOf(). Reads the graphs that the code
/// was made from; the traffic is unknown if its graph cannot be read.
std::vector<KernelBytes> kernelBytes(const Sequence &sequence, const std::vector<Kernel> &kernels,
                                     const Task &task = {});
/// Returns the memory traffic of the kernels of one graph; `graph` is this graph, already read.
std::vector<KernelBytes> kernelBytes(const Sequence &sequence, const std::vector<Kernel> &kernels,
                                     const ir::Model &graph, const Task &task = {});

} // namespace cutaway::sequence
