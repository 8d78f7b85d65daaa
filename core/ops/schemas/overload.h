// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/schemas/schema.h"

#include <cstddef>
#include <span>
#include <variant>

namespace cutaway::ops {

/// The types of the arguments of a call, as far as they are known; the type of an enum's value is "AnyEnumType".
struct CallTypes {
    struct Named {
        std::string_view name;
        SchemaType type;
    };
    std::vector<SchemaType> positional;
    std::vector<Named> named;
};

struct DefaultUsed {
    bool operator==(const DefaultUsed &) const = default;
};
struct PositionalGiven {
    std::size_t index;
    bool operator==(const PositionalGiven &) const = default;
};
/// All positional values from `first` on, gathered into a list: torch.zeros(2, 3).
struct PositionalsGathered {
    std::size_t first;
    bool operator==(const PositionalsGathered &) const = default;
};
struct NamedGiven {
    std::size_t index;
    bool operator==(const NamedGiven &) const = default;
};
/// Where the value of a schema's argument comes from.
using ArgumentSource = std::variant<DefaultUsed, PositionalGiven, PositionalsGathered, NamedGiven>;

/// The overload that fits a call, and how the call fills its arguments.
struct OverloadMatch {
    std::size_t candidate = 0;
    std::vector<ArgumentSource> sources; ///< one per argument of the schema, without positional values after "..."
    /// The types of the results, with type variables replaced, without list sizes and aliases.
    std::vector<SchemaType> returns;
};

/// Returns the schema that TorchScript chooses for a call: the first one that fits without conversion, else the first
/// one that fits with implicit conversions (a tensor for a number, a string for a device, several values for a list).
/// Texts of the result are views into those of the candidates and of the call.
std::optional<OverloadMatch> matchOverload(std::span<const Schema> candidates, const CallTypes &call);

} // namespace cutaway::ops
