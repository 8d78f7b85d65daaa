// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/source_ranges.h"

#include <cstdint>
#include <cstdlib>

namespace torchscript = cutaway::formats::torchscript;

/// Every byte of the code has an origin that can be looked at, or none.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto ranges = torchscript::SourceRanges::read(std::as_bytes(std::span(data, size)));
    if (!ranges)
        return 0;
    std::size_t length = 0;
    for (std::uint32_t offset = 0; offset < 4096; ++offset)
        if (const auto origin = ranges->at(offset)) {
            if (const auto *line = std::get_if<torchscript::ScriptedLine>(&*origin))
                length += line->file.size() + line->text.size() + line->line + line->column;
            else
                length += std::get<torchscript::TracedStack>(*origin).text.size();
        }
    return length == SIZE_MAX ? 1 : 0;
}
