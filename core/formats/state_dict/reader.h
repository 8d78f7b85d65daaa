// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/format.h"

namespace cutaway::formats::state_dict {

/// Whether torch.save wrote a dict that contains tensors at any depth: a state dict, a training checkpoint.
bool sniff(const archive::Probe &file);

/// Reads the tensors; the name of each is its keys, joined by dots: "optimizer.state.0.exp_avg". Numbers and short
/// texts become metadata of the model; other values are skipped, with diagnostics. Errors: those of the archive and
/// the pickle; there is no dict; values occur in too many places; a tensor's sizes and strides make no sense.
Result<ir::Model> read(const archive::Probe &file, const Task &task);

} // namespace cutaway::formats::state_dict
