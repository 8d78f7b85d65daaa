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

/// Finds the profile's nodes by id, name and operator. A note says if the model's file has changed. Errors (Usage): it
/// is another model: its format differs, or it has none of the nodes, whose names are listed.
Result<Reopened> reopen(const run::SavedProfile &saved, const ir::Model &model, ir::FunctionId function);

/// Returns shape and dtype of an input in the form of `--input`: "x=1x3x224x224:float32".
std::string inputText(const InputSize &input);
/// Returns inputText() for all inputs of the profile.
std::vector<std::string> inputTexts(const run::SavedProfile &saved);

} // namespace cutaway::run
