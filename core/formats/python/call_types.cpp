// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/python/call_types.h"

namespace cutaway::formats::python {

using ir::CompoundType;
using ir::PlainType;

ir::TypeId CallTypes::listOf(std::span<const ir::TypeId> items)
{
    if (items.empty())
        return compound(CompoundType::Kind::List, {ir::TypeId{}}); // the type of `[]`, which fits every list
    const ir::TypeId none = plain(PlainType::Kind::None);
    ir::TypeId joined = none;
    bool hasNone = false;
    for (const ir::TypeId item : items) {
        const ir::TypeId type = isTensor(item) ? tensor() : item;
        hasNone = hasNone || type == none;
        if (type == none || type == joined)
            continue;
        joined = joined == none && type != ir::TypeId{} ? type : plain(PlainType::Kind::Any);
    }
    if (hasNone && joined != none && joined != plain(PlainType::Kind::Any))
        joined = compound(CompoundType::Kind::Optional, {joined});
    return compound(CompoundType::Kind::List, {joined});
}

ops::SchemaType CallTypes::convert(const ir::Type &type)
{
    return type == ir::Type(PlainType{PlainType::Kind::Any}) ? ops::SchemaType() : Types::convert(type);
}

} // namespace cutaway::formats::python
