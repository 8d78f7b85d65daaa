// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"
#include "core/sequence/kernels.h"

namespace cutaway::sequence {

/// The memory traffic of one call of a kernel in bytes: numbers, formulas over the graph's size symbols, or unknown.
struct KernelBytes {
    /// The tensors that the call is given to read and to write, each as large as it is passed. Of a graph's input, no
    /// more than its nodes read.
    ir::Dim read = ir::UnknownDim{}, written = ir::UnknownDim{};
    /// The bytes that its nodes would read and write each by itself, less those of the call; negative where it moves
    /// more, as a kernel does that lays out the operands of a library call. A node that several kernels are named
    /// after counts for the library call among them, else for the first; what further library calls move is unknown.
    /// Unknown where it is not sure which nodes they are.
    ir::Dim saved = ir::UnknownDim{};
};

/// The traffic of all kernels of a sequence, as kernelsOf() gives them; by their places. Reads the graphs that the code
/// was made of; unknown for those that cannot be read.
std::vector<KernelBytes> kernelBytes(const Sequence &sequence, const std::vector<Kernel> &kernels,
                                     const Task &task = {});
/// The traffic of kernels of one graph, which is read already.
std::vector<KernelBytes> kernelBytes(const Sequence &sequence, const std::vector<Kernel> &kernels,
                                     const ir::Model &graph, const Task &task = {});

} // namespace cutaway::sequence
