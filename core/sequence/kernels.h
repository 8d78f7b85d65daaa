// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// The evidence for the nodes of a kernel.
enum class How : std::uint8_t {
    Provenance, ///< the file records which nodes the kernel computes
    Name,
    Source, ///< kernel and node come from the same lines of the user's code
    Structure,
};
std::string_view name(How how); ///< "provenance"

/// A call of a kernel in the code that Inductor made.
struct Kernel {
    std::string name;                  ///< "cpp_fused_gelu_0", "extern_kernels.addmm"
    std::optional<std::uint64_t> call; ///< the number of the call in the code, from 1
    std::string step;                  ///< the address of the graph that the code was made of
    std::vector<std::string> nodes;    ///< the nodes of the graph that the kernel computes
    How how = How::Provenance;
    bool isSure = true;
    std::size_t code = 0;                      ///< the index in Sequence::records of the code
    std::optional<std::uint64_t> line;         ///< the line of the call in the text of the code, from 1
    std::uint64_t firstLine = 0, lastLine = 0; ///< the lines of the kernel's source in the code; 0 if the code has no
                                               ///< source of it
};

/// Returns "triton", "cpp", or "extern" for a call of a library or of PyTorch's own operator.
std::string_view kindOf(const Kernel &kernel);

/// Whether a record of this name is code that calls kernels.
bool isKernelCode(std::string_view record);
/// Returns the language of the code in the record of this name, for which isKernelCode() holds: "C++" if it was
/// compiled ahead of time, else "Python".
std::string_view languageOf(std::string_view record);

/// Returns the kernels of a compilation, in the order in which the code calls them.
std::vector<Kernel> kernelsOf(const Sequence &sequence, bool useProvenance = true);

} // namespace cutaway::sequence
