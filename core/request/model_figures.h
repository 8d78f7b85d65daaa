// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/request/assertion.h"

namespace cutaway::request {

/// Returns the figures that can be asserted before a run: flops, macs (half of them: a multiply-add is two), bytes
/// (read and written by nodes), params (elements of parameters), weights (bytes of all stored tensors), peak (bytes of
/// activations), nodes, ops (names of the operators, also of called functions), inputs and outputs (their dtypes).
std::span<const NamedFigure> modelFigures();

/// Returns all these figures of the function that was analysed.
Figures figuresOf(const ir::Model &model, const analysis::Analysis &analysis);

} // namespace cutaway::request
