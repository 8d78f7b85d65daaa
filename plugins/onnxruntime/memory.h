// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/onnxruntime/loaded_model.h"

namespace cutaway::plugins {

/// Adds to a profile the memory that each node of the model needs. It is found by counting allocations in one more run,
/// in a session that caches no memory. Errors: those of LoadedModel::run().
Result<void> measureMemory(const LoadedModel &model, std::span<NamedInput> inputs, const std::stop_token &stop,
                           protocol::Profile::Result &profile);

} // namespace cutaway::plugins
