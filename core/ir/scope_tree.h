// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"

namespace cutaway::ir {

class Context;

/// Whether the module call `scope` is `ancestor` or lies in it.
bool isWithin(const Context &context, ScopeId scope, ScopeId ancestor);

/// Module calls around the root: 0 for the root itself.
int scopeDepth(const Context &context, ScopeId scope);

} // namespace cutaway::ir
