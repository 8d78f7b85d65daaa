// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/scope_tree.h"

#include "core/ir/context.h"

namespace cutaway::ir {

bool isWithin(const Context &context, ScopeId scope, ScopeId ancestor)
{
    while (scope != ancestor && scope != ScopeId{})
        scope = context.at(scope).parent;
    return scope == ancestor;
}

int scopeDepth(const Context &context, ScopeId scope)
{
    int depth = 0;
    for (; scope != ScopeId{}; scope = context.at(scope).parent)
        ++depth;
    return depth;
}

} // namespace cutaway::ir
