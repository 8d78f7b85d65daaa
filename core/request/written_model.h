// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/base/result.h"
#include "core/ir/model.h"

#include <filesystem>

namespace cutaway::request {

/// Returns a state of the model as it is to be run with sizes that replace those of `file`. Its inputs have the new
/// sizes, and the types of inner values are the derived ones, as giveInputs() has removed the recorded ones. Sizes that
/// the file leaves open are open again.
ir::Model withGivenSizes(const ir::Model &state, const ir::Model &file, ir::FunctionId function);

/// The states of a function before and after passes.
struct States {
    const ir::Model &file;
    const ir::Model &given; ///< the model with the user's inputs, before the first pass
    const ir::Model &last;  ///< the model after the last pass
};

/// Returns the last state in the form to write to `path`: withoutGiven(), or withGivenSizes() if the user gives other
/// sizes than the file fixes (analysis::Given::replaced). Errors (Usage): the model does not follow such sizes
/// everywhere; the user gives another dtype, too; the format records sizes in further places.
Result<ir::Model> modelToWrite(const States &states, ir::FunctionId function, const analysis::Given &given,
                               const std::filesystem::path &path);

} // namespace cutaway::request
