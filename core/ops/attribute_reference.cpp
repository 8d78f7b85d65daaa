// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/attribute_reference.h"

#include "core/ir/context.h"

namespace cutaway::ops {

std::optional<ir::NameId> referredAttribute(const ir::Context &context, const ir::Operand &operand)
{
    const auto *dict = operand.as<ir::Dict>();
    const auto *key = dict && dict->items.size() >= 2 ? dict->items[0].as<ir::String>() : nullptr;
    const auto *name = key && context.text(key->text) == "ref_attr_name" ? dict->items[1].as<ir::String>() : nullptr;
    return name ? std::optional(name->text) : std::nullopt;
}

} // namespace cutaway::ops
