// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/saved_profile.h"

namespace cutaway::run {

/// A saved profile's times, assigned to the nodes of a model.
struct Reopened {
    run::Timing timing;
    std::vector<std::string> notes; ///< sentences about mismatches: missing nodes, a changed file
};

/// Finds the profile's nodes by id, name and operator; a note says whether the model's file has changed. Errors
/// (Usage): another model: of another format or without any of the nodes, with the missing names.
Result<Reopened> reopen(const run::SavedProfile &saved, const ir::Model &model, ir::FunctionId function);

/// Returns shape and dtype of an input as `--input` takes them: "x=1x3x224x224:float32".
std::string inputText(const InputSize &input);
/// Returns inputText() for all inputs of the profile.
std::vector<std::string> inputTexts(const run::SavedProfile &saved);

} // namespace cutaway::run
