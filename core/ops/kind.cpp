// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/kind.h"

#include "core/ops/operator.h"

namespace cutaway::ops {

namespace {

std::string_view withoutCopy(std::string_view name)
{
    if (name.ends_with("_copy") && name != "index_copy") // index_copy is no variant of `index`: it copies into a tensor
        name.remove_suffix(5);
    return name;
}

} // namespace

OperatorKind kindOf(std::string_view dialect, std::string_view name)
{
    const auto found = findRow(dialect, name);
    if (!found)
        return {};
    return found->row->traits.kind == OperatorKind() ? OperatorKind(withoutCopy(found->plain))
                                                     : found->row->traits.kind;
}

} // namespace cutaway::ops
