// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/routine.h"

namespace cutaway::plugins {

/// Returns the value of an argument for a call.
c10::IValue valueOf(const Argument &argument, const Frame &frame);

/// Converts a value to the type that an operator wants: numbers to tensors without dimensions and back, integers to
/// floats, a number to a list. Returns it unchanged if it fits or cannot be converted.
c10::IValue adapted(c10::IValue value, const Wanted &wanted);

/// Returns a number as a tensor that does not affect type promotion.
at::Tensor wrappedNumber(const c10::Scalar &number);

} // namespace cutaway::plugins
