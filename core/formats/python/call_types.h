// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/types.h"

#include <span>

namespace cutaway::formats::python {

/// The types of what Python code gives to operators. A value that may be anything is of no known type for overloads.
class CallTypes final : public Types {
public:
    using Types::Types;

    /// The type of a list of items of these types.
    ir::TypeId listOf(std::span<const ir::TypeId> items);

private:
    ops::SchemaType convert(const ir::Type &type) override;
};

} // namespace cutaway::formats::python
