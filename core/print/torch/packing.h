// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::print {

/// The nesting of values in a signature, as torch.utils._pytree describes and torch.export records it.
struct Packing {
    enum class Kind : std::uint8_t { Leaf, None, Tuple, List, Dict };
    Kind kind = Kind::Leaf;
    std::vector<Packing> items;
    std::vector<std::string> keys; ///< the keys of a Dict, as Python literals
};

/// Returns the packing that the model's metadata records under the key; nothing for classes of other packages, and for
/// malformed text.
std::optional<Packing> recordedPacking(const ir::Model &model, std::string_view key);

/// Returns a packing as text, "((*, [*, *]), {'mask': *})", with a star for each leaf.
std::string packingText(const Packing &packing);

} // namespace cutaway::print
