// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/types.h"

#include <span>

namespace cutaway::formats::python {

/// The types of what Python code passes to operators. A value of type Any has no known type for overloads.
class CallTypes final : public Types {
public:
    using Types::Types;

    /// Returns the type of a list whose items have these types.
    ir::TypeId listOf(std::span<const ir::TypeId> items);

private:
    ops::SchemaType convert(const ir::Type &type) override;
};

} // namespace cutaway::formats::python
