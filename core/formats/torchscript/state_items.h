// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/code.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace cutaway::formats::torchscript {

/// An item of a state tuple, and its name in the class.
struct StateItem {
    std::size_t index = 0;
    std::string_view name; ///< in the source: the attribute, or the parameter of the method it is given to
    bool operator==(const StateItem &) const = default;
};

/// The items of the state that a class's __setstate__ keeps, as far as its code says so plainly: `self.a = (state)[0]`,
/// `a, b, = state`, `(self).set_weight_bias((state)[1], (state)[2], )`. Empty without such a method.
std::vector<StateItem> stateItems(const ClassDefinition &definition);

} // namespace cutaway::formats::torchscript
