// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/onnxruntime/loaded_model.h"

namespace cutaway::plugins {

/// Times a model, see protocol::Profile. Errors: those of LoadedModel::run().
Result<protocol::Profile::Result> profile(LoadedModel &model, std::span<NamedInput> inputs,
                                          const protocol::Profile &wishes, std::stop_token stop);

/// The spread of times in seconds; of none all is 0.
protocol::Spread spreadOf(std::vector<double> seconds);

/// What ONNX Runtime's profiler has written, in the order in which the nodes run; the first runs are left out. Times of
/// a node that runs several times in one run are added up. Errors (Backend): it is not what was expected.
Result<protocol::Profile::Result> readProfile(std::string_view json, std::uint64_t runsLeftOut);

} // namespace cutaway::plugins
