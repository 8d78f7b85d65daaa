// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/dtype.h"

#include <ATen/core/jit_type.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <optional>

namespace cutaway::plugins {

/// What torch calls a dtype; nothing where it has none such.
std::optional<c10::ScalarType> scalarType(ir::DType dtype);
std::optional<ir::DType> dtypeOf(c10::ScalarType type);

c10::Layout torchLayout(ir::Layout layout);
c10::MemoryFormat torchMemoryFormat(ir::MemoryFormat format);

/// The type of values, as lists and dictionaries of torch need it for what they hold; Any for what torch cannot name.
c10::TypePtr torchType(const ir::Context &context, ir::TypeId type);

/// The way back; an unknown type for what it knows no other of.
ir::TypeId irType(ir::Context &context, const c10::TypePtr &type);

} // namespace cutaway::plugins
