// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// How it is known which nodes belong together.
enum class How : std::uint8_t {
    Provenance, ///< the file says it
    Name,
    Source, ///< they come from the same lines of the user's code
    Structure,
};
std::string_view name(How how); ///< "provenance"

/// A call of a kernel in the code that Inductor made.
struct Kernel {
    std::string name;                  ///< "cpp_fused_gelu_0", "extern_kernels.addmm"
    std::optional<std::uint64_t> call; ///< its number in the code, from 1
    std::string step;                  ///< the address of the graph that the code was made of
    std::vector<std::string> nodes;    ///< the graph's nodes that it computes
    How how = How::Provenance;
    bool isSure = true;
    std::size_t code = 0;                      ///< which of Sequence::records the code is
    std::optional<std::uint64_t> line;         ///< the line of the call in the text of the code, from 1
    std::uint64_t firstLine = 0, lastLine = 0; ///< lines of its source in the text of the code; 0: it has none
};

/// "triton", "cpp", or "extern" for a call of a library or of PyTorch's own operator.
std::string_view kindOf(const Kernel &kernel);

/// Whether a record of this name is code that calls kernels.
bool isKernelCode(std::string_view record);
/// "Python", or "C++" for that which was made ahead of time. `kernelCode`: the name of such a record.
std::string_view languageOf(std::string_view kernelCode);

/// The kernels of a compilation, in the order in which the code calls them.
std::vector<Kernel> kernelsOf(const Sequence &sequence, bool useProvenance = true);

} // namespace cutaway::sequence
