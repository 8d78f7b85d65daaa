// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/base/result.h"
#include "core/ir/model.h"

#include <filesystem>

namespace cutaway::request {

/// Returns a state of the model as it is to be run with sizes that replace those of `file` (giveInputs() has removed
/// the sizes that the file records of inner values): its inputs have the new sizes, and derived types are recorded.
/// Sizes that the file leaves open are open again.
ir::Model withGivenSizes(const ir::Model &state, const ir::Model &file, ir::FunctionId function);

/// A function's states around passes.
struct States {
    const ir::Model &file;  ///< as it was read
    const ir::Model &given; ///< with what the user gives, before the first pass
    const ir::Model &last;  ///< after the last pass
};

/// The last state as it is to be written to `path`: withoutGiven(), or where the user gives other sizes than the file
/// fixes (analysis::Given::replaced) withGivenSizes(). Errors (Usage): the model does not follow such sizes everywhere;
/// they include a dtype; the format records them elsewhere.
Result<ir::Model> modelToWrite(const States &states, ir::FunctionId function, const analysis::Given &given,
                               const std::filesystem::path &path);

} // namespace cutaway::request
