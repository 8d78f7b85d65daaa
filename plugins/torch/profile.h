// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/models/loaded_model.h"

namespace cutaway::plugins {

/// Times a model, see protocol::Profile; of a graph each node, and what memory values took. Errors: those of
/// LoadedModel::run().
Result<protocol::Profile::Result> profile(LoadedModel &model, const Values &inputs, const protocol::Profile &request,
                                          const std::stop_token &stop);

/// Waits until the device has done all it was given.
void synchronize(c10::Device device);

} // namespace cutaway::plugins
