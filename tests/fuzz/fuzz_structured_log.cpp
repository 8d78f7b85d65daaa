// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/structured_log.h"
#include "tests/fuzz/mapped_input.h"
#include "tests/fuzz/read_document.h"

/// The records of any log that is one are read, and what they refer to is there.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace cutaway;
    const auto file = test::mappedInput(data, size);
    if (!file)
        return 0;
    sequence::Document document;
    (void)sequence::isStructuredLog(*file);
    sequence::readStructuredLog(file, document, {});
    test::readDocument(document);
    return 0;
}
