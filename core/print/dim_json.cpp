// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/dim_json.h"

namespace cutaway::print {

void writeDim(JsonWriter &out, const ir::Dim &dim)
{
    if (const auto *size = std::get_if<std::int64_t>(&dim))
        out.value(*size);
    else if (const auto *expr = std::get_if<symbolic::Expr>(&dim))
        out.value(symbolic::print(*expr));
    else
        out.null();
}

} // namespace cutaway::print
