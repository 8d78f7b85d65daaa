// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/weights/rounding.h"

namespace cutaway::diff {

double roundingOf(ir::DType dtype)
{
    switch (dtype) {
    case ir::DType::Float64:
        return 1e-9;
    case ir::DType::Float16:
        return 1e-2;
    case ir::DType::BFloat16:
        return 5e-2;
    default:
        return 2e-5;
    }
}

} // namespace cutaway::diff
