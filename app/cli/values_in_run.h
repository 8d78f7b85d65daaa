// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"

#include <map>
#include <span>

namespace cutaway::cli {

using ValuesInRun = std::map<ir::ValueId, protocol::Tensor>;

/// What values of the body are in a run on these inputs: inputs as they are given, results of nodes as the backend
/// computes them. What is no tensor is left out. Errors: those of the backend.
Result<ValuesInRun> valuesInRun(run::Backend &backend, const run::Subject &subject, const run::Inputs &inputs,
                                std::span<const ir::ValueId> wanted);

} // namespace cutaway::cli
