// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluate.h"

namespace cutaway::evaluate {

/// A node whose results are computed: its row, and the input and the results of its shape rule.
struct Computed {
    ir::NodeRef node;
    const ops::Operator &row;
    const ops::Signature *signature; ///< nullptr if the operator is ONNX's
    const ops::Call &facts;
    const ops::Facts &derived;
};

} // namespace cutaway::evaluate
