// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/dim_arithmetic.h"

#include <string_view>

namespace cutaway {

/// "224", "2*s0", "?"
inline ir::Dim dimOf(std::string_view text)
{
    if (text == "?")
        return ir::UnknownDim{};
    return ops::plus(symbolic::parse(text).value(), std::int64_t{0}); // a number where it is one
}

/// "[1, s0, ?]", as ir::print() writes it
inline ir::Shape shapeOf(std::string_view text)
{
    ir::Shape shape;
    for (text = text.substr(1, text.size() - 2); !text.empty();) {
        const std::size_t comma = text.find(", ");
        shape.push_back(dimOf(text.substr(0, comma)));
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 2);
    }
    return shape;
}

} // namespace cutaway
