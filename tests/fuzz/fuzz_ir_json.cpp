// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/json/json.h"
#include "core/ir/verify.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace ir = cutaway::ir;

/// A document that can be read can be verified; a valid model prints as a document that reads and prints the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto model = ir::parseJson({reinterpret_cast<const char *>(data), size});
    if (!model || !ir::verify(*model).empty())
        return 0;
    const std::string printed = ir::printJson(*model);
    const auto again = ir::parseJson(printed);
    if (!again || ir::printJson(*again) != printed)
        std::abort();
    return 0;
}
