// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/interned_strings.h>
#include <ATen/core/jit_type.h>
#include <optional>

/// Tests of torch's types, and conversions between them.
namespace cutaway::plugins {

bool isAny(const c10::TypePtr &type);
bool isNumber(const c10::TypePtr &type);
/// Whether the type excludes None.
bool isSomething(const c10::TypePtr &type);
/// Returns the type without None; nullptr for nullptr.
c10::TypePtr withoutOptional(const c10::TypePtr &type);

/// Returns the operator with which TorchScript converts implicitly: a tensor to a number, or an int to a float. Returns
/// nothing for other types.
std::optional<c10::Symbol> conversion(const c10::TypePtr &from, const c10::TypePtr &to);

} // namespace cutaway::plugins
