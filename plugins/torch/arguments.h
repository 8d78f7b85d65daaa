// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/program.h"

namespace cutaway::plugins {

/// An argument as it is given to an operator.
c10::IValue valueOf(const Argument &argument, const Frame &frame);

/// The value as an operator wants it: numbers as tensors without dimensions and back, whole numbers as floats, a number
/// as a list of its like. As it is where that is right, or nothing would be.
c10::IValue adapted(c10::IValue value, const Wanted &wanted);

/// A number as a tensor that promotes no other's dtype.
at::Tensor wrappedNumber(const c10::Scalar &number);

} // namespace cutaway::plugins
