// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <string_view>
#include <vector>

namespace cutaway::sequence {

/// A line of the source of a kernel, and a node that it computes or helps to compute.
struct KernelLine {
    std::uint32_t line = 0; ///< the number of the line, from 1, in the text of the code
    ir::NodeId node;
    auto operator<=>(const KernelLine &) const = default;
};

/// Returns which nodes the lines within kernels compute: `auto tmp2 = tmp0 * tmp1;` is the multiplication among the
/// kernel's nodes that has these operands; see kernel_lines.cpp. A line that several nodes need, such as a load of a
/// value that all of them read, is listed for each of them. `function` is divided into kernels (kernel_modules.h), and
/// `code` is the text of their code. The lines are in order, each once per node. A kernel none of whose statements is
/// understood has no lines; nor have calls after the first one that exceeds limits::maxKernelLines or maxKernelSteps.
std::vector<KernelLine> kernelLines(const ir::Model &model, ir::FunctionId function, std::string_view code);

} // namespace cutaway::sequence
