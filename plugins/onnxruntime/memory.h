// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/onnxruntime/loaded_model.h"

namespace cutaway::plugins {

/// Adds to a profile what the model's nodes need of memory, counted at each allocation of one more run, in a session
/// that keeps nothing for later. Errors: those of LoadedModel::run().
Result<void> measureMemory(const LoadedModel &model, std::span<NamedInput> inputs, const std::stop_token &stop,
                           protocol::Profile::Result &profile);

} // namespace cutaway::plugins
