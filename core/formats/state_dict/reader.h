// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/format.h"

namespace cutaway::formats::state_dict {

/// Whether torch.save wrote a dict with tensors in it, at any depth: a state dict, a training checkpoint.
bool sniff(const MappedFile &file);

/// Reads the tensors, each named by its keys with dots between: "optimizer.state.0.exp_avg". Numbers and short texts
/// become metadata of the model; other values that are left out are diagnostics. Errors: those of the archive and the
/// pickle; no dict; values in too many places; a tensor whose sizes and strides make no sense.
Result<ir::Model> read(File file, const Task &task);

/// Reads an archive; `file` is the file that it lies in, from its start. Errors: as read().
Result<ir::Model> readArchive(std::span<const std::byte> bytes, ir::DataFile file);

} // namespace cutaway::formats::state_dict
