// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/onnxruntime/loaded_model.h"

#include <set>

namespace cutaway::plugins {

/// Times a model, see protocol::Profile. Errors: those of LoadedModel::run().
Result<protocol::Profile::Result> profile(LoadedModel &model, std::span<NamedInput> inputs,
                                          const protocol::Profile &request, std::stop_token stop);

/// The start and end of a node's execution, in microseconds of the profiler's clock.
struct NodeInterval {
    std::string name, op;
    std::uint64_t index;
    std::int64_t begin, end;
};
/// Returns the intervals of the last run. Errors (Backend): the profile has an unexpected form.
Result<std::vector<NodeInterval>> readIntervals(std::string_view json);

/// Reads the file of ONNX Runtime's profiler: nodes in execution order, with times of the runs in `counted`. Times of a
/// node that runs several times within a run are added up. Errors (Backend): the profile has an unexpected form.
Result<protocol::Profile::Result> readProfile(std::string_view json, const std::set<std::size_t> &counted);

} // namespace cutaway::plugins
