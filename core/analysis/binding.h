// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"
#include "core/ops/facts/fact.h"
#include "core/symbolic/evaluate.h"

#include <functional>

namespace cutaway::analysis {

// Return the first argument with the bound symbols replaced by their values and constant parts computed. A size is
// unknown if it cannot be computed, as a division by zero.
ir::Dim bound(const symbolic::Expr &expr, const symbolic::Bindings &bindings);
ir::Dim bound(const ir::Dim &dim, const symbolic::Bindings &bindings);
ir::Shape bound(ir::Shape shape, const symbolic::Bindings &bindings);
/// Binds the sizes in a fact: a tensor's shape and strides, a number, the items of a list.
ops::Fact bound(ops::Fact fact, const symbolic::Bindings &bindings);
/// Applies `sizeOf` to each size in a fact: of a shape, strides, a number, the items of a list.
ops::Fact withSizes(ops::Fact fact, const std::function<ir::Dim(const ir::Dim &)> &sizeOf);

} // namespace cutaway::analysis
