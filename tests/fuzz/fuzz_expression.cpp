// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/symbolic/evaluate.h"
#include "core/symbolic/expr.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace symbolic = cutaway::symbolic;

/// An expression that can be read prints as a text that reads and prints the same (a lone symbol is printed bare,
/// whatever its name), and can be evaluated or says why not.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto expr = symbolic::parse({reinterpret_cast<const char *>(data), size});
    if (!expr || expr->kind() == symbolic::Kind::Symbol)
        return 0;
    const std::string printed = symbolic::print(*expr);
    const auto again = symbolic::parse(printed);
    if (!again || symbolic::print(*again) != printed)
        std::abort();

    symbolic::Bindings bindings;
    for (const std::string &symbol : symbolic::symbolsOf(*expr))
        bindings.emplace(symbol, static_cast<std::int64_t>(size));
    (void)symbolic::substitute(*expr, bindings);
    return 0;
}
