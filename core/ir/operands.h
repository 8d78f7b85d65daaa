// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"

namespace cutaway::ir {

/// Calls visit(const Operand &) for an operand and for all operands in its lists and dictionaries, in order.
template <class Visit>
void forEachOperand(const Operand &operand, const Visit &visit)
{
    visit(operand);
    if (const auto *list = operand.as<List>())
        for (const Operand &item : list->items)
            forEachOperand(item, visit);
    else if (const auto *dict = operand.as<Dict>())
        for (const Operand &item : dict->items)
            forEachOperand(item, visit);
}

} // namespace cutaway::ir
