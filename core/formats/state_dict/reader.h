// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/format.h"

namespace cutaway::formats::state_dict {

/// Whether torch.save wrote a dict with tensors in it, at any depth: a state dict, a training checkpoint.
bool sniff(const archive::Probe &file);

/// Reads the tensors, each named by its keys with dots between: "optimizer.state.0.exp_avg". Numbers and short texts
/// become metadata of the model; other values that are left out are diagnostics. Errors: those of the archive and the
/// pickle; no dict; values in too many places; a tensor whose sizes and strides make no sense.
Result<ir::Model> read(const archive::Probe &file, const Task &task);

} // namespace cutaway::formats::state_dict
