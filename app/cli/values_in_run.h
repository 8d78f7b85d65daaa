// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"

#include <map>
#include <span>

namespace cutaway::cli {

using ValuesInRun = std::map<ir::ValueId, protocol::Tensor>;

/// Returns tensors of a run on `inputs` by value of the body: the inputs as they are given, and the `wanted` results of
/// nodes as the backend computes them. A value that is not a tensor is left out. Errors: those of the backend.
Result<ValuesInRun> valuesInRun(run::Backend &backend, const run::Subject &subject, const run::Inputs &inputs,
                                std::span<const ir::ValueId> wanted);

} // namespace cutaway::cli
