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

/// Returns torch's dtype; nothing if torch lacks it.
std::optional<c10::ScalarType> scalarType(ir::DType dtype);
std::optional<ir::DType> dtypeOf(c10::ScalarType type);

c10::Layout torchLayout(ir::Layout layout);
c10::MemoryFormat torchMemoryFormat(ir::MemoryFormat format);

/// Returns torch's type of a value, as lists and dictionaries need it for their items; Any for types that torch lacks.
c10::TypePtr torchType(const ir::Context &context, ir::TypeId type);

/// Returns the IR's type for one of torch's; an unknown type if the IR has none.
ir::TypeId irType(ir::Context &context, const c10::TypePtr &type);

} // namespace cutaway::plugins
