// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/ir/model.h"
#include "core/sequence/address.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cutaway::sequence {

/// Puts the nodes of a graph that Inductor's code was made of into modules, one for each call of a kernel, named as
/// torch does: "cpp_fused_gelu_0:2". A node that several kernels are named after is in that of the library call among
/// them, else in the first; nodes that none computes are in no module. What the kernels read, write and save, and their
/// lines in the code become attributes of the modules, and the code an attachment unless it is very long. `model` has
/// the graph of `step`, a step of `sequence`. Returns the number of modules: 0 where the log has no code of the step.
std::size_t divideIntoKernels(ir::Model &model, const Sequence &sequence, const Step &step, const Task &task = {});

/// Opens what open() does, a graph with code divided into kernels. Errors: as open().
Result<ir::Model> openInKernels(const std::string &address, const Task &task = {});
/// Opens a step in this way. Errors: as openStep().
Result<ir::Model> openInKernels(const FoundStep &found, const Task &task = {});

/// Says what a kernel's module reads, writes and saves: "reads 1.5 KiB, writes 512 B, saves 9.1 KiB"; "" for another
/// module or where nothing is known. `path`: of the module.
std::string trafficText(const ir::Model &model, ir::NameId path);

/// Where a kernel's module comes from.
struct KernelCode {
    std::string attachment; ///< the model's attachment with the code; it may be missing
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lines; ///< first and last, from 1: its source, and the call
};
/// Nothing for another module. `path`: of the module. The code may have fewer lines, since a file can say anything.
std::optional<KernelCode> kernelCode(const ir::Model &model, ir::NameId path);

} // namespace cutaway::sequence
