// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/saved_profile.h"

namespace cutaway::run {

/// The times of a saved profile on the nodes of a model.
struct Reopened {
    run::Timing timing;
    std::vector<std::string> notes; ///< sentences on what does not fit: nodes that are not there, another file
};

/// Finds the nodes again by id, name and operator; a note tells if the model's file has changed. Errors (Usage): the
/// model is another one, of another format or without any of the nodes, and which it has not.
Result<Reopened> reopen(const run::SavedProfile &saved, const ir::Model &model, ir::FunctionId function);

/// The inputs that the profile was taken with, as `--input` takes them: "x=1x3x224x224:float32".
std::vector<std::string> inputTexts(const run::SavedProfile &saved);

} // namespace cutaway::run
