// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/onnxruntime/loaded_model.h"

#include <set>

namespace cutaway::plugins {

/// Times a model, see protocol::Profile. Errors: those of LoadedModel::run().
Result<protocol::Profile::Result> profile(LoadedModel &model, std::span<NamedInput> inputs,
                                          const protocol::Profile &request, std::stop_token stop);

/// When a node ran: microseconds of the profiler's clock.
struct NodeInterval {
    std::string name, op;
    std::uint64_t index;
    std::int64_t begin, end;
};
/// Of the last run. Errors (Backend): the profile is not what was expected.
Result<std::vector<NodeInterval>> readIntervals(std::string_view json);

/// What ONNX Runtime's profiler has written, in the order in which the nodes run, of the runs `counted`. Times of a
/// node that runs several times in one run are added up. Errors (Backend): it is not what was expected.
Result<protocol::Profile::Result> readProfile(std::string_view json, const std::set<std::size_t> &counted);

} // namespace cutaway::plugins
