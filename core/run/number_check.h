// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/proof/number_check.h"
#include "core/run/backend.h"

namespace cutaway::run {

/// Returns a check that compares each step's results with those of the first state, which is run right away with these
/// inputs. Errors: those of Backend::run().
Result<passes::NumberCheck> numberCheck(std::shared_ptr<Backend> backend, const Subject &first, Inputs inputs,
                                        const Task &task = {});

} // namespace cutaway::run
