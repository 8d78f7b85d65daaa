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
    std::string_view name; ///< the name of the attribute, or of the method's parameter, in the source
    bool operator==(const StateItem &) const = default;
};

/// Returns the items of the state that a class's __setstate__ stores, as far as its code has a known form: `self.a =
/// (state)[0]`, `a, b, = state`, `(self).set_weight_bias((state)[1], (state)[2], )`. Empty without such a method.
std::vector<StateItem> stateItems(const ClassDefinition &definition);

} // namespace cutaway::formats::torchscript
