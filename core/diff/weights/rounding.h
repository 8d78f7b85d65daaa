// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dtype.h"

namespace cutaway::diff {

/// How far two ways to compute the same may be apart, relative to the number: some roundings of the dtype.
double roundingOf(ir::DType dtype);

} // namespace cutaway::diff
