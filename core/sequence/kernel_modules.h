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

/// Puts the nodes of a graph that Inductor made code of into modules, one for each call of a kernel, named as torch
/// does: "cpp_fused_gelu_0:2". A node that several kernels are named after is in the module of the library call among
/// them, else in that of the first; nodes that no kernel computes are in no module. The memory traffic of kernels, and
/// their lines in the code, become attributes of the modules, and the code becomes an attachment unless it is very
/// long. `model` has the graph of `step`, a step of `sequence`. Returns the number of modules: 0 if the log has no code
/// of the step.
std::size_t divideIntoKernels(ir::Model &model, const Sequence &sequence, const Step &step, const Task &task = {});

/// Opens what open() opens; a graph that the log has code for is divided into kernels. Errors: those of open().
Result<ir::Model> openInKernels(const std::string &address, const Task &task = {});
/// Opens a step of a log, divided into kernels if the log has code for it. Errors: those of openStep().
Result<ir::Model> openInKernels(const FoundStep &found, const Task &task = {});

/// Returns what a kernel's module reads, writes and saves: "reads 1.5 KiB, writes 512 B, saves 9.1 KiB"; "" for another
/// module or if nothing is known. `path`: the path of the module.
std::string trafficText(const ir::Model &model, ir::NameId path);

/// Where the source of a kernel's module is.
struct KernelCode {
    std::string attachment; ///< the name of the attachment with the code; the model may lack it
    /// The first and last line of the kernel's source, and those of its call, counted from 1.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lines;
};
/// Returns the source of a module; nothing if `path` is that of another module. The code may have fewer lines than the
/// numbers say, since a file can contain any numbers.
std::optional<KernelCode> kernelCode(const ir::Model &model, ir::NameId path);

} // namespace cutaway::sequence
