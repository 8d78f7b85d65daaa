// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// The gradients that a call's `output_mask` wants; None in place of the others.
Answer wantedGradients(const Call &call, Facts all);

} // namespace cutaway::ops
