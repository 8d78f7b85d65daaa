// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/text/text.h"
#include "core/ir/verify.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace ir = cutaway::ir;

/// A text that can be read prints as a text that reads and prints the same, and can be verified.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto model = ir::parseText({reinterpret_cast<const char *>(data), size});
    if (!model)
        return 0;
    (void)ir::verify(*model);
    const std::string printed = ir::printText(*model);
    const auto again = ir::parseText(printed);
    if (!again || ir::printText(*again) != printed)
        std::abort();
    return 0;
}
