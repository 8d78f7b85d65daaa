// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/interned_strings.h>
#include <ATen/core/jit_type.h>
#include <optional>

/// What torch's types say of how a value may be read.
namespace cutaway::plugins {

bool isAny(const c10::TypePtr &type);
bool isNumber(const c10::TypePtr &type);
/// Whether None is no value of this type.
bool isSomething(const c10::TypePtr &type);
/// What it is if it is not None; nothing of nothing.
c10::TypePtr withoutOptional(const c10::TypePtr &type);

/// What makes a number of a tensor, or a float of an int, where torch's language does it unsaid.
std::optional<c10::Symbol> conversion(const c10::TypePtr &from, const c10::TypePtr &to);

} // namespace cutaway::plugins
