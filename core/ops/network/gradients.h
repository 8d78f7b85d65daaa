// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// Returns the gradients that a call's `output_mask` selects, and None for the others.
Answer wantedGradients(const Call &call, Facts all);

} // namespace cutaway::ops
