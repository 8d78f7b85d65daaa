// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/parser.h"
#include "core/formats/torchscript/source/printer.h"

#include <cstdint>
#include <cstdlib>

namespace torchscript = cutaway::formats::torchscript;

/// Source that can be read prints as source that reads and prints the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto file = torchscript::parse({reinterpret_cast<const char *>(data), size});
    if (!file)
        return 0;
    const std::string printed = torchscript::print(file->tree);
    const auto again = torchscript::parse(printed);
    if (!again || torchscript::print(again->tree) != printed)
        std::abort();
    return 0;
}
