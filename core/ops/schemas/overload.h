// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/schemas/schema.h"

#include <cstddef>
#include <span>
#include <variant>

namespace cutaway::ops {

/// The types of the values that a call gives, as far as they are known; the type of an enum's value is "AnyEnumType".
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
/// All positional values from `first` on, which make one list: torch.zeros(2, 3).
struct PositionalsGathered {
    std::size_t first;
    bool operator==(const PositionalsGathered &) const = default;
};
struct NamedGiven {
    std::size_t index;
    bool operator==(const NamedGiven &) const = default;
};
/// The source of the value of a schema's argument.
using ArgumentSource = std::variant<DefaultUsed, PositionalGiven, PositionalsGathered, NamedGiven>;

/// The overload that fits a call, and how the call fills its arguments.
struct OverloadMatch {
    std::size_t candidate = 0;
    std::vector<ArgumentSource> sources; ///< one per argument; positional values after "..." are not among them
    std::vector<SchemaType> returns;     ///< with the types that type variables stand for, without list sizes and
                                         ///< aliases
};

/// The schema that TorchScript takes for a call: the first that fits as it is, else the first that fits with implicit
/// conversions (a tensor for a number, a string for a device, several values for a list). Texts of the result are
/// views into those of the candidates and of the call.
std::optional<OverloadMatch> matchOverload(std::span<const Schema> candidates, const CallTypes &call);

} // namespace cutaway::ops
