// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/torch/torch_module.h"

#include <filesystem>

namespace cutaway::print {

/// Writes the code to `path` and the weights to a file beside it, model.safetensors for model.py. Errors (Backend):
/// those of the disk; (Unreadable): missing bytes of weights.
Result<void> writeTorchModule(const TorchModule &module, const std::filesystem::path &path);

} // namespace cutaway::print
