// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/interned_strings.h>
#include <ATen/core/jit_type.h>
#include <optional>

/// Conversions between torch's types.
namespace cutaway::plugins {

bool isAny(const c10::TypePtr &type);
bool isNumber(const c10::TypePtr &type);
/// Whether the type excludes None.
bool isSomething(const c10::TypePtr &type);
/// The type without None; null for null.
c10::TypePtr withoutOptional(const c10::TypePtr &type);

/// The operator of an implicit conversion in TorchScript: a tensor to a number, an int to a float.
std::optional<c10::Symbol> conversion(const c10::TypePtr &from, const c10::TypePtr &to);

} // namespace cutaway::plugins
