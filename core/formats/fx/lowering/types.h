// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/types.h"

#include <span>

namespace cutaway::formats::fx {

/// Where a value may be anything, it is of no known type for an operator's overloads.
class Types final : public python::Types {
public:
    using python::Types::Types;

    /// The type of a list of items of these types.
    ir::TypeId listOf(std::span<const ir::TypeId> items);

private:
    ops::SchemaType convert(const ir::Type &type) override;
};

} // namespace cutaway::formats::fx
