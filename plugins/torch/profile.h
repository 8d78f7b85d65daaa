// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/models/loaded_model.h"

namespace cutaway::plugins {

/// Times a model, see protocol::Profile; for a graph it times each node, too, and measures the memory of values.
/// Errors: those of LoadedModel::run().
Result<protocol::Profile::Result> profile(LoadedModel &model, const Values &inputs, const protocol::Profile &request,
                                          const std::stop_token &stop);

/// Waits until the device has finished all work.
void synchronize(c10::Device device);

} // namespace cutaway::plugins
