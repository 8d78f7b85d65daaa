// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/quantize_arguments.h"

namespace cutaway::ops {

QuantizeArguments quantizeArguments(const Call &call)
{
    const auto integer = [&](std::string_view name, std::int64_t byDefault) {
        return call.has(name) ? call.integer(name) : byDefault;
    };
    return {integer("axis", 1), call.isOnnx() ? integer("block_size", 0) : 0, call.integer("quant_min"),
            call.integer("quant_max")};
}

} // namespace cutaway::ops
