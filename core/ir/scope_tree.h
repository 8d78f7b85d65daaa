// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"

namespace cutaway::ir {

class Context;

/// Whether the module call `scope` is `ancestor` or nested in it.
bool isWithin(const Context &context, ScopeId scope, ScopeId ancestor);

/// Returns the number of module calls from the root down to `scope`; 0 for the root.
int scopeDepth(const Context &context, ScopeId scope);

} // namespace cutaway::ir
