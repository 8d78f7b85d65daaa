// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <string_view>
#include <vector>

namespace cutaway::sequence {

/// A line of the source of a kernel, and a node that it computes, in part perhaps.
struct KernelLine {
    std::uint32_t line = 0; ///< from 1, in the text of the code
    ir::NodeId node;
    auto operator<=>(const KernelLine &) const = default;
};

/// Tells which nodes the lines within kernels compute: `auto tmp2 = tmp0 * tmp1;` is that multiplication of the
/// kernel's nodes which has these operands; see kernel_lines.cpp. A line that several nodes share, as a load of what
/// all of them read, is of each. `function` is divided into kernels (kernel_modules.h), and `code` is the text of their
/// code. In order, each once; nothing of a kernel of which no statement is understood, nor of the calls from the one on
/// that is beyond limits::maxKernelLines or maxKernelSteps.
std::vector<KernelLine> kernelLines(const ir::Model &model, ir::FunctionId function, std::string_view code);

} // namespace cutaway::sequence
