// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/text_log.h"
#include "tests/fuzz/mapped_input.h"
#include "tests/fuzz/read_document.h"

/// Graphs are found in any text, and what they refer to is there.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace cutaway;
    const auto file = test::mappedInput(data, size);
    if (!file)
        return 0;
    sequence::Document document;
    if (sequence::readTextLog(file, document, {}))
        test::readDocument(document);
    return 0;
}
